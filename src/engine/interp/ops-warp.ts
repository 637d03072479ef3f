/** Instructions that read other lanes, and special registers. */

import type { Opcode } from "../ir/opcodes.ts";
import { isPredicateReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { type Build, type Builder, hasMod, modOf, Unsupported } from "./builder.ts";
import { lanesOf, lowestLane, setPredicate } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";
import { finish, isWide, lanesWith } from "./shapes.ts";
import { specialValue } from "./special-registers.ts";

export const WARP_OPS = {
  SHFL: (b, inst) => {
    const mode = modOf(inst, ["IDX", "UP", "DOWN", "BFLY"]);
    if (mode === null) throw new Unsupported("SHFL needs a mode");
    const first = inst.ops.length === 5 ? 1 : 0;
    const p = first === 1 ? b.dstP(inst.ops[0]) : 1;
    const d = b.dst32(inst.ops[first]);
    const [x, lane, clamp] = [b.src32(inst.ops[first + 1]), b.src32(inst.ops[first + 2]), b.src32(inst.ops[first + 3])];
    const old = new Uint32Array(LANES);
    return finish(b, (s, mask) => {
      const { r, p: preds } = s;
      old.set(r.subarray(x, x + LANES));
      let bits = 0;
      for (const l of lanesOf(mask)) {
        const { from, inRange } = sourceLane(mode, l, r[lane + l] as number, r[clamp + l] as number);
        if (inRange) bits |= 1 << l;
        // A lane that takes no part has no value to give: 0.
        r[d + l] = (mask >>> from) & 1 ? (old[from] as number) : 0;
      }
      setPredicate(preds, p, mask, bits);
    });
  },
  VOTE: (b, inst) => {
    const kind = modOf(inst, ["ALL", "ANY", "BALLOT"]);
    const q = b.srcP(inst.ops[1]);
    const first = inst.ops[0];
    const toPredicate = first?.kind === "reg" && isPredicateReg(first.reg);
    const d = toPredicate ? b.dstP(first) : b.dst32(first);
    return finish(b, (s, mask) => {
      const votes = lanesWith(s, q) & mask;
      const value = kind === "ALL" ? votes === mask : votes !== 0;
      if (toPredicate) {
        setPredicate(s.p, d, mask, value ? -1 : 0);
        return;
      }
      const word = kind === "BALLOT" ? votes : value ? 1 : 0;
      for (const l of lanesOf(mask)) s.r[d + l] = word;
    });
  },
  MATCH: (b, inst) => {
    const all = hasMod(inst, "ALL");
    const first = inst.ops.length === 3 ? 1 : 0;
    const d = b.dst32(inst.ops[0]);
    const p = first === 1 ? b.dstP(inst.ops[1]) : 1;
    const value = inst.ops[first + 1];
    const wide = isWide(inst, value);
    const x = b.src(value, wide);
    const result = new Uint32Array(LANES);
    return finish(b, (s, mask) => {
      const { r, p: preds } = s;
      let everyone = true;
      for (const l of lanesOf(mask)) {
        let same = 0;
        for (const k of lanesOf(mask)) {
          if (r[x + k] === r[x + l] && (!wide || r[x + LANES + k] === r[x + LANES + l])) same |= 1 << k;
        }
        result[l] = same;
        if (same !== mask) everyone = false;
      }
      for (const l of lanesOf(mask)) {
        r[d + l] = all ? (everyone ? mask : 0) : (result[l] as number);
      }
      const matched = all ? everyone : true;
      setPredicate(preds, p, mask, matched ? -1 : 0);
    });
  },
  REDUX: (b, inst) => {
    const kind = modOf(inst, ["ADD", "MIN", "MAX", "AND", "OR", "XOR"]);
    if (kind === null) throw new Unsupported("REDUX needs an operation");
    const bias = hasMod(inst, "S32") ? 0x8000_0000 : 0;
    const d = b.dst32(inst.ops[0]);
    const x = b.src32(inst.ops[1]);
    return finish(b, (s, mask) => {
      const r = s.r;
      let result = r[x + lowestLane(mask)] as number;
      for (const l of lanesOf(mask & (mask - 1))) {
        result = combine(kind, result, r[x + l] as number, bias);
      }
      for (const l of lanesOf(mask)) r[d + l] = result;
    });
  },
  S2R: (b, inst) => special(b, inst),
  CS2R: (b, inst) => special(b, inst),
  ACTIVEMASK: (b, inst) => {
    const d = b.dst32(inst.ops[0]);
    return finish(b, (s, mask) => {
      for (const l of lanesOf(mask)) s.r[d + l] = mask;
    });
  },
} satisfies Partial<Record<Opcode, Build>>;

/**
 * The lane a shuffle reads from. `control`: bits 0 to 4 the clamp, bits 8 to 12 the segment mask (PTX ISA, shfl.sync). Out of range, a lane reads itself.
 */
export function sourceLane(
  mode: "IDX" | "UP" | "DOWN" | "BFLY",
  lane: number,
  operand: number,
  control: number,
): { readonly from: number; readonly inRange: boolean } {
  const b = operand & 31;
  const clamp = control & 31;
  const segment = (control >>> 8) & 31;
  const low = lane & segment;
  const high = low | (clamp & ~segment & 31);
  let from: number;
  let inRange: boolean;
  switch (mode) {
    case "UP":
      from = lane - b;
      inRange = from >= high;
      break;
    case "DOWN":
      from = lane + b;
      inRange = from <= high;
      break;
    case "BFLY":
      from = lane ^ b;
      inRange = from <= high;
      break;
    case "IDX":
      from = low | (b & ~segment & 31);
      inRange = from <= high;
      break;
  }
  return { from: inRange ? from : lane, inRange };
}

function combine(kind: "ADD" | "MIN" | "MAX" | "AND" | "OR" | "XOR", x: number, y: number, bias: number): number {
  switch (kind) {
    case "ADD":
      return (x + y) >>> 0;
    case "AND":
      return (x & y) >>> 0;
    case "OR":
      return (x | y) >>> 0;
    case "XOR":
      return (x ^ y) >>> 0;
    case "MIN":
      return (x ^ bias) >>> 0 <= (y ^ bias) >>> 0 ? x : y;
    case "MAX":
      return (x ^ bias) >>> 0 >= (y ^ bias) >>> 0 ? x : y;
  }
}

function special(b: Builder, inst: Inst): Exec {
  const source = inst.ops[1];
  if (source?.kind !== "sreg") throw new Unsupported("a special register was expected");
  const read = specialValue(source.name, inst.id);
  const wide = isWide(inst, inst.ops[0]);
  const { row: d, post } = b.dst(inst.ops[0], wide);
  const main: Exec = ({ r }, mask, machine) => {
    for (const l of lanesOf(mask)) {
      r[d + l] = read(machine, l);
      if (wide) r[d + LANES + l] = 0;
    }
  };
  return finish(b, main, post);
}
