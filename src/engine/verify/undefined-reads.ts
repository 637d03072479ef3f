/** Reads of registers that no definition reaches: bit sets that blocks share, forwards over the reachable blocks. */

import { SharedSet, WorkingSet } from "../analysis/shared-sets.ts";
import { solve, union } from "../analysis/solve.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, usesOf } from "../ir/visit.ts";

export interface UndefinedRead {
  readonly reg: Reg;
  readonly block: Block;
  readonly inst: Inst;
}

/** What a block does to one register. */
interface Read {
  readonly reg: Reg;
  readonly inst: Inst;
}

/** What follows from its instructions alone. */
export interface OwnFacts {
  /** Registers that the block may define; a guarded definition counts. */
  readonly defs: readonly Reg[];
  /** Reads that nothing in the block defines first. */
  readonly reads: readonly Read[];
}

interface BlockFacts extends OwnFacts {
  readonly block: Block;
  readonly succs: readonly number[];
  /** Reads at the end of the block, by PHIs of its successors. */
  readonly readsAtEnd: readonly Read[];
}

/**
 * The first such read (in layout order) of each register. Parameters are defined at entry; a RET reads the function's results. The graph must be sound:
 * edges mirror each other and name existing blocks. `known`: facts of blocks that versions of the program share, which must be finished.
 */
export function undefinedReads(fn: Func, known: WeakMap<Block, OwnFacts> | null = null): UndefinedRead[] {
  const facts = collectFacts(fn, known);
  const params = new Set(fn.params.map((p) => p.reg));
  // Only registers that some block reads before it defines them can be read undefined.
  const candidates = new Set<Reg>();
  for (const { reads, readsAtEnd } of facts)
    for (const list of [reads, readsAtEnd]) for (const { reg } of list) if (!params.has(reg)) candidates.add(reg);
  const found = solveDefined(facts, [...candidates]);
  const position = new Map(fn.layout.map((id, i) => [id, i]));
  return found.sort((a, b) => (position.get(a.block.id) ?? 0) - (position.get(b.block.id) ?? 0));
}

/** Reachable blocks in reverse post-order, and what each one does. */
function collectFacts(fn: Func, known: WeakMap<Block, OwnFacts> | null): BlockFacts[] {
  const order = reachable(fn);
  const index = new Map(order.map((block, i) => [block.id, i]));
  const atEnd = phiReads(order);
  return order.map((block) => {
    let own = known?.get(block);
    if (own === undefined) {
      own = ownFacts(fn, block);
      known?.set(block, own);
    }
    const { defs, reads } = own;
    const succs = block.succs.flatMap((succ) => index.get(succ) ?? []);
    return { block, succs, defs, reads, readsAtEnd: (atEnd.get(block.id) ?? []).filter(({ reg }) => !defs.includes(reg)) };
  });
}

function ownFacts(fn: Func, block: Block): OwnFacts {
  const defined = new Set<Reg>();
  const reads: Read[] = [];
  for (const inst of block.insts) {
    if (inst.op !== "PHI") {
      for (const reg of usesOf(inst)) if (!defined.has(reg)) reads.push({ reg, inst });
      if (inst.op === "RET") for (const reg of fn.returns) if (!defined.has(reg)) reads.push({ reg, inst });
    }
    for (const reg of defsOf(inst)) defined.add(reg);
  }
  return { defs: [...defined], reads };
}

/** What PHIs read at the end of each predecessor. */
function phiReads(blocks: readonly Block[]): Map<BlockId, Read[]> {
  const reads = new Map<BlockId, Read[]>();
  for (const block of blocks) {
    for (const inst of block.insts) {
      if (inst.op !== "PHI") break;
      for (const operand of inst.ops) {
        if (operand.kind !== "phi" || operand.value.kind !== "reg" || isConstantReg(operand.value.reg)) continue;
        const list = reads.get(operand.pred) ?? [];
        list.push({ reg: operand.value.reg, inst });
        reads.set(operand.pred, list);
      }
    }
  }
  return reads;
}

/** Which candidates some path to each block's head may have defined. */
function solveDefined(facts: readonly BlockFacts[], regs: readonly Reg[]): UndefinedRead[] {
  const bit = new Map(regs.map((reg, i) => [reg, i]));
  const preds: number[][] = facts.map(() => []);
  for (const [b, { succs }] of facts.entries()) for (const succ of succs) preds[succ]?.push(b);
  const own = facts.map(({ defs }) => defs.flatMap((reg) => bit.get(reg) ?? []));
  const defined = new WorkingSet(regs.length);
  const solution = solve<number, WorkingSet, SharedSet>(
    { order: [...facts.keys()], preds, succs: facts.map(({ succs }) => succs) },
    {
      direction: "forward",
      top: () => new SharedSet(regs.length),
      start() {
        defined.clear();
        return defined;
      },
      meet: union,
      transfer(b) {
        for (const i of own[b] ?? []) defined.add(i);
      },
    },
  );
  const found: UndefinedRead[] = [];
  const reported = new Set<Reg>();
  for (const [b, { block, reads, readsAtEnd }] of facts.entries()) {
    solution.before(b);
    for (const list of [reads, readsAtEnd]) {
      for (const { reg, inst } of list) {
        const i = bit.get(reg);
        if (i === undefined || reported.has(reg) || defined.has(i)) continue;
        reported.add(reg);
        found.push({ reg, block, inst });
      }
    }
  }
  return found;
}

/** Blocks that can be reached from the entry, in reverse post-order. */
function reachable(fn: Func): Block[] {
  const [entry] = fn.layout;
  const first = entry === undefined ? undefined : fn.blocks[entry];
  if (first === undefined) return [];
  const seen = new Set([first.id]);
  const stack: { readonly block: Block; next: number }[] = [{ block: first, next: 0 }];
  const post: Block[] = [];
  for (let top = stack[0]; top !== undefined; top = stack[stack.length - 1]) {
    const succ = top.block.succs[top.next++];
    if (succ === undefined) {
      post.push(top.block);
      stack.pop();
      continue;
    }
    const block = fn.blocks[succ];
    if (block === undefined || seen.has(succ)) continue;
    seen.add(succ);
    stack.push({ block, next: 0 });
  }
  return post.reverse();
}
