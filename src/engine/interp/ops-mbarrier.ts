/**
 * Barrier objects in shared memory (PTX `mbarrier`): 64 bits that count arrivals and bytes, phase by phase.
 *
 * From the lowest bit: arrivals that the phase still waits for (20), arrivals of each phase (20), bytes that are announced and have not come (21, signed), a bit that
 * says that there is an object, and the parity of the phase. PTX leaves the layout open; so may a program.
 */

import type { Opcode } from "../ir/opcodes.ts";
import type { Inst } from "../ir/types.ts";
import { type Builder, modOf, Unsupported } from "./builder.ts";
import { lanesOf, setPredicate } from "./lanes.ts";
import { type Exec, LANES, type Machine } from "./machine.ts";
import { addressOf, lastPlace } from "./ops-memory.ts";
import { finish } from "./shapes.ts";

/** Most arrivals of a phase, and most bytes that are announced or have come too early. */
const MOST = 0xf_ffff;
const EXISTS = 1n << 61n;
const PARITY_WORD = 1 << 30;
const NO_OBJECT = "there is no barrier object";

interface BarrierObject {
  pending: number;
  expected: number;
  bytes: number;
  parity: number;
}

function decode(word: bigint): BarrierObject | null {
  if ((word & EXISTS) === 0n) return null;
  const field = (at: bigint): number => Number((word >> at) & BigInt(MOST));
  return { pending: field(0n), expected: field(20n), bytes: Number(BigInt.asIntN(21, word >> 40n)), parity: Number((word >> 62n) & 1n) };
}

function encode({ pending, expected, bytes, parity }: BarrierObject): bigint {
  return BigInt(pending) | (BigInt(expected) << 20n) | (BigInt.asUintN(21, BigInt(bytes)) << 40n) | EXISTS | (BigInt(parity) << 62n);
}

type Kind = "INIT" | "INVAL" | "ARRIVE" | "DROP" | "EXPECT" | "COMPLETE";

/** Does it; what is wrong, in words, or null. */
function change(object: BarrierObject, kind: Exclude<Kind, "INIT" | "INVAL">, count: number, announced: number): string | null {
  const arrivals = kind === "ARRIVE" || kind === "DROP" ? count : 0;
  if (arrivals > object.pending) return `${arrivals} arrivals at a barrier object whose phase waits for ${object.pending}`;
  object.bytes += kind === "EXPECT" ? count : kind === "COMPLETE" ? -count : announced;
  if (Math.abs(object.bytes) > MOST) return "a barrier object counts no so many bytes";
  object.pending -= arrivals;
  if (kind === "DROP") object.expected -= arrivals;
  // A phase ends with its last arrival and its last byte; the next one begins at once.
  if (kind !== "EXPECT" && object.pending === 0 && object.bytes === 0) {
    object.parity ^= 1;
    object.pending = object.expected;
  }
  return null;
}

const syncs = (b: Builder, inst: Inst): Exec => {
  const kind: Kind | null = modOf(inst, ["INIT", "INVAL", "ARRIVE", "DROP", "EXPECT", "COMPLETE"]);
  const [result, place, count, announced] = inst.ops;
  if (kind === null) throw new Unsupported("it needs an operation");
  const arrives = kind === "ARRIVE" || kind === "DROP";
  if (count === undefined && !arrives && kind !== "INVAL") throw new Unsupported(`${kind} needs a count`);
  const at = addressOf(b, place, "generic");
  const x = count === undefined ? -1 : b.src32(count);
  const y = announced === undefined ? -1 : b.src32(announced);
  const d = b.dst64(result);
  /** What is wrong, or null. */
  const one = (machine: Machine, r: Uint32Array, l: number): string | null => {
    const view = at(machine, r, l, 8);
    if (view === null) return null;
    const offset = lastPlace();
    const before = view.getBigUint64(offset, true);
    const n = x < 0 ? 1 : (r[x + l] as number);
    if (kind === "INIT") {
      if (n < 1 || n > MOST) return `a barrier object for ${n} arrivals`;
      view.setBigUint64(offset, encode({ pending: n, expected: n, bytes: 0, parity: 0 }), true);
    } else {
      const object = decode(before);
      if (object === null) return NO_OBJECT;
      const wrong = kind === "INVAL" ? null : change(object, kind, n, y < 0 ? 0 : (r[y + l] as number));
      if (wrong !== null) return wrong;
      view.setBigUint64(offset, kind === "INVAL" ? 0n : encode(object), true);
    }
    r[d.row + l] = Number(BigInt.asUintN(32, before));
    r[d.row + LANES + l] = Number(before >> 32n);
    return null;
  };
  return finish(
    b,
    ({ r }, mask, machine) => {
      machine.loads++;
      machine.stores++;
      for (const l of lanesOf(mask)) {
        if (machine.fault !== null) break;
        const wrong = one(machine, r, l);
        if (wrong !== null) machine.trap(wrong, l);
      }
      machine.touch(mask);
    },
    d.post,
  );
};

/** Writes for each lane whether the phase that it names is over. If it is not, the scheduler lets the lane wait (`interpreter.ts`). */
export function askPhase(b: Builder, inst: Inst): Exec {
  const [result, place, phase] = inst.ops;
  const byState = inst.mods.includes("64");
  const at = addressOf(b, place, "generic");
  const x = b.src(phase, byState);
  const d = b.dstP(result);
  return finish(b, ({ r, p }, mask, machine) => {
    machine.loads++;
    for (const l of lanesOf(mask)) {
      const view = at(machine, r, l, 8);
      if (view === null) return;
      const object = decode(view.getBigUint64(lastPlace(), true));
      if (object === null) return machine.trap(NO_OBJECT, l);
      const named = byState ? Number(((r[x + LANES + l] as number) & PARITY_WORD) !== 0) : (r[x + l] as number) & 1;
      setPredicate(p, d, 1 << l, named === object.parity ? 0 : -1);
    }
  });
}

export const MBARRIER_OPS = { SYNCS: syncs } satisfies Partial<Record<Opcode, (b: Builder, inst: Inst) => Exec>>;
