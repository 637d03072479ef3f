/** For each kind of `fuzz/generate/kinds.ts` a pass that ignores it: random programs must show that it is wrong. */

import { immOp } from "../../src/engine/ir/builder.ts";
import { Editor } from "../../src/engine/ir/edit.ts";
import type { BlockId, Reg } from "../../src/engine/ir/ids.ts";
import type { Func, Inst, Operand } from "../../src/engine/ir/types.ts";
import { branchTarget, getBlock, phisOf, sameInst, usesOf } from "../../src/engine/ir/visit.ts";
import { NO_RECORDER } from "../../src/engine/trace/recorder.ts";

export interface Ignorant {
  readonly kind: string;
  readonly run: (fn: Func) => Func;
}

/** Another instruction in the place of each that `change` has one for. */
function rewriting(change: (inst: Inst, block: readonly Inst[], at: number, fn: Func) => Inst | null | "remove"): (fn: Func) => Func {
  return (fn) => {
    const edit = new Editor(fn, NO_RECORDER);
    for (const id of fn.layout) {
      const { insts } = getBlock(fn, id);
      for (let at = insts.length - 1; at >= 0; at--) {
        const inst = insts[at] as Inst;
        const made = change(inst, insts, at, fn);
        if (made === "remove") edit.remove(id, at);
        else if (made !== null) edit.replace(id, at, made);
      }
    }
    return edit.func;
  };
}

const regOf = (operand: Operand | undefined): Reg | null => (operand?.kind === "reg" ? operand.reg : null);
const named = (inst: Inst): readonly Reg[] =>
  inst.ops[0]?.kind === "reg" ? [inst.ops[0].reg] : inst.ops[0]?.kind === "vec" ? inst.ops[0].regs : [];
const writes = (inst: Inst, r: Reg): boolean => inst.op !== "STG" && inst.op !== "STS" && inst.op !== "STL" && named(inst).includes(r);
const constantOf = (r: Reg | null, before: readonly Inst[]): number | null => {
  const def = r === null ? undefined : before.findLast((inst) => writes(inst, r));
  const value = def?.op === "MOV" && def.guard === null ? def.ops[1] : undefined;
  return value?.kind === "imm" ? value.value : null;
};
const copyOf = (inst: Inst, from: Reg): Inst => ({
  ...inst,
  op: "MOV",
  mods: [],
  ops: [inst.ops[0] as Operand, { kind: "reg", reg: from, neg: false, abs: false, not: false }],
});

/** Later ones of two that are `alike` take the first one's result, if nothing writes registers between. */
const common = (ops: readonly string[], alike: (a: Inst, b: Inst) => boolean) =>
  rewriting((inst, insts, at) => {
    if (!ops.includes(inst.op) || inst.guard !== null) return null;
    for (let i = at - 1; i >= 0; i--) {
      const other = insts[i] as Inst;
      const result = regOf(other.ops[0]);
      if (other.guard !== null || result === null || !alike(other, inst) || usesOf(other).includes(result)) continue;
      const kept = [result, ...usesOf(inst)];
      return insts.slice(i + 1, at).some((each) => kept.some((r) => writes(each, r))) ? null : copyOf(inst, result);
    }
    return null;
  });

const unsigned = (inst: Inst): Inst => ({
  ...inst,
  ops: inst.ops.map((o, i) => (i === 0 ? immOp(0) : o.kind === "reg" ? { ...o, neg: false, not: false } : o)),
});
const sameSources = (a: Inst, b: Inst): boolean =>
  sameInst({ ...a, ops: [immOp(0), ...a.ops.slice(1)] }, { ...b, ops: [immOp(0), ...b.ops.slice(1)] });

/** A definition that a later one in its block writes over, when nothing in between reads it, as far as `covers` knows. */
const overwritten = (covers: (inst: Inst, r: Reg) => boolean) =>
  rewriting((inst, insts, at) => {
    const r = regOf(inst.ops[0]);
    if (r === null || inst.guard !== null || !["IADD", "ISETP", "MOV", "PLOP3", "SEL"].includes(inst.op)) return null;
    for (const later of insts.slice(at + 1)) {
      if (usesOf(later).includes(r)) return null;
      if (covers(later, r)) return "remove";
    }
    return null;
  });

/** Moves the instructions of a block to the end of the one before it. */
function hoisted(wanted: (inst: Inst) => boolean, from: (fn: Func, id: BlockId) => BlockId | null): (fn: Func) => Func {
  return (fn) => {
    const edit = new Editor(fn, NO_RECORDER);
    for (const id of fn.layout) {
      const to = from(fn, id);
      if (to === null || to === id) continue;
      for (let at = 0; at < edit.block(id).insts.length; at++) {
        const inst = edit.block(id).insts[at] as Inst;
        if (inst.guard !== null || !wanted(inst)) continue;
        const end = edit.block(to).insts.findIndex((each) => ["BRA", "JMX", "EXIT", "RET", "BRX"].includes(each.op));
        edit.move(id, at, to, end < 0 ? edit.block(to).insts.length : end);
        at--;
      }
    }
    return edit.func;
  };
}

const onlyPred = (fn: Func, id: BlockId): BlockId | null => {
  const { preds } = getBlock(fn, id);
  const [pred] = preds;
  return pred !== undefined && preds.length === 1 && getBlock(fn, pred).succs.length === 2 ? pred : null;
};

/** The way into a loop of one block. */
const beforeLoop = (fn: Func, id: BlockId): BlockId | null => {
  const { preds, succs } = getBlock(fn, id);
  return succs.includes(id) ? (preds.find((p) => p !== id) ?? null) : null;
};

const memoryOf = (inst: Inst): Operand | undefined => inst.ops.find((o) => o.kind === "mem");
const sameAddress = (a: Inst, b: Inst): boolean => JSON.stringify(memoryOf(a)) === JSON.stringify(memoryOf(b));

/** Replaces a load by the value of the last store to the same address in its block, whatever was stored in between. */
const forwarded = (load: string, store: string) =>
  rewriting((inst, insts, at) => {
    if (inst.op !== load || inst.guard !== null) return null;
    const from = insts.slice(0, at).findLastIndex((each) => each.op === store && sameAddress(each, inst));
    const value = from < 0 ? null : regOf((insts[from] as Inst).ops[1]);
    if (value === null || (insts[from] as Inst).guard !== null) return null;
    return insts
      .slice(from + 1, at)
      .some((each) => each.op === store || writes(each, value) || (each.op === "CALL" && JSON.stringify(each.ops[1]).includes(`${value}`)))
      ? null
      : copyOf(inst, value);
  });

const withOp = (inst: Inst, op: Inst["op"], mods: readonly string[], sources: readonly Operand[]): Inst => ({
  ...inst,
  op,
  mods,
  ops: [inst.ops[0] as Operand, ...sources],
});

export const IGNORANT: readonly Ignorant[] = [
  { kind: "masked-predicates", run: overwritten((inst, r) => inst.op === "R2P" && inst.guard === null && named(inst).includes(r)) },
  {
    kind: "never-guard",
    run: overwritten((inst, r) => inst.guard?.neg === true && !usesOf(inst).includes(inst.guard.reg) && writes(inst, r)),
  },
  { kind: "callee-local", run: forwarded("LDL", "STL") },
  { kind: "generic", run: forwarded("LDS", "STS") },
  {
    kind: "halves",
    run: rewriting((inst, insts, at) => {
      if (inst.op !== "HADD2" || inst.guard !== null || inst.mods.length > 0) return null;
      const product = insts.slice(0, at).findLast((each) => each.op === "HMUL2" && regOf(each.ops[0]) === regOf(inst.ops[1]));
      const [, a, b] = product?.ops ?? [];
      return a === undefined || b === undefined ? null : withOp(inst, "HFMA2", [], [a, b, inst.ops[2] as Operand]);
    }),
  },
  { kind: "reloaded", run: common(["LDG"], sameSources) },
  {
    kind: "stored-again",
    run: rewriting((inst, insts, at) => {
      if (inst.op !== "STG" || inst.guard !== null) return null;
      return insts.slice(at + 1).some((each) => each.op === "STG" && each.guard === null && sameAddress(each, inst)) ? "remove" : null;
    }),
  },
  { kind: "negated", run: common(["IADD"], (a, b) => sameInst(unsigned(a), unsigned(b))) },
  {
    kind: "large-product",
    run: rewriting((inst, insts, at) => {
      if (inst.op !== "IMUL" || inst.mods.length > 0 || inst.guard !== null) return null;
      const [x, y] = [1, 2].map((i) => constantOf(regOf(inst.ops[i]), insts.slice(0, at)));
      return x === null || y === null || x === undefined || y === undefined ? null : withOp(inst, "MOV", [], [immOp((x * y) >>> 0)]);
    }),
  },
  {
    kind: "overflow",
    run: rewriting((inst, insts, at) => {
      if (inst.op !== "ISETP" || inst.mods.join() !== "GT" || inst.guard !== null) return null;
      const sum = insts.slice(0, at).findLast((each) => regOf(each.ops[0]) !== null && regOf(each.ops[0]) === regOf(inst.ops[1]));
      const isNext = sum?.op === "IADD" && regOf(sum.ops[1]) === regOf(inst.ops[2]) && sum.ops[2]?.kind === "imm" && sum.ops[2].value === 1;
      return isNext ? withOp(inst, "ISETP", ["EQ"], [immOp(0), immOp(0)]) : null;
    }),
  },
  {
    kind: "division",
    run: rewriting((inst) => {
      const by = inst.ops[2];
      if (inst.op !== "IDIV" || inst.mods.join() === "U32" || by?.kind !== "imm" || ![2, 4, 8, 16].includes(by.value)) return null;
      return withOp(inst, "SHR", [], [inst.ops[1] as Operand, immOp(Math.log2(by.value))]);
    }),
  },
  {
    kind: "division-by-zero",
    run: rewriting((inst) =>
      inst.op === "IDIV" && inst.ops[2]?.kind === "imm" && inst.ops[2].value === 0 ? withOp(inst, "MOV", [], [immOp(0)]) : null,
    ),
  },
  {
    kind: "unsafe-arm",
    run: hoisted(
      (inst) =>
        ["LDG", "LOP", "IMUL", "SEL", "IMAD"].includes(inst.op) && inst.ops[0]?.kind === "reg" && !usesOf(inst).includes(inst.ops[0].reg),
      onlyPred,
    ),
  },
  {
    kind: "float-chain",
    run: rewriting((inst, insts, at) => {
      if (inst.op !== "FADD" || inst.mods.length > 0 || inst.guard !== null) return null;
      const before = insts.slice(0, at).findLast((each) => regOf(each.ops[0]) !== null && regOf(each.ops[0]) === regOf(inst.ops[1]));
      const [, , x] = before?.ops ?? [];
      const y = inst.ops[2];
      if (before?.op !== "FADD" || before.mods.length > 0 || before.guard !== null || x?.kind !== "f32" || y?.kind !== "f32") return null;
      const view = new DataView(new ArrayBuffer(4));
      const value = (bits: number): number => {
        view.setUint32(0, bits);
        return view.getFloat32(0);
      };
      view.setFloat32(0, Math.fround(value(x.bits) + value(y.bits)));
      const sum = view.getUint32(0);
      return insts.slice(insts.indexOf(before) + 1, at).some((each) => usesOf(before).some((r) => writes(each, r)))
        ? null
        : withOp(inst, "FADD", [], [before.ops[1] as Operand, { kind: "f32", bits: sum }]);
    }),
  },
  { kind: "loop-vote", run: hoisted((inst) => inst.op === "VOTE" || inst.op === "ACTIVEMASK", beforeLoop) },
  { kind: "guarded-region", run: rewriting((inst) => (inst.op === "BSSY" && inst.guard !== null ? { ...inst, guard: null } : null)) },
  {
    kind: "common-word",
    run: rewriting((inst, insts, at) => {
      // The load before the store: the two change places.
      const [store, load] = inst.op === "STS" ? [inst, insts[at + 1]] : [insts[at - 1], inst];
      if (store?.op !== "STS" || load?.op !== "LDS" || store.guard !== null || load.guard !== null || !sameAddress(store, load))
        return null;
      return usesOf(store).some((r) => writes(load, r)) ? null : { ...(inst === store ? load : store), id: inst.id };
    }),
  },
  {
    kind: "barrier-arms",
    run: rewriting((inst, insts) => (inst.op === "BAR" && insts.some((each) => branchTarget(each) !== null) ? "remove" : null)),
  },
  {
    kind: "copied-arms",
    run: (fn) => {
      const edit = new Editor(fn, NO_RECORDER);
      for (const id of fn.layout) {
        for (const phi of phisOf(getBlock(fn, id))) {
          const values = phi.ops.flatMap((o) => (o.kind === "phi" && o.value.kind === "reg" ? [o.value] : []));
          const [a, b] = values;
          if (values.length !== 2 || a === undefined || b === undefined) continue;
          const [first] = getBlock(fn, id).preds;
          const copies =
            first === undefined
              ? []
              : fn.layout
                  .flatMap((each) => getBlock(fn, each).insts)
                  .filter((i) => i.op === "MOV" && regOf(i.ops[0]) === b.reg && regOf(i.ops[1]) === a.reg);
          if (copies.length === 0) continue;
          const at = edit.block(id).insts.findIndex((i) => i.id === phi.id);
          // What the copy's target held before the arms.
          edit.replace(id, at, { ...phi, ops: phi.ops.map((o) => (o.kind === "phi" ? { ...o, value: b } : o)) });
        }
      }
      return edit.func;
    },
  },
  {
    kind: "back-copy",
    run: rewriting((inst, insts, at) => {
      const copy = insts[at + 1];
      const d = regOf(inst.ops[0]);
      if (inst.op !== "IMAD" || d === null || copy?.op !== "MOV" || copy.guard !== null || regOf(copy.ops[1]) !== d) return null;
      return { ...inst, ops: [copy.ops[0] as Operand, ...inst.ops.slice(1)] };
    }),
  },
  {
    kind: "dense-cases",
    run: rewriting((inst) => {
      const value = inst.ops[2];
      return inst.op === "ISETP" && inst.mods.join() === "EQ" && value?.kind === "imm" && value.value === 4
        ? { ...inst, ops: [inst.ops[0] as Operand, inst.ops[1] as Operand, immOp(3)] }
        : null;
    }),
  },
];
