/** A pass that is a separate command, in any language: random programs for its input, and checks of its output. */

import { checkEquivalent } from "../../../engine/fuzz/equivalence.ts";
import { generateText } from "../../../engine/fuzz/generate/generate.ts";
import { shrinkSteps } from "../../../engine/fuzz/shrink.ts";
import type { ProgramForm, Reader } from "../../../engine/import/reader.ts";
import { regName } from "../../../engine/ir/reg.ts";
import type { Func } from "../../../engine/ir/types.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { printModule } from "../../../engine/text/printer.ts";
import { verifyFunc } from "../../../engine/verify/verify.ts";
import { IMPORTERS } from "../../importers.ts";

/** A form of the programs that the command reads and writes. */
export type CommandForm = Omit<ProgramForm, "written"> & Pick<Reader, "read">;

const ORI: CommandForm = {
  read: parseModule,
  random: (seed) => generateText({ seed, profile: "any", kinds: true }),
  difference({ module: before }, { module: after }, seed, inputs) {
    for (const fn of before.funcs) {
      const other = after.funcs.find((f) => f.name === fn.name);
      const found = other === undefined ? null : checkEquivalent(fn, other, before, { inputs, seed }).counterexample;
      if (found !== null) return { message: found.difference, input: found.text };
    }
    return null;
  },
  *smaller(program, attempts) {
    const { module } = parseModule(program);
    const [fn] = module.funcs;
    if (fn === undefined) return program;
    const print = (of: Func): string => printModule({ ...module, funcs: [of] });
    const steps = shrinkSteps(fn, module, attempts);
    let step = steps.next();
    while (step.done !== true) step = steps.next(yield print(step.value));
    return step.value.fn === fn ? program : print(step.value.fn);
  },
};

const FORMS = new Map<string, CommandForm>([["ori", ORI]]);
for (const { read, forms = {} } of Object.values(IMPORTERS))
  for (const [name, form] of Object.entries(forms)) FORMS.set(name, { ...form, read });

export const COMMAND_FORMATS: readonly string[] = [...FORMS.keys()];

export const commandForm = (format: string): CommandForm => FORMS.get(format) ?? ORI;

export interface CommandFailure {
  /** `program`: the output is not a program; `signature`: a different one; `verifier`; `meaning`. */
  readonly law: "program" | "signature" | "verifier" | "meaning";
  readonly message: string;
  /** On which the meaning differs. */
  readonly input: string | null;
}

/** What is wrong with the output of a pass for a program; null: nothing that was found. */
export function judgeAnswer(form: CommandForm, before: string, after: string, seed: number, inputs: number): CommandFailure | null {
  const [was, now] = [form.read(before), form.read(after)];
  const error = now.diagnostics.find((d) => d.severity === "error");
  if (error !== undefined)
    return {
      law: "program",
      message: `the output's line ${error.line}, column ${error.column}: ${error.code} ${error.message}`,
      input: null,
    };
  // Output that is converted back to another language may lack functions that were inlined.
  for (const fn of was.module.funcs.filter(({ kind }) => was.program === undefined || kind === "kernel")) {
    const other = now.module.funcs.find((f) => f.name === fn.name);
    if (other === undefined) return { law: "signature", message: `the output has no ${fn.name}`, input: null };
    const [head, otherHead] = [signature(fn), signature(other)];
    if (head !== otherHead) return { law: "signature", message: `${fn.name} was ${head} and is ${otherHead}`, input: null };
    const wrong = verifyFunc(other, now.module).find((d) => d.severity === "error");
    if (wrong !== undefined) return { law: "verifier", message: `${wrong.code} ${wrong.message}`, input: null };
  }
  const found = form.difference(was, now, seed, inputs);
  return found === null ? null : { law: "meaning", ...found };
}

/** Whether the output is a different program, notation apart. */
export function isChanged(form: CommandForm, before: string, after: string): boolean {
  const [was, now] = [before, after].map((text) => printModule(form.read(text).module));
  return was !== now;
}

// The registers of parameters may be numbered by a language's reader; only their classes matter.
const signature = (fn: Func): string =>
  `(${fn.params.map((p) => `${p.name}: ${regName(p.reg)}`).join(", ")})${fn.returns.length > 0 ? ` -> ${fn.returns.map(regName).join(", ")}` : ""}${fn.blockSize === null ? "" : ` .reqntid ${fn.blockSize.join(", ")}`}`;
