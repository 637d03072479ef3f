/** Finds the steps of a trace at which a condition on the state becomes true. What a step does not touch is not examined again. */

import { computeLiveness } from "../analysis/liveness.ts";
import type { EditOp } from "../ir/edit-op.ts";
import type { BlockId } from "../ir/ids.ts";
import { parseReg } from "../ir/reg.ts";
import type { Func, Inst } from "../ir/types.ts";
import { visitRegs } from "../ir/visit.ts";
import { printInst } from "../text/printer.ts";
import type { CellValue } from "../trace/recorder.ts";
import type { Trace } from "../trace/trace.ts";
import type { WatchExpr, Watched } from "./parse.ts";

/** A condition's state at the end of a run, where the next run continues. */
export interface WatchState {
  /** null: nothing was watched yet. */
  readonly truth: boolean | null;
}

export interface WatchHits {
  /** Steps at which it becomes true; -1: it is true at the start and was not before. */
  readonly steps: readonly number[];
  readonly end: WatchState;
  /** The step after which some of it was no longer examined, because it took too long; null: everything was examined. */
  readonly cut: number | null;
}

/** Limit on the blocks, instructions and cells examined over a whole trace: some seconds. */
const MOST_WORK = 60_000_000;
/** The cost of a block when liveness is solved again. */
const SOLVING = 100;

/** What a change touches, and what a question depends on. */
const BLOCKS = 1;
const INSTS = 2;
const EDGES = 4;
const FIELDS = 8;
const CELLS = 16;

type Value = number | boolean | string;

/** `settle`: makes edges agree with branches in the middle of a rewrite. */
export function watchTrace(trace: Trace, expr: WatchExpr, before: WatchState, settle: (fn: Func) => Func): WatchHits {
  const state = new State(trace, settle);
  const root = compile(expr, state);
  const steps: number[] = [];
  let cut: number | null = null;
  state.moveTo(-1);
  root.renew(BLOCKS | INSTS | EDGES | FIELDS | CELLS, true);
  let truth = root.value === true;
  if (truth && before.truth !== true) steps.push(-1);
  let position = trace.position(-1);
  for (let step = 0; step < trace.steps; step++) {
    const next = trace.position(step);
    if (next === position) {
      // Nothing changed: what is only true at a change is over.
      if (root.momentary) truth = false;
      continue;
    }
    const dirty = touchedBy(trace, position, next);
    position = next;
    state.moveTo(step);
    root.renew(dirty, false);
    const now = root.value === true;
    if (now && (!truth || root.momentary)) steps.push(step);
    truth = now;
    if (state.work > MOST_WORK) {
      cut = step;
      break;
    }
  }
  return { steps, end: { truth: root.momentary ? false : truth }, cut };
}

function touchedBy(trace: Trace, from: number, to: number): number {
  let dirty = 0;
  for (let entry = from; entry < to; entry++) {
    const op = trace.journal.editAt(entry);
    dirty |= op === null ? CELLS : TOUCHES[op.op];
  }
  return dirty;
}

const TOUCHES: Readonly<Record<EditOp["op"], number>> = {
  insts: INSTS,
  move: INSTS,
  succs: EDGES,
  preds: EDGES,
  "block-add": BLOCKS | INSTS | EDGES | FIELDS,
  "block-remove": BLOCKS | INSTS | EDGES | FIELDS,
  layout: BLOCKS | EDGES,
  field: FIELDS,
  weight: FIELDS,
  "func-flags": 0,
  table: EDGES,
};

/** A part of the condition with its value at the step. */
interface Part {
  value: Value;
  /** True only at the step of a change. */
  readonly momentary: boolean;
  renew(dirty: number, first: boolean): void;
}

function compile(expr: WatchExpr, state: State): Part {
  switch (expr.kind) {
    case "number":
      return { value: expr.value, momentary: false, renew: () => undefined };
    case "ask":
      return ask(expr.what, expr.given, state);
    case "not": {
      const of = compile(expr.of, state);
      return combined([of], () => of.value !== true);
    }
    case "and":
    case "or": {
      const [left, right] = [compile(expr.left, state), compile(expr.right, state)];
      const both = expr.kind === "and";
      return combined([left, right], () =>
        both ? left.value === true && right.value === true : left.value === true || right.value === true,
      );
    }
    case "compare": {
      const [left, right] = [compile(expr.left, state), compile(expr.right, state)];
      const holds = COMPARE[expr.op];
      return combined([left, right], () => holds(Number(left.value), Number(right.value)));
    }
    case "changes":
    case "becomes": {
      const of = compile(expr.of, state);
      const becomes = expr.kind === "becomes";
      let last: Value = of.value;
      const part: Part = {
        value: false,
        momentary: true,
        renew(dirty, first) {
          of.renew(dirty, first);
          part.value = !first && of.value !== last && (!becomes || of.value === true);
          last = of.value;
        },
      };
      return part;
    }
  }
}

const COMPARE: Readonly<Record<"=" | "!=" | "<" | "<=" | ">" | ">=", (a: number, b: number) => boolean>> = {
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

function combined(parts: readonly Part[], value: () => boolean): Part {
  const part: Part = {
    value: false,
    momentary: parts.some((p) => p.momentary),
    renew(dirty, first) {
      for (const p of parts) p.renew(dirty, first);
      part.value = value();
    },
  };
  return part;
}

const DEPENDS: Readonly<Record<Watched, number>> = {
  blocks: BLOCKS,
  instructions: INSTS | BLOCKS,
  edges: EDGES | BLOCKS,
  block: BLOCKS,
  edge: EDGES | BLOCKS,
  preds: EDGES | BLOCKS,
  succs: EDGES | BLOCKS,
  size: INSTS | BLOCKS,
  flags: FIELDS | BLOCKS,
  live: INSTS | EDGES | BLOCKS,
  defs: INSTS | BLOCKS,
  uses: INSTS | BLOCKS,
  inst: INSTS | BLOCKS,
  text: INSTS | BLOCKS | EDGES,
  entries: CELLS,
  height: CELLS,
  chain: CELLS,
};

function ask(what: Watched, given: readonly string[], state: State): Part {
  const compute = state.question(what, given);
  const depends = DEPENDS[what];
  const part: Part = {
    value: false,
    momentary: false,
    renew(dirty) {
      if ((dirty & depends) !== 0) part.value = compute();
    },
  };
  return part;
}

/** The program and the structures at a step. */
class State {
  /** Looked at so far. */
  work = 0;
  private readonly trace: Trace;
  private readonly settle: (fn: Func) => Func;
  private fn: Func;
  private readonly ids = new Map<string, BlockId>();

  constructor(trace: Trace, settle: (fn: Func) => Func) {
    this.trace = trace;
    this.settle = settle;
    this.fn = trace.input;
    for (const block of trace.naming.blocks) if (block !== undefined) this.ids.set(block.label, block.id);
  }

  moveTo(step: number): void {
    this.fn = this.trace.funcAt(step);
  }

  question(what: Watched, [a = "", b = ""]: readonly string[]): () => Value {
    const block = (label: string) => this.fn.blocks[this.ids.get(label) ?? -1];
    switch (what) {
      case "blocks":
        return () => this.fn.layout.length;
      case "instructions":
        return () => this.sum((id) => this.fn.blocks[id]?.insts.length ?? 0);
      case "edges":
        return () => this.sum((id) => this.fn.blocks[id]?.succs.length ?? 0);
      case "block":
        return () => this.exists(a);
      case "edge":
        return () => this.exists(a) && block(a)?.succs.includes(this.ids.get(b) ?? (-1 as BlockId)) === true;
      case "preds":
        return () => block(a)?.preds.length ?? 0;
      case "succs":
        return () => block(a)?.succs.length ?? 0;
      case "size":
        return () => block(a)?.insts.length ?? 0;
      case "flags":
        return () => block(a)?.flags ?? 0;
      case "live":
        return () => this.isLive(a, b);
      case "defs":
        return () => this.countReg(a, true);
      case "uses":
        return () => this.countReg(a, false);
      case "inst":
        return () => this.inst(a) !== null;
      case "text":
        return () => this.textOf(a);
      case "entries":
        return () => this.cells(a).size;
      case "height":
        return () => this.height(this.cells(a));
      case "chain":
        return () => this.longestChain(this.cells(a));
    }
  }

  private sum(of: (id: BlockId) => number): number {
    let total = 0;
    this.work += this.fn.layout.length;
    for (const id of this.fn.layout) total += of(id);
    return total;
  }

  private exists(label: string): boolean {
    const id = this.ids.get(label);
    return id !== undefined && this.fn.blocks[id] !== undefined;
  }

  private isLive(name: string, label: string): boolean {
    const r = parseReg(name);
    const id = this.ids.get(label);
    if (r === null || id === undefined || !this.exists(label)) return false;
    this.work += SOLVING * this.fn.layout.length;
    return computeLiveness(this.settle(this.fn)).isLiveIn(id, r);
  }

  private countReg(name: string, defs: boolean): number {
    const wanted = parseReg(name);
    let count = 0;
    for (const id of this.fn.layout) {
      const insts = this.fn.blocks[id]?.insts ?? [];
      this.work += 4 * insts.length;
      for (const inst of insts)
        visitRegs(inst, (r, isDef) => {
          if (r === wanted && isDef === defs) count++;
        });
    }
    return count;
  }

  private inst(number: string): Inst | null {
    const id = Number(number);
    for (const block of this.fn.layout) {
      const insts = this.fn.blocks[block]?.insts ?? [];
      this.work += insts.length;
      const found = insts.find((inst) => inst.id === id);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** Empty when it does not exist. */
  private textOf(number: string): string {
    const inst = this.inst(number);
    return inst === null ? "" : printInst(this.fn, inst);
  }

  /** The cells of the structure that has this name, or begins with it. */
  private cells(name: string): ReadonlyMap<string, CellValue> {
    const { journal } = this.trace;
    const named = journal.structures.findIndex((s) => s.name === name);
    const index = named >= 0 ? named : journal.structures.findIndex((s) => s.name.startsWith(name));
    const cells = new Map<string, CellValue>();
    if (index < 0) return cells;
    for (const [key, cell] of journal.cellsOf(index)) {
      const value = this.trace.cell(cell);
      if (value !== undefined) cells.set(key, value);
    }
    this.work += 4 * cells.size;
    return cells;
  }

  /** Of a tree whose nodes `n0`, `n1`, … name their children. */
  private height(cells: ReadonlyMap<string, CellValue>): number {
    const seen = new Set<number>();
    let deepest = 0;
    const stack: (readonly [node: number, depth: number])[] = [[fieldOf(cells, "meta", "root"), 1]];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      const [node, depth] = top;
      if (node < 0 || seen.has(node) || !cells.has(`n${node}`)) continue;
      seen.add(node);
      deepest = Math.max(deepest, depth);
      stack.push([fieldOf(cells, `n${node}`, "left"), depth + 1], [fieldOf(cells, `n${node}`, "right"), depth + 1]);
    }
    return deepest;
  }

  /** Of a hash map whose buckets `b0`, `b1`, … count their entries. */
  private longestChain(cells: ReadonlyMap<string, CellValue>): number {
    let longest = 0;
    for (const key of cells.keys()) if (/^b\d+$/.test(key)) longest = Math.max(longest, fieldOf(cells, key, "count"));
    return longest;
  }
}

function fieldOf(cells: ReadonlyMap<string, CellValue>, key: string, field: string): number {
  const cell = cells.get(key);
  const value =
    typeof cell === "object" && cell !== null && !Array.isArray(cell) ? (cell as Readonly<Record<string, CellValue>>)[field] : -1;
  return typeof value === "number" ? value : -1;
}
