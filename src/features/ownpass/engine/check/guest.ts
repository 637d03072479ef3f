/**
 * The program that runs a pass's code, in a JavaScript engine with nothing else in it (`src/features/ownpass/box`). Requests and answers
 * are texts; each request starts from the state of this program after it was loaded. Bundled by `scripts/generate/scripts.ts`.
 */

import type { GuestProgram } from "../../../../engine/api/own/program.ts";
import { analyzeGuest, type GuestOptions, type LineNow, type ReadProgram, readProgram, runGuest } from "../guest.ts";
import { type OwnAnalysis, type OwnPass, type OwnTest, PASS_MODULE } from "../module.ts";
import { PROBE } from "./probe.ts";
import type { Described, PassRequest, Thrown } from "./requests.ts";

const { parse, stringify } = JSON;

/** The current line of the pass's code, written by each of its statements: the caller can read it after the engine was ended. */
const at = new Int32Array(1);

class Run {
  private told: Parameters<GuestOptions["started"]>[0] | null = null;
  private linesLeft: number;
  private readonly only: ReadonlySet<number> | null;

  /** `most`: the maximal number of executed lines to report; `only`: report only these lines. */
  constructor(most: number, only: readonly number[] | null) {
    this.only = only === null ? null : new Set(only);
    this.linesLeft = most;
  }

  /** Each statement writes its line to this object, with a call only if lines are reported. */
  get lines(): LineNow {
    if (this.linesLeft === 0) return at;
    const ran = (line: number): void => this.ran(line);
    return {
      get 0() {
        return lineNow();
      },
      set 0(line) {
        ran(line);
      },
    };
  }

  private ran(line: number): void {
    at[0] = line;
    if (this.told === null || this.linesLeft === 0 || this.only?.has(line) === false) return;
    this.linesLeft--;
    this.told.ran([line]);
  }

  readonly started: GuestOptions["started"] = (told) => {
    this.told = told;
  };

  /** Reports what a pass prints as a step. */
  readonly print = (...values: readonly unknown[]): void => {
    this.told?.say(values.map(printed).join(" "));
  };

  stop(): void {
    this.told = null;
  }

  thrown(error: unknown): Thrown {
    const message = sentence(error);
    return { message: message.slice(0, 2000), line: lineNow() };
  }
}

const lineNow = (): number => at[0] ?? 0;

/** What the engine itself throws if a pass exceeds its limits. */
const TOO_MUCH: readonly (readonly [RegExp, string])[] = [
  [/^(InternalError: )?stack overflow$/, "The pass recurses too deeply."],
  [/^(InternalError: )?out of memory$/, "The pass took more memory than it may use."],
];

const reworded = (message: string): string => TOO_MUCH.find(([said]) => said.test(message))?.[1] ?? message;

function sentence(error: unknown): string {
  try {
    if (error instanceof Error)
      return reworded(error.name === "Error" || error.name === "PassError" ? String(error.message) : `${error.name}: ${error.message}`);
    return `The pass threw ${typeof error === "string" ? error : typeof error}.`;
  } catch {
    return "The pass threw something that cannot be read.";
  }
}

interface Loaded {
  readonly definition: OwnPass | OwnAnalysis;
  readonly tests: readonly (OwnTest & { readonly line: number })[];
}

function load(code: string, run: Run): Loaded {
  const tests: (OwnTest & { readonly line: number })[] = [];
  const library = {
    ...PASS_MODULE,
    test: (name: string, program: string, options: OwnTest["options"] = {}) => {
      tests.push({ name: String(name), program: String(program), options, line: lineNow() });
    },
  };
  const exports: Record<string, unknown> = {};
  const module = { exports };
  const require = (name: string): unknown => {
    if (name === "oriscope/pass") return library;
    throw new Error(`A pass may import only "oriscope/pass", not "${name}".`);
  };
  const make = new Function("require", "exports", "module", "console", PROBE, code);
  const console = { log: run.print, info: run.print, debug: run.print, warn: run.print, error: run.print };
  make(require, exports, module, console, run.lines);
  const definition = module.exports.default;
  if (!isDefinition(definition))
    throw new Error("The file has no pass: it needs `export default definePass({ … })` or `defineAnalysis({ … })`.");
  if (typeof definition.name !== "string" || definition.name.trim() === "") throw new Error("The pass needs a name.");
  if (typeof definition.run !== "function") throw new Error("The pass needs a `run` function.");
  return { definition, tests };
}

function printed(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const own = String(value);
  return own === "[object Object]" || Array.isArray(value) ? JSON.stringify(value) : own;
}

function isDefinition(value: unknown): value is OwnPass | OwnAnalysis {
  const kind: unknown = typeof value === "object" && value !== null ? (value as { readonly kind?: unknown }).kind : null;
  return kind === "pass" || kind === "analysis";
}

/** The program that was read before a pass's code was loaded. */
let known: { readonly asked: string; readonly read: ReadProgram } | null = null;

const readOnce = (program: GuestProgram): ReadProgram => (known?.asked === stringify(program) ? known.read : readProgram(program));

function answer(request: PassRequest): unknown {
  const forbid = request.forbid ?? [];
  const told = request.ask === "run" && request.record ? request : null;
  const run = new Run(told?.lines ?? 0, told?.only ?? null);
  try {
    const { definition, tests } = load(request.code, run);
    if (request.ask === "describe") return describe(definition, tests);
    if (request.ask === "analyze") {
      if (definition.kind !== "analysis") throw new Error("This is a pass, not an analysis.");
      return { blocks: analyzeGuest(definition, readOnce(request.program), { source: request.source, forbid, at }) };
    }
    const { source, skips, fuel, record, twice } = request;
    const program = readOnce(request.program);
    const done = runGuest(definition, program, { source, forbid, skips, fuel, record, at, started: run.started });
    const thrown = done.thrown === null ? null : { message: reworded(done.thrown), line: lineNow() };
    run.stop();
    const again =
      twice && thrown === null
        ? runGuest(definition, program, { source, forbid, skips, fuel, record: false, at, started: () => undefined })
        : null;
    return { ...done, thrown, again: again === null || again.text === done.text ? null : again.text };
  } catch (error) {
    return { failed: run.thrown(error) };
  }
}

function describe(definition: OwnPass | OwnAnalysis, tests: Loaded["tests"]): Described {
  return {
    kind: definition.kind,
    name: definition.name.slice(0, 200),
    summary: String(definition.summary ?? definition.name).slice(0, 2000),
    of: definition.kind === "analysis" ? definition.of : null,
    tests: tests.map(({ name, program, options, line }) => ({
      name,
      program,
      after: options.after ?? null,
      unchanged: options.unchanged === true,
      line,
    })),
  };
}

/** Randomness and time are removed: the same program gives the same result. */
function makeDeterministic(): void {
  Math.random = () => {
    throw new Error("A pass has no randomness: the same program must always give the same result.");
  };
  const clock = (): never => {
    throw new Error("A pass has no clock: the same program must always give the same result.");
  };
  for (const name of ["Date", "performance"]) Object.defineProperty(globalThis, name, { get: clock, configurable: false });
  for (const name of ["WeakRef", "FinalizationRegistry"])
    Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false });
}

makeDeterministic();
Object.defineProperty(globalThis, "oriscopeGuest", {
  value: {
    answer: (request: string): string => stringify(answer(parse(request) as PassRequest)),
    read(asked: string): void {
      known = { asked, read: readProgram(parse(asked) as GuestProgram) };
    },
    line: lineNow,
  },
  configurable: true,
});
