/** EQUIV (`sub_8F4510`): the seven conditions under which an instruction computes what a candidate computed. */

import { plural } from "../../../base/plural.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { regClass, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { isDefOperand } from "../../ir/visit.ts";
import type { About } from "../../remark/holes.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line, type Rule } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { type Candidate, type Described, hex, operandKinds } from "./candidates.ts";
import type { DomSets, DomTest } from "./dom-sets.ts";
import type { EquivRow } from "./rows.ts";

/**
 * A condition of EQUIV. All of them are shown for a pair, the first that fails decides. `why` is a sentence made by the condition, since the
 * observed structure shows it, too.
 */
const CONDITION = {
  kind: "note",
  step: {
    holds: "the condition holds: {why}",
    fails: { kind: "match", say: "'{inst}' stays: {why}" },
  },
  stays: "'{inst}' stays: {why}",
} as const;

export const EQUIV = {
  c1: line("      EQUIV, C1: the candidate is in a different block, or earlier in this one", {
    ...CONDITION,
    step: { ...CONDITION.step, pair: { kind: "span", say: "EQUIV('{existing:inst}', '{inst}')" } },
  }),
  c2: line(
    "      C2: its block dominates this block: (1 << dom) & dom_set[dom >> 5]; or up the immediate dominators // with +1370 bit 6 clear",
    {
      ...CONDITION,
      missed: {
        "candidate-dominates": { code: "C2", say: "{why}", droppable: "on a path that bypasses the candidate its register may differ" },
      },
    },
  ),
  c3: line("      C3: no store, barrier or change of lanes between them that matters to I", {
    ...CONDITION,
    missed: {
      "state-unchanged": { code: "C3", say: "{why}", droppable: "a load gives what memory held before the store in between" },
    },
  }),
  c4: line("      C4: both without a predicate, or with the same one", {
    ...CONDITION,
    missed: {
      "same-guard": { code: "C4", say: "{why}", droppable: "lanes whose guard kept the candidate from running copy an old value" },
    },
  }),
  c5: line("      C5: I has operands", CONDITION),
  c6: line("      C6: definitions and uses are in the same positions", {
    ...CONDITION,
    missed: { "same-places": { code: "C6", say: "{why}", droppable: "a source of one is taken for the result of the other" } },
  }),
  c7: line(
    "      C7: same kinds (a), modifiers (b), register class (c); the candidate's register still contains its value (d) // chain slot +92",
    {
      ...CONDITION,
      missed: {
        "operand-kinds": { code: "C7a", say: "{why}", droppable: "an address counts as the value of its register" },
        modifiers: { code: "C7b", say: "{why}", droppable: "another operation, or the same with another sign, counts as the same" },
        "register-class": { code: "C7c", say: "{why}", droppable: "the copy reads a register of another width or kind" },
        "value-overwritten": { code: "C7d", say: "{why}", droppable: "the MOV copies what was written since" },
      },
    },
  ),
};

/** What the conditions test. */
export interface Surroundings {
  readonly dom: DomSets;
  readonly label: (id: BlockId) => string;
  /** What is printed of an instruction. */
  readonly print: (inst: Inst) => string;
  readonly read: (r: Reg) => number;
  readonly slot: (r: Reg) => number;
}

/** The content of a remark on a condition. */
interface Said extends About {
  readonly inst: Inst;
  readonly condition: string;
  readonly why: string;
}

interface Condition {
  readonly id: string;
  readonly rule: Rule<typeof CONDITION>;
  readonly holds: (a: Candidate, b: Described, at: Surroundings) => boolean;
  /** Tells that it fails; true when it was dropped. */
  readonly refuse: (remark: Remarks, said: () => Said) => boolean;
  /** Why it does or does not hold. */
  readonly say: (a: Candidate, b: Described, at: Surroundings, ok: boolean) => string;
  /** What was compared: the candidate's side and the instruction's. */
  readonly values: (a: Candidate, b: Described, at: Surroundings) => readonly [candidate: string, current: string];
}

const always = (): boolean => true;

/** In the order in which they are tested and shown. C1 and C5 hold by construction of the candidates. */
const CONDITIONS: readonly Condition[] = [
  {
    id: "C1",
    rule: EQUIV.c1,
    holds: always,
    refuse: always,
    say: (a, b, { label }) =>
      a.block === b.block ? `it is ${plural(b.at - a.at, "instruction")} earlier in ${label(b.block)}` : `it is in ${label(a.block)}`,
    values: (a, b, { label }) => [`${label(a.block)}, place ${a.at}`, `${label(b.block)}, place ${b.at}`],
  },
  {
    id: "C2",
    rule: EQUIV.c2,
    holds: (a, b, { dom }) => a.block === b.block || dom.test(a.block, b.block).ok,
    refuse: (remark, said) => remark.holds(EQUIV.c2, "candidate-dominates", false, said),
    say: (a, b, { label, dom }, ok) =>
      a.block === b.block
        ? "one block"
        : `${label(a.block)} ${ok ? "dominates" : "does not dominate"} ${label(b.block)}: ${asked(dom.test(a.block, b.block))}`,
    values: (a, b, at) => domValues(a, b, at),
  },
  {
    id: "C3",
    rule: EQUIV.c3,
    holds: (a, b) => a.state === b.state,
    refuse: (remark, said) => remark.holds(EQUIV.c3, "state-unchanged", false, said),
    say: (_a, _b, _at, ok) => (ok ? "nothing between them matters" : "a store, a barrier or a change of lanes is between them"),
    values: (a, b) => [a.state || "no state", b.state || "no state"],
  },
  {
    id: "C4",
    rule: EQUIV.c4,
    holds: (a, b) => a.guard === b.guard,
    refuse: (remark, said) => remark.holds(EQUIV.c4, "same-guard", false, said),
    say: (a, _b, _at, ok) => (ok ? (a.guard === "" ? "no predicates" : "one predicate") : "their predicates differ"),
    values: (a, b) => [a.guard || "unguarded", b.guard || "unguarded"],
  },
  {
    id: "C5",
    rule: EQUIV.c5,
    holds: always,
    refuse: always,
    say: (_a, b) => plural(b.inst.ops.length, "operand"),
    values: (a, b) => [`${a.inst.ops.length}`, `${b.inst.ops.length}`],
  },
  {
    id: "C6",
    rule: EQUIV.c6,
    holds: samePlaces,
    refuse: (remark, said) => remark.holds(EQUIV.c6, "same-places", false, said),
    say: (_a, _b, _at, ok) => (ok ? "definitions and uses agree" : "definitions and uses are in different positions"),
    values: (a, b) => [placesOf(a.inst), placesOf(b.inst)],
  },
  {
    id: "C7a",
    rule: EQUIV.c7,
    holds: sameKinds,
    refuse: (remark, said) => remark.holds(EQUIV.c7, "operand-kinds", false, said),
    say: (_a, _b, _at, ok) => (ok ? "operand kinds agree" : "operand kinds differ"),
    values: (a, b) => [operandKinds(a.inst), operandKinds(b.inst)],
  },
  {
    id: "C7b",
    rule: EQUIV.c7,
    holds: sameModifiers,
    refuse: (remark, said) => remark.holds(EQUIV.c7, "modifiers", false, said),
    say: (_a, _b, _at, ok) => (ok ? "modifiers agree" : "modifiers or signs differ"),
    values: (a, b) => [signatureOf(a), signatureOf(b)],
  },
  {
    id: "C7c",
    rule: EQUIV.c7,
    holds: (a, b) => regClass(a.dest) === regClass(b.dest),
    refuse: (remark, said) => remark.holds(EQUIV.c7, "register-class", false, said),
    say: (a, b, _at, ok) => (ok ? `both in class ${regClass(a.dest)}` : `classes ${regClass(a.dest)} and ${regClass(b.dest)}`),
    values: (a, b) => [`${regName(a.dest)} (${regClass(a.dest)})`, `${regName(b.dest)} (${regClass(b.dest)})`],
  },
  {
    id: "C7d",
    rule: EQUIV.c7,
    holds: (a, _b, { read }) => read(a.dest) === a.version,
    refuse: (remark, said) => remark.holds(EQUIV.c7, "value-overwritten", false, said),
    say: (a, _b, { label, slot }, ok) =>
      ok
        ? `${regName(a.dest)} has contained its value since ${label(a.block)} (chain slot ${slot(a.dest)})`
        : `${regName(a.dest)} no longer contains its value`,
    values: (a, _b, { read }) => [`${regName(a.dest)} #${a.version}`, `${regName(a.dest)} #${read(a.dest)} now`],
  },
];

/** Whether the candidate's value can be taken. The first condition that fails decides; for a listener all of them are shown. */
export function equivalent(a: Candidate, b: Described, at: Surroundings, remark: Remarks, view: ShownTable<EquivRow>): boolean {
  const said = (condition: Condition, ok: boolean): Said => {
    const why = condition.say(a, b, at, ok);
    const row = { verdict: ok ? "yes" : "no", why, values: condition.values(a, b, at) } as const;
    view.set(condition.id, row);
    const also = { condition: condition.id, verdict: row.verdict, values: row.values };
    return { inst: b.inst, condition: condition.id, why, also, blocks: [b.block, a.block], insts: [a.inst], node: view.node(condition.id) };
  };
  if (!remark.listening) return CONDITIONS.every((c) => c.holds(a, b, at) || c.refuse(remark, () => said(c, false)));
  view.set("pair", { existing: at.print(a.inst), current: at.print(b.inst) });
  remark.open(EQUIV.c1, "pair", { existing: a.inst, inst: b.inst, blocks: [b.block, a.block], insts: [a.inst] });
  let equal = true;
  for (const condition of CONDITIONS) {
    if (condition.holds(a, b, at)) remark.step(condition.rule, "holds", said(condition, true));
    else if (equal) equal = condition.refuse(remark, () => said(condition, false));
    else remark.step(condition.rule, "fails", said(condition, false));
  }
  remark.close();
  return equal;
}

/** The one bit that decides, or the walk. */
function asked({ ok, above, word, steps }: DomTest): string {
  if (word === null) return `${plural(steps, "immediate dominator")} up`;
  return `bit ${above} of its dominators is ${ok ? "set" : "clear"}`;
}

function domValues(a: Candidate, b: Described, { dom, label }: Surroundings): readonly [string, string] {
  const { above, below, word } = dom.test(a.block, b.block);
  const set = word === null ? "" : `, dom_set[${word.index}] ${hex(word.bits)}`;
  return [`${label(a.block)}, number ${above}`, `${label(b.block)}, number ${below}${set}`];
}

/** Definitions and uses in operand order, as in `d s s`. */
function placesOf(inst: Inst): string {
  return inst.ops.map((_, k) => (isDefOperand(inst, k) ? "d" : "s")).join(" ") || "none";
}

/** Opcode and modifiers, and the operands' values with their signs. */
function signatureOf({ inst, sources }: Described): string {
  return `${[inst.op, ...inst.mods].join(".")} ${sources.join(", ")}`.trim();
}

function samePlaces(a: Candidate, b: Described): boolean {
  return a.inst.ops.length === b.inst.ops.length && a.inst.ops.every((_, k) => isDefOperand(a.inst, k) === isDefOperand(b.inst, k));
}

/** In any order: commutative operands may be in either order. */
function sameKinds(a: Candidate, b: Described): boolean {
  const inOrder = a.inst.ops.length === b.inst.ops.length && a.inst.ops.every((operand, k) => operand.kind === b.inst.ops[k]?.kind);
  return inOrder || operandKinds(a.inst) === operandKinds(b.inst);
}

function sameModifiers(a: Candidate, b: Described): boolean {
  return (
    a.inst.op === b.inst.op &&
    a.inst.mods.length === b.inst.mods.length &&
    a.inst.mods.every((mod, k) => mod === b.inst.mods[k]) &&
    a.sources.length === b.sources.length &&
    a.sources.every((source, k) => source === b.sources[k])
  );
}
