/** Facts about a program's control flow and registers, by label and name; questions about a program are built on them. */

import { availableExpressions } from "../../analysis/available.ts";
import { dominanceFrontiers, iteratedFrontier } from "../../analysis/dominance-frontier.ts";
import { dominators } from "../../analysis/dominators.ts";
import { liveness } from "../../analysis/liveness.ts";
import { invariantSites } from "../../analysis/loop-invariant.ts";
import { loopInfo } from "../../analysis/loops.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { reachingDefs } from "../../analysis/reaching-defs.ts";
import { intervalTest } from "../../analysis/reducible.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { defsOf, isRemovableWhenDead, isTerminator, sureDefsOf, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { readText } from "../read/read.ts";
import { hasError } from "../read/read-with.ts";
import type { Diagnostic } from "../types.ts";
import { succKinds } from "../view/func-view.ts";

export interface FlowInst {
  readonly text: string;
  /** Names; constant registers are left out. */
  readonly defs: readonly string[];
  readonly uses: readonly string[];
  /** It has no effect but its result, so it may be deleted when the result is not read. */
  readonly removable: boolean;
  readonly branch: boolean;
  /** 1-based line in the text that was read; 0: the importer made it. */
  readonly line: number;
}

export interface FlowBlock {
  readonly label: string;
  /** 1-based line in the text that was read. */
  readonly line: number;
  /** Reverse post-order number from 1; 0: unreachable. */
  readonly rpo: number;
  readonly idom: string | null;
  readonly preds: readonly string[];
  readonly succs: readonly string[];
  readonly succKinds: readonly string[];
  readonly frontier: readonly string[];
  readonly liveIn: readonly string[];
  readonly liveOut: readonly string[];
  /** Read before anything in the block writes it, and written by the block. */
  readonly use: readonly string[];
  readonly def: readonly string[];
  readonly divergent: boolean;
  readonly insts: readonly FlowInst[];
}

export interface FlowFacts {
  readonly name: string;
  readonly entry: string;
  /** In layout order. */
  readonly blocks: readonly FlowBlock[];
  /** Natural loops, one a header. */
  readonly loops: readonly { readonly header: string; readonly latches: readonly string[]; readonly blocks: readonly string[] }[];
  /** Retreating edges of our walk, and which of them are back edges: the target dominates the source. */
  readonly retreating: readonly (readonly [from: string, to: string])[];
  readonly backEdges: readonly (readonly [from: string, to: string])[];
  /** Regions that are entered at more than one block. */
  readonly irreducible: number;
  readonly reducible: boolean;
  /** What the caller sees at the end. */
  readonly returns: readonly string[];
  /** Where values of a register merge: blocks that would need a PHI. */
  phisFor(register: string): readonly string[];
  /** Lines of the definitions that reach the start of a block: of one register, or of all. Values at the entry have no line. */
  reaching(block: string, register: string | null): readonly number[];
  /** Expressions that are available at the start of a block, each by the lines that compute it. */
  available(block: string): readonly (readonly number[])[];
  /** Lines of a natural loop's invariant instructions; null: no natural loop has this header. */
  invariant(header: string): readonly number[] | null;
}

export type ReadFlow =
  | { readonly ok: true; readonly facts: FlowFacts }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Facts about a kernel of a text in any format; default: the first. Never throws because of the text. */
export function flowFacts(text: string, kernel: string | null = null): ReadFlow {
  const { module, ok, diagnostics } = readText(text, null);
  const fn = kernel === null ? module.funcs[0] : module.funcs.find((f) => f.name === kernel);
  if (!ok || hasError(diagnostics)) return { ok: false, diagnostics };
  if (fn === undefined) {
    const message = kernel === null ? "The text contains no kernel." : `There is no kernel '${kernel}'.`;
    return { ok: false, diagnostics: [{ line: 1, column: 1, length: 0, severity: "error", code: "API004", message, suggestion: null }] };
  }
  return { ok: true, facts: factsOf(fn) };
}

function factsOf(fn: Func): FlowFacts {
  const label = (id: number): string => fn.blocks[id]?.label ?? `#${id}`;
  const { number } = reversePostOrder(fn);
  const dom = dominators(fn);
  const frontiers = dominanceFrontiers(fn) ?? [];
  const { loops, retreating, irreducible } = loopInfo(fn);
  const live = liveness(fn);
  const uniform = uniformity(fn);
  const dominates = (a: number, b: number): boolean => {
    for (let at: number = b; at >= 0; at = dom.idom[at] ?? -1) if (at === a) return true;
    return false;
  };
  const edges = retreating.map(([from, to]) => [from, to] as const);
  const blocks = fn.layout.flatMap((id): FlowBlock[] => {
    const block = fn.blocks[id];
    if (block === undefined) return [];
    const idom = dom.idom[id] ?? -1;
    const reachable = (number[id] ?? 0) > 0;
    const insts = block.insts.map(
      (inst): FlowInst => ({
        text: printInst(fn, inst),
        defs: names(defsOf(inst)),
        uses: names(usesOf(inst)),
        removable: isRemovableWhenDead(inst),
        branch: isTerminator(inst),
        line: inst.line,
      }),
    );
    return [
      {
        label: block.label,
        line: block.line,
        rpo: number[id] ?? 0,
        idom: idom < 0 ? null : label(idom),
        preds: block.preds.map(label),
        succs: block.succs.map(label),
        succKinds: succKinds(fn, block),
        frontier: [...(frontiers[id] ?? [])].map(label),
        liveIn: reachable ? live.liveIn(id).map(regName) : [],
        liveOut: reachable ? live.liveOut(id).map(regName) : [],
        ...readAndWritten(block.insts),
        divergent: reachable && uniform.isDivergent(id),
        insts,
      },
    ];
  });
  return {
    name: fn.name,
    entry: label(fn.layout[0] ?? 0),
    blocks,
    loops: loops
      .filter((l) => l.natural)
      .map(({ header, latches, blocks: inside }) => ({
        header: label(header),
        latches: [...latches].map(label),
        blocks: [...inside].map(label),
      })),
    retreating: edges.map(([from, to]) => [label(from), label(to)] as const),
    backEdges: edges.filter(([from, to]) => dominates(to, from)).map(([from, to]) => [label(from), label(to)] as const),
    irreducible: irreducible.length,
    reducible: intervalTest(fn).reducible,
    returns: fn.returns.map(regName),
    phisFor(register) {
      const defs = fn.layout.filter((id) => (fn.blocks[id]?.insts ?? []).some((inst) => names(defsOf(inst)).includes(register)));
      // A parameter, or a value from nowhere, counts as written at the entry.
      const entry = fn.layout[0];
      const starts: BlockId[] = entry === undefined || defs.includes(entry) ? defs : [entry, ...defs];
      return iteratedFrontier(frontiers, starts, new Int32Array(fn.blocks.length), 1).map(label).sort();
    },
    ...linesOf(fn),
  };
}

/** Answers of analyses that name instructions, by their lines. */
function linesOf(fn: Func): Pick<FlowFacts, "reaching" | "available" | "invariant"> {
  const idOf = (label: string): BlockId | undefined => fn.layout.find((id) => fn.blocks[id]?.label === label);
  const lineAt = (block: BlockId, at: number): number => fn.blocks[block]?.insts[at]?.line ?? 0;
  const sorted = (lines: readonly number[]): number[] => [...new Set(lines)].filter((line) => line > 0).sort((a, b) => a - b);
  return {
    reaching(label, register) {
      const block = idOf(label);
      if (block === undefined) return [];
      const regs = fn.layout.flatMap((id) => (fn.blocks[id]?.insts ?? []).flatMap(defsOf));
      const wanted = [...new Set(regs)].filter((r) => register === null || regName(r) === register);
      return sorted(
        wanted.flatMap((r) =>
          reachingDefs(fn)
            .reachingAt(block, 0, r)
            .map((site) => site.inst?.line ?? 0),
        ),
      );
    },
    available(label) {
      const block = idOf(label);
      if (block === undefined) return [];
      const { expressions, availableAt } = availableExpressions(fn);
      return availableAt(block).map((i) => sorted((expressions[i]?.sites ?? []).map((site) => lineAt(site.block, site.at))));
    },
    invariant(header) {
      const loop = loopInfo(fn).loops.find((l) => l.natural && fn.blocks[l.header]?.label === header);
      return loop === undefined ? null : sorted(invariantSites(fn, loop).map((site) => lineAt(site.block, site.at)));
    },
  };
}

const names = (regs: readonly Reg[]): string[] => [...new Set(regs.map(regName))];

/** The sets of one block as every course defines them. A guarded write may leave the old value: it is not a full definition. */
function readAndWritten(insts: readonly Inst[]): { readonly use: readonly string[]; readonly def: readonly string[] } {
  const use = new Set<string>();
  const def = new Set<string>();
  for (const inst of insts) {
    for (const name of names(usesOf(inst))) if (!def.has(name)) use.add(name);
    for (const name of names(sureDefsOf(inst))) def.add(name);
  }
  return { use: [...use], def: [...def] };
}
