/** The 64-bit class masks of LateOriCommoning: what kinds of instruction were seen on a dominator path, as a Bloom signature per block. */

import type { Observe } from "../remark/shown.ts";
import { Observation } from "./observe.ts";

/** Of masks with these bits there are fewer. */
const MOST_TEXTS = 4096;

/** Two unsigned 32-bit halves of a 64-bit mask. */
export interface ClassMask {
  readonly lo: number;
  readonly hi: number;
}

export const EMPTY_MASK: ClassMask = { lo: 0, hi: 0 };

/** Bits OR'd in for every load or store. Source: copy-propagation-and-cse, "Instruction Class Bitmask". */
export const MEMORY_ACCESS_BITS = 0x20_0001;

/** The meaning of the bits. Bits from 32 are 'extended class flags'; the reference names predicated and volatile and gives no order, so 32 and 33 are chosen here. */
export const CLASS_BITS: readonly { readonly bit: number; readonly name: string; readonly stated: boolean }[] = [
  { bit: 0, name: "base eligibility", stated: true },
  { bit: 20, name: "address space class, low bit", stated: true },
  { bit: 21, name: "address space class, high bit", stated: true },
  { bit: 25, name: "uniform destination", stated: true },
  { bit: 27, name: "non-volatile memory reference", stated: true },
  { bit: 28, name: "non-invariant address", stated: true },
  { bit: 29, name: "specific addressing mode", stated: true },
  { bit: 32, name: "predicated", stated: false },
  { bit: 33, name: "volatile", stated: false },
];

/** Properties of one instruction that the mask encodes. */
export interface ClassProperties {
  readonly eligible: boolean;
  /** Two-bit class, 0 to 3; 0 when it does not touch memory. */
  readonly spaceClass: number;
  readonly memoryAccess: boolean;
  readonly uniformDest: boolean;
  readonly nonVolatile: boolean;
  readonly varyingAddress: boolean;
  readonly specificAddressing: boolean;
  readonly predicated: boolean;
  readonly volatileAccess: boolean;
}

/** The mask of an instruction. Source: copy-propagation-and-cse, "Instruction Class Bitmask -- sub_74ED70". */
export function classMask(p: ClassProperties): ClassMask {
  let lo = p.eligible ? 1 : 0;
  lo |= (p.spaceClass & 3) << 20;
  if (p.memoryAccess) lo |= MEMORY_ACCESS_BITS;
  if (p.uniformDest) lo |= 1 << 25;
  if (p.nonVolatile) lo |= 1 << 27;
  if (p.varyingAddress) lo |= 1 << 28;
  if (p.specificAddressing) lo |= 1 << 29;
  const hi = (p.predicated ? 1 : 0) | (p.volatileAccess ? 2 : 0);
  return { lo: lo >>> 0, hi };
}

/** False when a block with this signature cannot contain an instruction of this class: some bit of the mask was never seen. */
export function mayContain(signature: ClassMask, mask: ClassMask): boolean {
  return (mask.lo & ~signature.lo) === 0 && (mask.hi & ~signature.hi) === 0;
}

/** The bits of a mask by name. */
function classNames(mask: ClassMask): readonly string[] {
  const names = CLASS_BITS.filter(({ bit }) => (((bit < 32 ? mask.lo : mask.hi) >>> (bit & 31)) & 1) === 1).map(({ name }) => name);
  return names.length > 0 ? names : ["no class"];
}

/** All 64 bits in hex. */
export const maskHex = kept((mask) => `0x${((BigInt(mask.hi >>> 0) << 32n) | BigInt(mask.lo >>> 0)).toString(16).toUpperCase()}`);

/** 64 binary digits, bit 63 first. */
export const maskDigits = kept((mask) => (mask.hi >>> 0).toString(2).padStart(32, "0") + (mask.lo >>> 0).toString(2).padStart(32, "0"));

/** Cached texts of masks: a function has a few dozen masks, and a recording prints them at every instruction. */
function kept(text: (mask: ClassMask) => string): (mask: ClassMask) => string {
  const texts = new Map<number, string>();
  return (mask) => {
    const key = (mask.hi >>> 0) * 2 ** 32 + (mask.lo >>> 0);
    const known = texts.get(key);
    if (known !== undefined) return known;
    if (texts.size >= MOST_TEXTS) texts.clear();
    const made = text(mask);
    texts.set(key, made);
    return made;
  };
}

/**
 * The accumulator (WS[9]) and the per-block class table (WS[7], one 64-bit slot per dominator-order number).
 * Mirrored cells: `acc` and `b<order>`, each `{lo, hi}`; slots never written are absent. `mirror` receives the accumulator as well, before its event.
 */
export class ClassTable {
  readonly obs: Observation;
  private readonly mirror: ((accumulator: ClassMask) => void) | undefined;
  private readonly slots: Uint32Array;
  private accLo = 0;
  private accHi = 0;

  /** `blockCount` is the largest dominator-order number; there are `blockCount` + 1 slots. */
  constructor(blockCount: number, observe?: Observe, mirror?: (accumulator: ClassMask) => void) {
    this.obs = new Observation("table", observe);
    this.mirror = mirror;
    this.slots = new Uint32Array((blockCount + 1) * 2);
    this.setAccumulator(0, 0);
  }

  get accumulator(): ClassMask {
    return { lo: this.accLo, hi: this.accHi };
  }

  slot(order: number): ClassMask {
    return { lo: this.slots[order * 2] ?? 0, hi: this.slots[order * 2 + 1] ?? 0 };
  }

  /** ORs the class of an instruction into the accumulator. */
  accumulate(mask: ClassMask): void {
    this.setAccumulator((this.accLo | mask.lo) >>> 0, (this.accHi | mask.hi) >>> 0);
    if (this.obs.on) {
      this.obs.emit(
        "class-mask",
        "the classes seen so far take in {classes}",
        {
          op: "accumulate",
          classes: classNames(mask),
          mask: maskDigits(mask),
          accumulator: maskDigits(this.accumulator),
          maskHex: maskHex(mask),
        },
        ["acc"],
      );
    }
  }

  /** At a SEL: what was seen is control-dependent, so forget it. */
  reset(): void {
    this.setAccumulator(0, 0);
    if (this.obs.on) this.obs.emit("class-mask", "the classes seen so far are forgotten", { op: "reset" }, ["acc"]);
  }

  /** At a PHI: stores the accumulator in the slot of the PHI's block. */
  snapshot(order: number): void {
    this.slots[order * 2] = this.accLo;
    this.slots[order * 2 + 1] = this.accHi;
    if (!this.obs.on) return;
    this.obs.cell(`b${order}`, { lo: this.accLo, hi: this.accHi });
    const facts = { op: "snapshot", order, accumulator: maskDigits(this.accumulator) };
    this.obs.emit("class-mask", "the classes seen so far are stored for the block of order {order}", facts, ["acc", `b${order}`]);
  }

  private setAccumulator(lo: number, hi: number): void {
    this.accLo = lo;
    this.accHi = hi;
    if (!this.obs.on) return;
    this.obs.cell("acc", { lo, hi });
    this.mirror?.({ lo, hi });
  }
}
