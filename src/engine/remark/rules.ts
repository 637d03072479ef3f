/** The table of a pass's rules: its pseudocode, and all events and decisions of each line. */

import type { EventKind } from "../trace/kinds.ts";
import { Template } from "./holes.ts";

/** A sentence with its own event kind. `untold`: a rewrite that is requested and counted, but reported together with others. */
export interface Say {
  readonly kind: EventKind | "untold";
  readonly say: string;
}

/** One sentence, or several by name. */
export type Sayings = string | Say | Readonly<Record<string, string | Say>>;

/** Why something is not done. */
export interface Missed {
  /** The sentence; where the line has a frame (`stays`), the clause that its `{why}` shows. */
  readonly say: string;
  /** How the phase's one-sentence reason names it; default: the code, else the reason's name. */
  readonly why?: string;
  /** The reference's name for the condition (`T4`, `guard 2`). */
  readonly code?: string;
  /** A legality condition that can be dropped, and what goes wrong without it. Left out: the code cannot continue without it. */
  readonly droppable?: string;
  /** A legality condition that cannot be dropped, though the code could continue without it: why no run shows that it is needed. */
  readonly fixed?: string;
  /** False: a plain statement, not a refused candidate; the phase's one-sentence reason does not count it. */
  readonly counts?: false;
  /** True: counted, but not reported, since its budget has reported it. */
  readonly silent?: true;
  /** Default `match`. */
  readonly kind?: EventKind;
}

export interface LineSpec {
  /** Kind of the events of `step`; default `visit`. */
  readonly kind?: EventKind;
  /** Steps that are reported without a decision. */
  readonly step?: Sayings;
  /** A candidate that meets all conditions. */
  readonly found?: Sayings;
  /** The rewrite. */
  readonly done?: Sayings;
  /** Why the rewrite is made, with holes of its sentences: for all that `found` or `done` name, or for each by its name. */
  readonly because?: string | Readonly<Record<string, string>>;
  /** A frame for all reasons of the line: `'{inst}' stays: {why}`; or several by name, of which a remark names one as `stays`. */
  readonly stays?: string | Readonly<Record<string, string>>;
  readonly missed?: Readonly<Record<string, Missed>>;
  /** A gate by name: its sentence when it is open and when it is shut. */
  readonly gates?: Readonly<Record<string, { readonly open: string; readonly shut: string }>>;
  /** Where the reference states the rule: page and section. */
  readonly source?: string;
  /** The policy that alone has the rule. */
  readonly policy?: "notes" | "measured";
}

export interface Saying {
  readonly kind: EventKind | "untold";
  readonly template: Template;
}

export interface Reason {
  readonly name: string;
  /** Its place among all reasons of the table. */
  readonly index: number;
  readonly kind: EventKind;
  /** What events call the condition. */
  readonly condition: string;
  /** What the phase's one-sentence reason calls it. */
  readonly why: string;
  readonly counts: boolean;
  readonly silent: boolean;
  readonly droppable: string | null;
  readonly fixed: string | null;
  /** The sentence, or the frame around `clause`: the first of `frames`. */
  readonly template: Template;
  /** The frames by name, where there are several. */
  readonly frames: ReadonlyMap<string, Template> | null;
  readonly clause: Template | null;
}

/** One line of the pseudocode. */
export interface Rule<P extends LineSpec = LineSpec> {
  /** Its key in the table. */
  readonly name: string;
  /** Its place among the rules of the table. */
  readonly index: number;
  /** 1-based line of the pseudocode. */
  readonly line: number;
  /** null: it is at the line before it. */
  readonly text: string | null;
  /** It is tried by `look` and counts its matches (`rule.ts`). */
  readonly looks: boolean;
  readonly spec: P;
  readonly steps: ReadonlyMap<string, Saying>;
  readonly founds: ReadonlyMap<string, Saying>;
  readonly dones: ReadonlyMap<string, Saying>;
  readonly gates: ReadonlyMap<string, { readonly open: Template; readonly shut: Template }>;
  /** Few per line: a linear search is faster than any table. */
  readonly reasons: readonly Reason[];
}

export type RuleTable = Readonly<Record<string, Rule>>;

/** What may point at a line: a rule, or (where a pass has no table yet) a number. */
export type Line = number | { readonly line: number };

export const lineOf = (line: Line): number => (typeof line === "number" ? line : line.line);

/** The key of a line's only sentence. */
export const ONLY = "";

/** A line of the table. The text is the pseudocode, leading blanks show nesting; without `spec` only edits are reported there. */
export function line<const P extends LineSpec = Record<never, never>>(text: string, spec?: P): Rule<P> {
  return ruleOf(text, spec);
}

/** A further rule at the line before it in the table: if a line has several frames, or a shared body reports it by several rules. */
export function sameLine<const P extends LineSpec>(spec: P): Rule<P> {
  return ruleOf(null, spec);
}

/** As `sameLine`, for a phase whose code reaches none of its conditions: there is nothing to drop. */
export function sameLineFixed<const P extends LineSpec>(spec: P): Rule<P> {
  const missed = Object.entries(spec.missed ?? {}).map(([name, { droppable: _, ...say }]) => [name, say] as const);
  return ruleOf(null, { ...spec, missed: Object.fromEntries(missed) });
}

export function ruleOf<const P extends LineSpec>(text: string | null, spec: P | undefined): Rule<P> {
  const own: LineSpec = spec ?? {};
  const gates = Object.entries(own.gates ?? {}).map(
    ([name, { open, shut }]) => [name, { open: new Template(open), shut: new Template(shut) }] as const,
  );
  return {
    name: "",
    index: 0,
    line: 0,
    text,
    looks: false,
    spec: own as P,
    steps: sayings(own.step, own.kind ?? "visit"),
    founds: sayings(own.found, "match"),
    dones: sayings(own.done, "rewrite"),
    gates: new Map(gates),
    reasons: [],
  };
}

/** The table of a pass. The order of its lines is the pseudocode, and numbers them: each rule belongs to one table. */
export function rules<const T extends RuleTable>(table: T): T {
  let number = 0;
  let reason = 0;
  for (const [index, [name, rule]] of Object.entries(table).entries()) {
    if (rule.name !== "") throw new Error(`'${name}' is in a table already, as '${rule.name}'`);
    const reasons = Object.entries(rule.spec.missed ?? {}).map(([key, missed]) => reasonOf(key, missed, rule.spec, reason++));
    if (rule.text !== null) number++;
    Object.assign(rule, { name, index, line: number, reasons } satisfies Partial<Rule>);
  }
  return table;
}

function reasonOf(name: string, missed: Missed, { stays }: LineSpec, index: number): Reason {
  const condition = missed.code ?? name;
  const said = new Template(missed.say);
  const several = typeof stays === "object" ? stays : null;
  const frame = typeof stays === "object" ? Object.values(stays)[0] : stays;
  return {
    name,
    index,
    kind: missed.kind ?? "match",
    condition,
    why: missed.why ?? condition,
    counts: missed.counts ?? true,
    silent: missed.silent ?? false,
    droppable: missed.droppable ?? null,
    fixed: missed.fixed ?? null,
    template: frame === undefined ? said : new Template(frame),
    frames: several === null ? null : new Map(Object.entries(several).map(([key, text]) => [key, new Template(text)])),
    clause: stays === undefined ? null : said,
  };
}

function sayings(given: Sayings | undefined, kind: EventKind): ReadonlyMap<string, Saying> {
  if (given === undefined) return new Map();
  const one = (say: string | Say): Saying =>
    typeof say === "string" ? { kind, template: new Template(say) } : { kind: say.kind, template: new Template(say.say) };
  if (isOne(given)) return new Map([[ONLY, one(given)]]);
  return new Map(Object.entries(given).map(([name, say]) => [name, one(say)]));
}

const isOne = (given: Sayings): given is string | Say =>
  typeof given === "string" || (typeof given.say === "string" && typeof given.kind === "string");

/** The pseudocode that a table is. */
export const pseudocodeOf = (table: RuleTable): readonly string[] =>
  Object.values(table).flatMap(({ text }) => (text === null ? [] : [text]));

/** All reasons of a table, by their index. */
export function reasonsOf(table: RuleTable): readonly Reason[] {
  let reasons = tableReasons.get(table);
  if (reasons === undefined) {
    reasons = Object.values(table).flatMap((rule) => rule.reasons);
    tableReasons.set(table, reasons);
  }
  return reasons;
}

/** Tables never change, and each run of a phase reads them. */
const tableReasons = new WeakMap<RuleTable, readonly Reason[]>();

// --- what the verbs of `Remarks` take --------------------------------------------------------------------------------------------

type TextOf<S> = S extends string ? S : S extends { readonly kind: string; readonly say: infer T extends string } ? T : never;
/** The template of a line's only sentence. */
export type Only<S> = TextOf<S>;
/** Names of a line's sentences. */
export type Names<S> = S extends string | Say ? never : keyof S & string;
export type Named<S, N> = N extends keyof S ? TextOf<S[N]> : never;

export type MissedOf<P extends LineSpec> = P["missed"] extends object ? P["missed"] : never;
export type ReasonsOf<P extends LineSpec> = keyof MissedOf<P> & string;
type SayOf<M> = M extends { readonly say: infer S extends string } ? S : "";
type FrameOf<P extends LineSpec> = P["stays"] extends string
  ? P["stays"]
  : P["stays"] extends object
    ? P["stays"][keyof P["stays"]] & string
    : "";
/** Clause and frame together; `{why}` is filled by the clause. The holes of all frames that may be meant are needed. */
export type MissedText<P extends LineSpec, C extends ReasonsOf<P>> = `${WithoutWhy<FrameOf<P>>}${SayOf<MissedOf<P>[C]>}`;
type WithoutWhy<S extends string> = S extends `${infer A}{why}${infer B}` ? `${A}${B}` : S;
export type DroppableOf<P extends LineSpec> = {
  [C in ReasonsOf<P>]: MissedOf<P>[C] extends { readonly droppable: string } ? C : never;
}[ReasonsOf<P>];
export type GatesOf<P extends LineSpec> = P["gates"] extends object ? P["gates"] : never;
type GateText<G> = G extends { readonly open: infer A extends string; readonly shut: infer B extends string } ? `${A}${B}` : "";
export type GateTextOf<P extends LineSpec, N extends keyof GatesOf<P>> = GateText<GatesOf<P>[N]>;
