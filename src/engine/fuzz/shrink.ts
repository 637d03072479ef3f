/** Makes a failing program (and its input) smaller while it keeps failing: drops instructions, edges and blocks, then simplifies what is left. */

import { immOp } from "../ir/builder.ts";
import { Editor } from "../ir/edit.ts";
import type { BlockId, InstId } from "../ir/ids.ts";
import { isConstantReg, isPredicateReg, PT, RZ, regClass } from "../ir/reg.ts";
import type { Block, Func, Inst, Module, Operand } from "../ir/types.ts";
import { defCount, isDefOperand, isTerminator, tableName, terminatorsOf } from "../ir/visit.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { verifyFunc } from "../verify/verify.ts";
import type { InputSpec, ParamSpec } from "./inputs.ts";

export interface ShrinkResult {
  readonly fn: Func;
  /** Candidates tried. */
  readonly attempts: number;
}

export const DEFAULT_ATTEMPTS = 3000;

/** Shrinks a program for which `fails` is true. Every candidate is accepted by the verifier before `fails` sees it. */
export function shrinkProgram(fn: Func, module: Module, fails: (fn: Func) => boolean, maxAttempts = DEFAULT_ATTEMPTS): ShrinkResult {
  const steps = shrinkSteps(fn, module, maxAttempts);
  let step = steps.next();
  while (step.done !== true) step = steps.next(fails(step.value));
  return step.value;
}

/** The same as a generator, for slow checks: yields one candidate after the other and receives whether it still fails. */
export function* shrinkSteps(fn: Func, module: Module, maxAttempts = DEFAULT_ATTEMPTS): Generator<Func, ShrinkResult, boolean> {
  const search = new Search(fn, module, maxAttempts);
  for (let progress = true; progress && !search.spent; ) {
    progress = false;
    for (const reduce of [dropEdges, dropInstructions, mergeBlocks, simplify]) if (yield* reduce(search)) progress = true;
  }
  return { fn: search.best, attempts: search.attempts };
}

/** Yields candidates; returns whether one of them still failed. */
type Steps = Generator<Func, boolean, boolean>;

class Search {
  best: Func;
  attempts = 0;
  private readonly module: Module;
  private readonly limit: number;

  constructor(fn: Func, module: Module, limit: number) {
    this.best = fn;
    this.module = module;
    this.limit = limit;
  }

  get spent(): boolean {
    return this.attempts >= this.limit;
  }

  /** Applies an edit to the best program so far; keeps it when the result still fails. */
  *attempt(change: (edit: Editor) => void): Steps {
    if (this.spent) return false;
    this.attempts++;
    const edit = new Editor(this.best, NO_RECORDER);
    change(edit);
    if (edit.editCount === 0) return false;
    removeUnreachable(edit);
    if (verifyFunc(edit.func, this.module).some((d) => d.severity === "error")) return false;
    if (!(yield edit.func)) return false;
    this.best = edit.func;
    return true;
  }
}

/** Turns conditional branches into jumps or fall-throughs, and table jumps into jumps. */
function* dropEdges(search: Search): Steps {
  let progress = false;
  for (const id of [...search.best.layout]) {
    const block = search.best.blocks[id];
    if (block === undefined) continue;
    const { at, insts } = terminatorsOf(block);
    const options: ((edit: Editor) => void)[] = [];
    for (const [i, inst] of insts.entries()) {
      options.push((edit) => edit.remove(id, at + i));
      if (inst.guard !== null || (inst.op === "BRA" && inst.ops.length === 2)) {
        options.push((edit) => edit.setTerminators(id, [{ ...inst, guard: null, ops: inst.op === "BRA" ? inst.ops.slice(-1) : inst.ops }]));
      }
      if (tableName(inst) !== null) {
        for (const target of block.succs) {
          options.push((edit) => edit.setTerminators(id, [edit.make("BRA", [{ kind: "label", block: target }])]));
        }
      }
    }
    for (const change of options) {
      if (!(yield* search.attempt(change))) continue;
      progress = true;
      break;
    }
  }
  return progress;
}

/** Removes runs of instructions, long ones first. */
function* dropInstructions(search: Search): Steps {
  let progress = false;
  let ids = plainInstructions(search.best);
  for (let size = Math.ceil(ids.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < ids.length && !search.spent; ) {
      const doomed = new Set(ids.slice(at, at + size));
      const dropped = yield* search.attempt((edit) => {
        for (const block of edit.func.layout) edit.sweep(block, (inst) => doomed.has(inst.id));
      });
      if (dropped) {
        progress = true;
        ids = plainInstructions(search.best);
      } else {
        at += size;
      }
    }
  }
  return progress;
}

function plainInstructions(fn: Func): InstId[] {
  return fn.layout.flatMap((id) => (fn.blocks[id]?.insts ?? []).filter((inst) => !isTerminator(inst)).map((inst) => inst.id));
}

/** Joins a block with the one it falls or jumps into, and removes empty blocks. */
function* mergeBlocks(search: Search): Steps {
  let progress = false;
  for (const id of [...search.best.layout]) {
    const block = search.best.blocks[id];
    const next = block?.succs.length === 1 ? block.succs[0] : undefined;
    const target = next === undefined ? undefined : search.best.blocks[next];
    if (block === undefined || next === undefined || target === undefined || next === id) continue;
    const joined = yield* search.attempt((edit) => {
      if (target.preds.length !== 1 || target.insts[0]?.op === "PHI") return;
      edit.materializeFallthrough(next);
      const { at } = terminatorsOf(edit.block(id));
      edit.replaceTail(id, at, edit.block(next).insts, edit.phiFrom(next));
    });
    const skipped =
      !joined &&
      (yield* search.attempt((edit) => {
        if (terminatorsOf(block).at > 0 || edit.func.layout[0] === id) return;
        for (const pred of block.preds) edit.redirect(pred, id, next, edit.phiFrom(id));
      }));
    if (joined || skipped) progress = true;
  }
  return progress;
}

/** Drops guards and modifiers of operands, replaces sources and results by constants, shrinks constants. */
function* simplify(search: Search): Steps {
  let progress = false;
  for (const id of [...search.best.layout]) {
    const count = search.best.blocks[id]?.insts.length ?? 0;
    for (let at = 0; at < count; at++) {
      for (const change of simplerForms(search.best.blocks[id], at)) {
        if (search.spent) return progress;
        if (yield* search.attempt((edit) => edit.replace(id, at, change))) {
          progress = true;
          break;
        }
      }
    }
  }
  return progress;
}

function simplerForms(block: Block | undefined, at: number): Inst[] {
  const inst = block?.insts[at];
  if (inst === undefined) return [];
  const forms: Inst[] = [];
  const target = inst.ops[0];
  const replaceable = inst.op !== "MOV" && inst.op !== "PHI" && inst.op !== "OPAQUE" && defCount(inst.op, inst.ops) === 1;
  if (replaceable && target?.kind === "reg" && ["R", "RD"].includes(regClass(target.reg))) {
    forms.push({ ...inst, op: "MOV", mods: [], ops: [target, immOp(0)] });
  }
  if (inst.guard !== null && !isTerminator(inst)) forms.push({ ...inst, guard: null });
  inst.ops.forEach((operand, i) => {
    if (isDefOperand(inst, i)) return;
    for (const simpler of simplerOperands(operand)) forms.push({ ...inst, ops: inst.ops.map((o, j) => (j === i ? simpler : o)) });
  });
  return forms;
}

function simplerOperands(operand: Operand): Operand[] {
  switch (operand.kind) {
    case "reg": {
      if (operand.neg || operand.abs || operand.not) return [{ ...operand, neg: false, abs: false, not: false }];
      if (isConstantReg(operand.reg)) return [];
      if (isPredicateReg(operand.reg)) return [{ ...operand, reg: PT }];
      return regClass(operand.reg) === "R" ? [{ ...operand, reg: RZ }] : [];
    }
    case "imm": {
      const { value } = operand;
      return [0, 1, Math.trunc(value / 2)].filter((v) => Math.abs(v) < Math.abs(value)).map(immOp);
    }
    case "f32":
      return operand.bits === 0 ? [] : [{ kind: "f32", bits: 0 }];
    case "phi":
      return simplerOperands(operand.value)
        .filter((value) => value.kind !== "reg")
        .map((value) => ({ ...operand, value }));
    case "mem":
      return operand.offset === 0 ? [] : [{ ...operand, offset: 0 }];
    default:
      return [];
  }
}

function removeUnreachable(edit: Editor): void {
  const reached = new Set<BlockId>();
  const work: BlockId[] = edit.func.layout.slice(0, 1);
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    work.push(...edit.block(id).succs);
  }
  // A region's end must stay while its BSSY does.
  for (const id of reached) {
    for (const inst of edit.block(id).insts) {
      const label = inst.op === "BSSY" ? inst.ops[1] : undefined;
      if (label?.kind === "label" && !reached.has(label.block)) return;
    }
  }
  edit.removeBlocks(edit.func.layout.filter((id) => !reached.has(id)));
  const used = new Set(edit.func.layout.flatMap((id) => terminatorsOf(edit.block(id)).insts.map(tableName)));
  for (const name of [...edit.func.tables.keys()]) {
    const inLea = edit.func.layout.some((id) => edit.block(id).insts.some((i) => i.ops.some((o) => o.kind === "table" && o.name === name)));
    if (!used.has(name) && !inLea) edit.removeTable(name);
  }
}

/** Shrinks an input for which `fails` is true: fewer threads, smaller values, empty buffers. */
export function shrinkInput(input: InputSpec, fails: (input: InputSpec) => boolean): InputSpec {
  let best = input;
  const attempt = (candidate: InputSpec): boolean => {
    if (!fails(candidate)) return false;
    best = candidate;
    return true;
  };
  for (const threads of [1, 2, 4, 8, 16, 32]) if (threads < best.threads && attempt(withThreads(best, threads))) break;
  best.params.forEach((param, i) => {
    for (const simpler of simplerParams(param)) {
      if (attempt({ ...best, params: best.params.map((p, j) => (j === i ? simpler : p)) })) break;
    }
  });
  best.buffers.forEach((bytes, i) => {
    const replace = (with_: Uint8Array): InputSpec => ({ ...best, buffers: best.buffers.map((b, j) => (j === i ? with_ : b)) });
    if (attempt(replace(new Uint8Array(bytes.length)))) return;
    // Zeroes one half after the other, then smaller parts down to single words.
    for (let size = bytes.length / 2; size >= 4; size /= 2) {
      for (let at = 0; at < bytes.length; at += size) {
        const current = best.buffers[i] ?? bytes;
        if (current.subarray(at, at + size).every((b) => b === 0)) continue;
        const zeroed = current.slice();
        zeroed.fill(0, at, at + size);
        attempt(replace(zeroed));
      }
    }
  });
  return best;
}

function withThreads(input: InputSpec, threads: number): InputSpec {
  const params = input.params.map((p) => (p.kind === "each" ? { ...p, values: p.values.slice(0, threads) } : p));
  return { ...input, threads, params };
}

function simplerParams(param: ParamSpec): ParamSpec[] {
  switch (param.kind) {
    case "buffer":
      return [];
    case "each":
      return [
        { kind: "value", value: 0 },
        { kind: "value", value: 1 },
        ...[...new Set(param.values)].slice(0, 4).map((value) => ({ kind: "value", value }) as const),
      ];
    case "value": {
      const lo = typeof param.value === "number" ? param.value : param.value[0];
      return [0, 1, lo >>> 8, lo >>> 1].filter((v) => v < lo || typeof param.value !== "number").map((value) => ({ kind: "value", value }));
    }
  }
}
