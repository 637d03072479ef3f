/** The tools of the MCP server: one open text, its last run, and questions about it. Answers are JSON text that fits a conversation. */

import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { closest } from "../../../base/closest.ts";
import { FORMATS, type SourceFormat } from "../../../base/formats.ts";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { compareTexts } from "../../../engine/api/exec/compare.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import type { Diagnostic, PhaseRun, RunResult, Subject } from "../../../engine/api/types.ts";
import { diffLines } from "../../publish/engine/block-diff.ts";

/** Instructions that the first program of a comparison may execute, all inputs and threads together: some seconds, in which no other call is answered. */
const MOST_STEPS = 20_000_000;
/** Rows of one answer; what is over it is counted. */
const MOST_ROWS = 100;

const phaseInput = z.union([z.string(), z.number()]).describe("Number, id or name of a phase.");
const textInput = z.string().max(8_000_000);

export function addTools(server: McpServer): void {
  const work = new Work();
  const tool = <S extends z.ZodRawShape>(
    name: string,
    description: string,
    inputSchema: S,
    act: (input: z.infer<z.ZodObject<S>>) => unknown,
  ) => {
    const handler = (input: unknown): CallToolResult =>
      answer(() => {
        refuseUnknown(name, Object.keys(input as object), Object.keys(inputSchema));
        return act(input as z.infer<z.ZodObject<S>>);
      });
    server.registerTool(
      name,
      { description, inputSchema: z.looseObject(inputSchema), annotations: { readOnlyHint: true, openWorldHint: false } },
      handler,
    );
  };
  tool(
    "open",
    "Opens a program: PTX, a SASS listing, Bril or Ori text. Everything else works on the program opened last.",
    { text: textInput.describe("The program."), format: z.enum(FORMATS).optional().describe("Left out: recognised.") },
    ({ text, format }) => work.open(text, format ?? null),
  );
  tool(
    "run",
    "Runs the control-flow and redundancy phases on a kernel of the open program and says what each changed.",
    {
      kernel: z.string().optional().describe("Default: the first one."),
      target: z.string().optional().describe("Such as sm_80; default: the text's, else sm_90."),
      level: z.number().int().min(0).max(4).optional(),
      policy: z.enum(["notes", "measured"]).optional(),
      knobs: z.array(z.string()).optional().describe("NAME=V, each."),
      phases: z.array(z.string()).optional().describe("Only these, in this order."),
    },
    (options) => work.run(options),
  );
  tool(
    "why",
    "What happened to a block, register or instruction, and why: the events that touch it, refusals with the condition that failed.",
    {
      block: z.string().optional().describe("A block's label."),
      register: z.string().optional().describe("Such as R4 or P0."),
      phase: phaseInput.optional().describe("Only in this phase; default: in all."),
    },
    (input) => work.why(input),
  );
  tool(
    "step",
    "One step of a phase: its sentence and facts, and the text of the program after it.",
    {
      phase: phaseInput,
      step: z.number().int().min(0).describe("From 0: 0 is the state before the first step."),
      text: z.boolean().optional().describe("With the program's text; default false."),
    },
    (input) => work.step(input),
  );
  tool("diff", "The lines that a phase changed, or the whole pipeline.", { phase: phaseInput.optional() }, ({ phase }) => work.diff(phase));
  tool(
    "check",
    "Looks for an input on which two programs differ, by running both. 'different' is a proof, 'same' is not.",
    { before: textInput, after: textInput, inputs: z.number().int().min(1).max(2000).optional(), kernel: z.string().optional() },
    ({ before, after, inputs, kernel }) =>
      compareTexts(before, after, {
        steps: MOST_STEPS,
        ...(inputs === undefined ? {} : { inputs }),
        ...(kernel === undefined ? {} : { kernel }),
      }),
  );
}

/** Something the caller can correct: reported as the tool's error. */
class Unusable extends Error {}

/** An argument unknown to a tool would have no effect. */
function refuseUnknown(tool: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const nearest = closest(unknown, known);
  const hint = nearest === null ? `It accepts ${known.join(", ")}.` : `Did you mean '${nearest}'?`;
  throw new Unusable(`${tool} has no argument '${unknown.slice(0, 80)}'. ${hint}`);
}

function answer(act: () => unknown): CallToolResult {
  try {
    return { content: [{ type: "text", text: JSON.stringify(act(), null, 1) }] };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { isError: true, content: [{ type: "text", text: error.message }] };
  }
}

interface RunInput {
  readonly kernel?: string | undefined;
  readonly target?: string | undefined;
  readonly level?: number | undefined;
  readonly policy?: "notes" | "measured" | undefined;
  readonly knobs?: readonly string[] | undefined;
  readonly phases?: readonly string[] | undefined;
}

class Work {
  private readonly session = new EngineSession();
  private kernels: readonly string[] = [];
  private result: RunResult | null = null;

  open(text: string, format: SourceFormat | null): unknown {
    const opened = this.session.open(1, text, format);
    this.result = null;
    this.kernels = opened.ok ? opened.kernels.map((k) => k.name) : [];
    const kernels = opened.kernels.map(({ name, blocks, instructions, opaque }) => ({ name, blocks, instructions, opaque }));
    return { ok: opened.ok, format: opened.format, kernels: rows(kernels), diagnostics: rows(opened.diagnostics.map(said)) };
  }

  run({ kernel, target, level, policy, knobs, phases }: RunInput): unknown {
    const name = kernel ?? this.kernels[0];
    if (name === undefined) throw new Unusable("No program is open: call open first.");
    const result = this.session.run(1, name, {
      ...DEFAULT_PIPELINE,
      target: target ?? null,
      level: level ?? DEFAULT_PIPELINE.level,
      policy: policy ?? DEFAULT_PIPELINE.policy,
      knobs: knobs ?? [],
      phases: phases ?? null,
    });
    if (result.phases.length === 0) throw new Unusable(result.diagnostics.map(said).join("\n"));
    this.result = result;
    const ran = result.phases.filter((p) => p.ran);
    return {
      kernel: result.kernel,
      target: result.target,
      changed: ran
        .filter((p) => p.changed)
        .map((p) => ({ ...named(p), blocks: p.blocks, instructions: p.instructions, did: this.session.summary(p.run) })),
      unchanged: ran.filter((p) => !p.changed).map((p) => ({ ...named(p), why: p.reason ?? this.session.summary(p.run) })),
      closed: result.phases.filter((p) => !p.ran && p.modelled).map((p) => ({ ...named(p), why: p.reason })),
      diagnostics: rows(result.diagnostics.map(said)),
    };
  }

  why({
    block,
    register,
    phase,
  }: {
    readonly block?: string | undefined;
    readonly register?: string | undefined;
    readonly phase?: string | number | undefined;
  }): unknown {
    this.needRun();
    const run = phase === undefined ? null : this.phaseOf(phase).run;
    const { items, notes } = this.session.history(run, this.subjectOf(block, register, run));
    return {
      events: rows(items.map(({ phase: where, step, kind, sentence, facts }) => ({ phase: where, step: step + 1, kind, sentence, facts }))),
      notes: rows(notes),
    };
  }

  step({ phase, step, text }: { readonly phase: string | number; readonly step: number; readonly text?: boolean | undefined }): unknown {
    const found = this.phaseOf(phase);
    const info = this.session.trace(found.run);
    if (info === null) throw new Unusable(`${found.name} did not run: ${found.reason ?? "it is not modelled"}.`);
    if (step > info.steps) throw new Unusable(`${found.name} has ${info.steps} steps.`);
    const event = step === 0 ? null : (this.session.events(found.run, step - 1, 1)[0] ?? null);
    return {
      ...named(found),
      step,
      of: info.steps,
      ...(event === null
        ? {}
        : { kind: event.kind, sentence: event.sentence, facts: event.facts, pseudocode: info.pseudocode[event.line - 1]?.trim() }),
      ...(text === true ? { text: this.session.text({ run: found.run, step: step - 1 }).text } : {}),
    };
  }

  diff(phase: string | number | undefined): unknown {
    const { phases } = this.needRun();
    const found = phase === undefined ? null : this.phaseOf(phase);
    const before = this.session.text(found === null ? { run: -1, step: null } : { run: found.run, step: -1 }).text;
    const after = this.session.text({ run: found?.run ?? phases.length - 1, step: null }).text;
    const lines = diffLines(before.split("\n"), after.split("\n"))
      .filter((line) => line.mark !== " " || /^\S.*:/.test(line.text))
      .map((line) => `${line.mark} ${line.text}`);
    return { changed: before !== after, lines: before === after ? [] : rows(lines, 400) };
  }

  private needRun(): RunResult {
    if (this.result === null) throw new Unusable("Nothing has run: call open, then run.");
    return this.result;
  }

  private phaseOf(phase: string | number): PhaseRun {
    const { phases } = this.needRun();
    const found = this.session.lookupPhase(String(phase));
    if (!found.ok) throw new Unusable(found.message);
    const run = phases.find((p) => found.ids.includes(p.id));
    if (run === undefined) throw new Unusable(`${phase} is not among the phases of this run.`);
    return run;
  }

  private subjectOf(block: string | undefined, register: string | undefined, run: number | null): Subject {
    if (register !== undefined) return { kind: "reg", name: register };
    if (block === undefined) throw new Unusable("Name a block or a register.");
    const states = [
      { run: -1, step: null },
      { run: run ?? this.needRun().phases.length - 1, step: null },
    ];
    for (const moment of states) {
      const { text, blockOfLine } = this.session.text(moment);
      const line = text.split("\n").findIndex((at) => at.startsWith(`${block}:`));
      const id = line < 0 ? -1 : (blockOfLine[line] ?? -1);
      if (id >= 0) return { kind: "block", id };
    }
    throw new Unusable(`There is no block ${block} at the start or at the end.`);
  }
}

const named = ({ phase, id, name }: PhaseRun): { readonly phase: number | null; readonly id: string; readonly name: string } => ({
  phase,
  id,
  name,
});

const said = ({ line, severity, code, message }: Diagnostic): string =>
  `${line > 0 ? `line ${line}: ` : ""}${severity} ${code}: ${message}`;

/** The first rows, and how many more there are. */
function rows<T>(all: readonly T[], most = MOST_ROWS): readonly (T | string)[] {
  return all.length <= most ? all : [...all.slice(0, most), `… ${all.length - most} more`];
}
