/** Where the blocks of a function begin, and what its indirect branches may lead to. */

import type { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import type { PlannedBlock } from "../../../engine/import/func-builder.ts";
import { NamePool } from "../../../engine/import/names.ts";
import type { SassFunction, SassInst } from "./ast.ts";
import type { SassCode } from "./codes.ts";
import { hasCondition, isControl, Places, targetOperand } from "./functions.ts";

export interface BlockPlan {
  readonly blocks: readonly PlannedBlock[];
  /** By instruction: the block it is in. */
  readonly blockOf: Int32Array;
  /** By instruction: true where a block begins. */
  readonly starts: Uint8Array;
  /** Block a BRA or JMP leads to; null when it is not in the function. */
  branch(inst: SassInst): number | null;
  /** Blocks of a BRX in the order of its list, repeats and all; without a list, every block that nothing else leads to. */
  table(inst: SassInst): readonly number[];
  /** Block that contains a label or address. */
  holding(inst: SassInst): number | null;
}

const INDIRECT = new Set(["BRX", "BRXU", "JMX", "JMXU"]);

export function isIndirect(inst: SassInst): boolean {
  return INDIRECT.has(inst.root);
}

/** Edges that branches without known targets may add to one function. */
const MOST_GUESSED_EDGES = 200_000;

/**
 * Leaders are the entry, what a branch leads to and what follows a branch or an exit. The end of a convergence region (the label of a BSSY) is none: no edge leads
 * there. Linear.
 */
export function planBlocks(fn: SassFunction, sink: DiagnosticSink<SassCode>): BlockPlan {
  const { insts } = fn;
  const places = new Places(insts, fn.labels);
  const starts = new Uint8Array(insts.length + 1);
  starts[0] = 1;
  const targeted = new Uint8Array(insts.length + 1);
  let atEnd = false;
  const find = (inst: SassInst): number | null => places.find(targetOperand(inst));
  const lead = (at: number | null): void => {
    if (at === null) return;
    starts[at] = 1;
    targeted[at] = 1;
    if (at === insts.length) atEnd = true;
  };
  for (const [i, inst] of insts.entries()) {
    if (!isControl(inst)) continue;
    starts[i + 1] = 1;
    if (isIndirect(inst)) for (const name of inst.targets ?? []) lead(places.find({ name }));
    else if (inst.root === "BRA" || inst.root === "JMP") {
      const to = find(inst);
      lead(to);
      if (to === null) {
        sink.report(
          "SASS006",
          { line: inst.line, column: inst.column, length: inst.text.length },
          `'${inst.text}' leads out of '${fn.name}'; the thread ends here instead`,
        );
      }
    }
    if (i + 1 === insts.length && continues(inst)) atEnd = true;
  }
  const blockOf = new Int32Array(insts.length + 1);
  const leaders: number[] = [];
  for (let i = 0; i < insts.length + (atEnd ? 1 : 0); i++) {
    if (starts[i] === 1) leaders.push(i);
    blockOf[i] = leaders.length - 1;
  }
  if (!atEnd) blockOf[insts.length] = -1;
  const orphans = (): number[] =>
    leaders.flatMap((at, block) => (at > 0 && at < insts.length && targeted[at] === 0 && !continues(insts[at - 1]) ? [block] : []));
  const block = (at: number | null): number | null => (at === null || (blockOf[at] ?? -1) < 0 ? null : (blockOf[at] ?? null));
  let unknown: readonly number[] | null = null;
  return {
    blocks: nameBlocks(fn, leaders),
    blockOf,
    starts,
    branch: (inst) => block(find(inst)),
    holding: (inst) => block(find(inst)),
    table(inst) {
      if (inst.targets !== null) return inst.targets.flatMap((name) => block(places.find({ name })) ?? []);
      // Every one of them may lead to all: a cap keeps the graph in proportion to the text.
      unknown ??= orphans().slice(0, Math.ceil(MOST_GUESSED_EDGES / insts.filter((i) => isIndirect(i) && i.targets === null).length));
      return unknown;
    },
  };
}

/** True when control may continue after the instruction. */
export function continues(inst: SassInst | undefined): boolean {
  if (inst === undefined || !isControl(inst) || inst.guard !== null) return true;
  return hasCondition(inst);
}

function nameBlocks(fn: SassFunction, leaders: readonly number[]): PlannedBlock[] {
  const labels = new Map<number, string>();
  for (const [name, at] of fn.labels) if (!labels.has(at) || !labels.get(at)?.startsWith(".")) labels.set(at, name);
  const pool = new NamePool();
  const written = leaders.map((at) => (at > 0 && labels.has(at) ? pool.claim(labels.get(at) ?? "") : null));
  return leaders.map((at, i): PlannedBlock => {
    const inst = fn.insts[at];
    const address = inst === undefined ? "end" : inst.address.toString(16).padStart(4, "0");
    return { label: written[i] ?? pool.claim(`L_${address}`), line: inst?.line ?? fn.line };
  });
}
