/** Candidates of common computations, chained by hash: `sub_7E6090` and the table that `sub_901A90` looks into. */

import { readsClock } from "../../analysis/commoning.ts";
import { expressionText, type ReadNumber, sourceTexts } from "../../analysis/expression-text.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { hex as hexOf } from "../../structures/fnv.ts";
import { hashOf } from "./hash.ts";
import type { ChainRow } from "./rows.ts";

export const STAYS = "'{inst}' in {block} stays: {why}";

/** The hash, and which instructions have one. */
export const hash = line(
  "    else: hash(I) = opcode, values of the operands, address space; candidates = those with the same hash, the latest first",
  {
    kind: "value-number",
    step: {
      mixed: "the hash of '{inst}' is mixed from {parts} {parts:part|parts}",
      found: "{count} {count:candidate has|candidates have} the hash of '{inst}'",
    },
    stays: STAYS,
    missed: {
      results: { code: "eligible", counts: false, say: "it does not define exactly one register" },
      effect: { code: "eligible", counts: false, say: "it has an effect besides its result" },
      "reads-clock": {
        code: "eligible",
        counts: false,
        say: "it reads a clock",
        droppable: "two readings of a clock at different times count as one",
      },
      "volatile-access": {
        code: "eligible",
        counts: false,
        say: "it is a volatile access",
        droppable: "what another thread writes between the two accesses is never seen",
      },
      "active-lanes": {
        code: "eligible",
        counts: false,
        say: "it reads the active lanes",
        droppable: "lanes that left in between are counted as active",
      },
      "first-of-its-hash": { code: "candidate", counts: false, say: "nothing before it has its hash" },
    },
  },
);

export function eligible(remark: Remarks, block: BlockId, inst: Inst): boolean {
  const about = { inst, block };
  if (defsOf(inst).length !== 1 || inst.ops[0]?.kind !== "reg") return remark.fails(hash, "results", about);
  if (!remark.holds(hash, "reads-clock", !readsClock(inst), about)) return false;
  switch (effectOf(inst)) {
    case "pure":
      return true;
    case "load":
      return remark.holds(hash, "volatile-access", !isVolatileAccess(inst), about);
    case "warp":
      return remark.holds(hash, "active-lanes", inst.op !== "ACTIVEMASK", about);
    default:
      return remark.fails(hash, "effect", about);
  }
}

/** What EQUIV compares, recorded at the instruction. */
export interface Described {
  readonly inst: Inst;
  readonly block: BlockId;
  /** Place in its block. */
  readonly at: number;
  readonly dest: Reg;
  readonly hash: number;
  /** Source operands as values, with their signs; sorted where they commute. */
  readonly sources: readonly string[];
  /** The guard as a value; empty without one. */
  readonly guard: string;
  /** State of the memory that a load reads, and of the active lanes for an instruction that depends on them. */
  readonly state: string;
  /** The whole expression, guard and state included. */
  readonly text: string;
}

export interface Candidate extends Described {
  /** Dominator-order number of its block. */
  readonly order: number;
  /** The number that its register has while the value is there. */
  readonly version: number;
}

/** `state`: see `Described`. `exchanged`: whether sources that commute are sorted. */
export function describe(
  inst: Inst,
  block: BlockId,
  at: number,
  dest: Reg,
  read: ReadNumber,
  state: string,
  exchanged: (inst: Inst) => boolean,
): Described {
  const { guard } = inst;
  const sources = sourceTexts(inst, read, exchanged);
  return {
    inst,
    block,
    at,
    dest,
    hash: hashOf(inst, read),
    sources,
    guard: guard === null || isConstantReg(guard.reg) ? (guard?.neg === true ? "@!PT" : "") : `@${guard.neg ? "!" : ""}#${read(guard.reg)}`,
    state,
    text: expressionText(inst, read, state, sources),
  };
}

/** Written out, so that all have one hidden class. */
export const candidateOf = (d: Described, order: number, version: number): Candidate => ({
  inst: d.inst,
  block: d.block,
  at: d.at,
  dest: d.dest,
  hash: d.hash,
  sources: d.sources,
  guard: d.guard,
  state: d.state,
  text: d.text,
  order,
  version,
});

/** The kinds of an instruction's operands, in canonical order. */
export function operandKinds(inst: Inst): string {
  return inst.ops
    .map((o) => o.kind)
    .sort()
    .join(" ");
}

/** Candidates of one hash that are kept: the latest ones. Older ones are forgotten, so that a look-up costs no more than this many comparisons. */
export const CHAIN_LIMIT = 8;

export const hex = (n: number): string => hexOf(n, 8);

/** The equivalence table: by hash, the candidates that may be found. */
export class Chains {
  forgotten = 0;
  private readonly chains = new Map<number, Candidate[]>();
  private readonly view: ShownTable<ChainRow>;
  private readonly print: (inst: Inst) => string;
  private readonly listening: boolean;

  constructor(remark: Remarks, print: (inst: Inst) => string) {
    this.view = remark.shown.table<ChainRow>("equivalence-table", "Equivalence table: candidates by hash, the latest first");
    this.print = print;
    this.listening = remark.listening;
  }

  /** The latest first. */
  find(hash: number): readonly Candidate[] {
    return this.chains.get(hash) ?? [];
  }

  node(hash: number): string {
    return this.view.node(hex(hash));
  }

  add(candidate: Candidate): void {
    const { hash } = candidate;
    const chain = this.chains.get(hash) ?? [];
    if (chain.length === 0) this.chains.set(hash, chain);
    chain.unshift(candidate);
    if (chain.length > CHAIN_LIMIT) {
      chain.pop();
      this.forgotten++;
    }
    if (!this.listening) return;
    this.view.set(
      hex(hash),
      chain.map(({ inst, dest, order, version }) => this.entry(inst, dest, order, version)),
    );
  }

  private entry(inst: Inst, dest: Reg, order: number, number: number): ChainRow[number] {
    return { inst: this.print(inst), id: inst.id, reg: regName(dest), slot: order, number };
  }
}
