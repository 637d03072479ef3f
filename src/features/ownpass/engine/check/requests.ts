/** The requests to a pass's code, and its answers: text in, text out, none of it trusted. */

import * as v from "valibot";

/** A program as it is passed to the code. */
export interface PassProgram {
  readonly text: string;
  readonly nextReg: readonly number[];
}

interface Common {
  /** Compiled: `compilePass`. */
  readonly code: string;
  /** Analyses that the pass may not use. */
  readonly forbid?: readonly string[];
  /** Its steps also count against a limit for all such requests since the code was described. */
  readonly together?: boolean;
}

export type PassRequest =
  | (Common & { readonly ask: "describe" })
  | (Common & {
      readonly ask: "run";
      readonly program: PassProgram;
      readonly source: readonly string[];
      readonly skips: readonly number[];
      readonly fuel: number | null;
      /** Record what is done, and at most this many lines that ran. */
      readonly record: boolean;
      readonly lines: number;
      /** Report only these lines; left out: all. */
      readonly only?: readonly number[];
      /** Run a second time. */
      readonly twice: boolean;
    })
  | (Common & { readonly ask: "analyze"; readonly program: PassProgram; readonly source: readonly string[] });

/** Where something was thrown; line 0: not known. */
const Thrown = v.object({ message: v.pipe(v.string(), v.maxLength(4000)), line: v.pipe(v.number(), v.integer(), v.minValue(0)) });
export type Thrown = v.InferOutput<typeof Thrown>;

const MOST_TESTS = 1000;

/** Lengths are checked before items: a list that is far too long is not examined. */
const listOf = <const Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(
    v.custom<unknown[]>((value) => Array.isArray(value) && value.length <= most, `must be a list of at most ${most}`),
    v.array(item),
  );

const Described = v.object({
  kind: v.picklist(["pass", "analysis"]),
  name: v.pipe(v.string(), v.maxLength(200)),
  summary: v.pipe(v.string(), v.maxLength(2000)),
  of: v.nullable(v.string()),
  tests: listOf(
    v.object({
      name: v.pipe(v.string(), v.maxLength(200)),
      program: v.string(),
      after: v.nullable(v.string()),
      unchanged: v.boolean(),
      line: v.pipe(v.number(), v.integer(), v.minValue(0)),
    }),
    MOST_TESTS,
  ),
});
export type Described = v.InferOutput<typeof Described>;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const reason = v.pipe(v.string(), v.maxLength(200));

const Candidates = v.object({
  met: count,
  refused: v.pipe(v.array(v.object({ reason, n: count })), v.maxLength(20)),
  why: v.nullable(reason),
});
export type Candidates = v.InferOutput<typeof Candidates>;

const Ran = v.object({
  text: v.string(),
  changed: v.boolean(),
  rewrites: v.pipe(v.number(), v.integer(), v.minValue(0)),
  why: v.nullable(v.string()),
  candidates: v.nullable(Candidates),
  thrown: v.nullable(Thrown),
  /** Checked entry by entry when it is replayed. */
  script: v.nullable(v.custom<unknown[]>(Array.isArray, "must be a list")),
  /** Text of the second run; null: it was not requested, or is the same. */
  again: v.nullable(v.string()),
});
export type Ran = v.InferOutput<typeof Ran>;

/** Read block by block when it is compared. */
const Analyzed = v.object({
  blocks: v.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object",
  ),
});

/** The code cannot be used at all: it does not load, or is not a pass. */
const Failed = v.object({ failed: Thrown });

/** Most bytes of an answer; a longer one is not read. */
export const MOST_ANSWER: Readonly<Record<PassRequest["ask"], number>> = { describe: 500_000, analyze: 4_000_000, run: 24_000_000 };

const ANSWERS = { describe: v.union([Failed, Described]), run: v.union([Failed, Ran]), analyze: v.union([Failed, Analyzed]) } as const;

export type AnswerTo<Ask extends PassRequest["ask"]> = v.InferOutput<(typeof ANSWERS)[Ask]>;

/** A valid answer; a string says why it is invalid. */
export function readAnswer<Ask extends PassRequest["ask"]>(ask: Ask, text: unknown): AnswerTo<Ask> | string {
  if (typeof text !== "string") return "The answer is not text.";
  // No text has more characters than bytes.
  if (text.length > MOST_ANSWER[ask]) return `The answer has more than ${MOST_ANSWER[ask]} bytes.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "The answer is not JSON.";
  }
  const found = v.safeParse(ANSWERS[ask], value, { abortEarly: true });
  if (found.success) return found.output as AnswerTo<Ask>;
  const [issue] = found.issues;
  return `The answer has the wrong form: ${issue === undefined ? "" : `${v.getDotPath(issue) ?? "it"}: ${issue.message}`}`;
}
