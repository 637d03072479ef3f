/** EQUIV (`sub_8F4510`): the seven conditions under which an instruction computes what a candidate computed. */

import { type DomTree, dominates } from "../../analysis/dominators.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { regClass, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { isDefOperand } from "../../ir/visit.ts";
import { plural } from "../../text/plural.ts";
import { type Candidate, type Described, operandKinds } from "./candidates.ts";
import { LINE } from "./pseudocode.ts";

export interface Verdict {
  readonly condition: "C1" | "C2" | "C3" | "C4" | "C5" | "C6" | "C7a" | "C7b" | "C7c" | "C7d";
  readonly line: number;
  readonly ok: boolean;
  readonly why: string;
  /** What was compared: the candidate's side and the instruction's. */
  readonly values: readonly [candidate: string, current: string];
}

export interface EquivContext {
  readonly tree: DomTree;
  readonly label: (id: BlockId) => string;
  readonly read: (r: Reg) => number;
  readonly slot: (r: Reg) => number;
}

/** The first condition that fails; null when all hold. Builds no sentences, so that it costs little. */
export function failedCondition(a: Candidate, b: Described, ctx: EquivContext): Verdict["condition"] | null {
  if (a.block !== b.block && !dominates(ctx.tree, a.block, b.block)) return "C2";
  if (a.state !== b.state) return "C3";
  if (a.guard !== b.guard) return "C4";
  if (b.inst.ops.length === 0) return "C5";
  if (!samePlaces(a, b)) return "C6";
  if (!sameModifiers(a, b)) return operandKinds(a.inst) === operandKinds(b.inst) ? "C7b" : "C7a";
  if (operandKinds(a.inst) !== operandKinds(b.inst)) return "C7a";
  if (regClass(a.dest) !== regClass(b.dest)) return "C7c";
  return ctx.read(a.dest) === a.version ? null : "C7d";
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

/** Opcode, modifiers, and the operands' values with their signs. */
function sameModifiers(a: Candidate, b: Described): boolean {
  return (
    a.inst.op === b.inst.op &&
    a.inst.mods.length === b.inst.mods.length &&
    a.inst.mods.every((mod, k) => mod === b.inst.mods[k]) &&
    a.sources.length === b.sources.length &&
    a.sources.every((source, k) => source === b.sources[k])
  );
}

/** Every condition with its verdict, in order. */
export function verdicts(a: Candidate, b: Described, ctx: EquivContext): readonly Verdict[] {
  const same = a.block === b.block;
  const [there, here] = [ctx.label(a.block), ctx.label(b.block)];
  const above = same || dominates(ctx.tree, a.block, b.block);
  const state = a.state === b.state;
  const guards = a.guard === b.guard;
  const places = samePlaces(a, b);
  const kinds = operandKinds(a.inst) === operandKinds(b.inst);
  const modifiers = sameModifiers(a, b);
  const classes = regClass(a.dest) === regClass(b.dest);
  const holds = ctx.read(a.dest) === a.version;
  const reg = regName(a.dest);
  return [
    {
      condition: "C1",
      line: LINE.c1,
      ok: true,
      why: same ? `it stands ${plural(b.at - a.at, "instruction")} earlier in ${here}` : `it stands in ${there}`,
      values: [`${there}, place ${a.at}`, `${here}, place ${b.at}`],
    },
    {
      condition: "C2",
      line: LINE.c2,
      ok: above,
      why: same ? "one block" : `${there} ${above ? "dominates" : "does not dominate"} ${here}`,
      values: [
        `${there} [${ctx.tree.enter[a.block] ?? "?"}, ${ctx.tree.exit[a.block] ?? "?"}]`,
        `${here} [${ctx.tree.enter[b.block] ?? "?"}, ${ctx.tree.exit[b.block] ?? "?"}]`,
      ],
    },
    {
      condition: "C3",
      line: LINE.c3,
      ok: state,
      why: state ? "nothing between them matters" : "a store, a barrier or a change of lanes stands between them",
      values: [a.state || "no state", b.state || "no state"],
    },
    {
      condition: "C4",
      line: LINE.c4,
      ok: guards,
      why: guards ? (a.guard === "" ? "no predicates" : "one predicate") : "their predicates differ",
      values: [a.guard || "unguarded", b.guard || "unguarded"],
    },
    {
      condition: "C5",
      line: LINE.c5,
      ok: b.inst.ops.length > 0,
      why: plural(b.inst.ops.length, "operand"),
      values: [`${a.inst.ops.length}`, `${b.inst.ops.length}`],
    },
    {
      condition: "C6",
      line: LINE.c6,
      ok: places,
      why: places ? "definitions and uses agree" : "definitions and uses stand in different places",
      values: [placesOf(a.inst), placesOf(b.inst)],
    },
    {
      condition: "C7a",
      line: LINE.c7,
      ok: kinds,
      why: kinds ? "operand kinds agree" : "operand kinds differ",
      values: [operandKinds(a.inst), operandKinds(b.inst)],
    },
    {
      condition: "C7b",
      line: LINE.c7,
      ok: modifiers,
      why: modifiers ? "modifiers agree" : "modifiers or signs differ",
      values: [signatureOf(a), signatureOf(b)],
    },
    {
      condition: "C7c",
      line: LINE.c7,
      ok: classes,
      why: classes ? `both in class ${regClass(a.dest)}` : `classes ${regClass(a.dest)} and ${regClass(b.dest)}`,
      values: [`${reg} (${regClass(a.dest)})`, `${regName(b.dest)} (${regClass(b.dest)})`],
    },
    {
      condition: "C7d",
      line: LINE.c7,
      ok: holds,
      why: holds ? `${reg} holds its value since ${there} (chain slot ${ctx.slot(a.dest)})` : `${reg} does not hold its value any more`,
      values: [`${reg} #${a.version}`, `${reg} #${ctx.read(a.dest)} now`],
    },
  ];
}
