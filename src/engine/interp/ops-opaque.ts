/**
 * Instructions the model does not know: what they leave in their registers is a hash of their text and of everything they may depend on.
 *
 * - pure: text and inputs. - TEX, TLD: the same, for a launch does not change what it samples. - warp: text, and the inputs of all lanes that run it together.
 * - load: text, inputs, what the thread has stored so far and the number of other changes of memory it has made.
 * - store, barrier, call: text, inputs and the digest of the thread's effects so far; they add an entry to the effect log.
 */

import { mix } from "../../base/hash.ts";
import type { Reg } from "../ir/ids.ts";
import type { Opcode } from "../ir/opcodes.ts";
import { isConstantReg, isPredicateReg, regClass } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { defsOf, effectOf } from "../ir/visit.ts";
import { type Build, type Builder, Unsupported } from "./builder.ts";
import { lanesOf, setPredicate } from "./lanes.ts";
import { type Exec, type Frame, LANES } from "./machine.ts";
import { finish } from "./shapes.ts";

export const OPAQUE_OPS = {
  OPAQUE: (b, inst) => {
    const uses = inst.ops[1];
    const text = inst.ops[2];
    if (uses?.kind !== "list" || text?.kind !== "text") throw new Unsupported("OPAQUE needs {defs}, {uses}, text");
    const effect = effectOf(inst);
    const kind = effect === "pure" || effect === "load" || effect === "warp" ? effect : "effect";
    if (kind === "load") b.readsStored = true;
    const inputs = uses.regs.map((r) => reader(b, r));
    return hashing(b, inst, text.text, inputs, kind);
  },
  TEX: (b, inst) => texture(b, inst),
  TLD: (b, inst) => texture(b, inst),
} satisfies Partial<Record<Opcode, Build>>;

type Read = (s: Frame, lane: number) => number;

function texture(b: Builder, inst: Inst): Exec {
  const text = [inst.op, ...inst.mods, ...inst.ops.slice(2).map((o) => (o.kind === "imm" ? String(o.value) : o.kind))].join(".");
  return hashing(b, inst, text, sources(b, inst.ops[1]), "texture");
}

function sources(b: Builder, operand: Operand | undefined): Read[] {
  if (operand?.kind === "vec") return operand.regs.map((r) => reader(b, r));
  if (operand?.kind === "reg") return [reader(b, operand.reg)];
  const row = b.src32(operand);
  return [(s, l) => s.r[row + l] as number];
}

/** A register's value folded into 32 bits. */
function reader(b: Builder, r: Reg): Read {
  if (isPredicateReg(r)) {
    const p = b.predIndex(r);
    return (s, l) => ((s.p[p] as number) >>> l) & 1;
  }
  const row = b.row(r);
  if (regClass(r) === "RD") return (s, l) => mix(s.r[row + l] as number, s.r[row + LANES + l] as number);
  return (s, l) => s.r[row + l] as number;
}

function hashing(
  b: Builder,
  inst: Inst,
  text: string,
  inputs: readonly Read[],
  kind: "pure" | "texture" | "load" | "warp" | "effect",
): Exec {
  let seed = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) seed = Math.imul(seed ^ text.charCodeAt(i), 0x01000193);
  const targets = defsOf(inst).map((r) => ({
    predicate: isPredicateReg(r),
    wide: regClass(r) === "RD",
    at: isConstantReg(r) ? 0 : isPredicateReg(r) ? b.predIndex(r) : b.row(r),
  }));
  return finish(b, (s, mask, machine) => {
    if (kind === "load" || kind === "texture") machine.loads++;
    let start = seed;
    if (kind === "warp") {
      start = mix(start, mask);
      for (const l of lanesOf(mask)) for (const read of inputs) start = mix(start, read(s, l));
    }
    for (const l of lanesOf(mask)) {
      let hash = kind === "warp" ? mix(start, l) : start;
      for (const read of inputs) hash = mix(hash, read(s, l));
      const thread = machine.thread(l);
      if (kind === "load") hash = mix(mix(hash, machine.epochs[thread] as number), machine.stored?.digests[thread] ?? 0);
      if (kind === "effect") {
        hash = mix(hash, machine.effectDigest[thread] as number);
        machine.effect(text, l, hash);
      }
      for (let i = 0; i < targets.length; i++) {
        const { predicate, wide, at } = targets[i] as (typeof targets)[number];
        const value = mix(hash, i + 1);
        if (predicate) {
          setPredicate(s.p, at, 1 << l, -(value & 1));
        } else {
          s.r[at + l] = value;
          if (wide) s.r[at + LANES + l] = mix(value, 0x5bd1e995);
        }
      }
    }
  });
}
