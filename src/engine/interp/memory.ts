/** Address spaces of a run: where regions are, and which one an address belongs to. */

/** Bytes of one space (or one buffer), little endian. */
export interface Region {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** A buffer in global memory. */
export interface Buffer extends Region {
  readonly name: string;
  readonly base: number;
}

/**
 * The map of addresses, all below 2^32 so that a 32-bit register can hold every one of them. A generic address below SHARED_END is shared memory (window
 * base 0: `cvta` is the identity), then comes local memory, the rest is global.
 */
export const SHARED_END = 0x0100_0000;
export const LOCAL_BASE = 0x0100_0000;
export const LOCAL_END = 0x0200_0000;
export const BUFFER_BASE = 0x1000_0000;
/** Unmapped bytes between two buffers, at least. */
export const GUARD_GAP = 0x1_0000;
/** Synthetic code addresses of jump tables: what `LEA` adds to and `BRX` maps back. */
export const TABLE_BASE = 0xf000_0000;
export const TABLE_STRIDE = 0x10_0000;
/** Bytes of a constant bank; there are banks 0 to 17. */
export const BANK_BYTES = 0x1_0000;
export const BANK_COUNT = 18;

/** The space of a generic address below 2^32; above, it is global. */
export function genericSpace(address: number): "SHARED" | "LOCAL" | "GLOBAL" {
  if (address < SHARED_END) return "SHARED";
  return address >= LOCAL_BASE && address < LOCAL_END ? "LOCAL" : "GLOBAL";
}

export function region(size: number): Region {
  const bytes = new Uint8Array(size);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** Global memory: a few buffers, found by address. */
export class GlobalMemory {
  private readonly buffers: readonly Buffer[];
  private last: Buffer | null = null;

  /** `buffers` need not be sorted; they do not overlap. */
  constructor(buffers: readonly Buffer[]) {
    this.buffers = buffers;
  }

  /** As it is now: what is stored later does not change the copy. */
  copy(): GlobalMemory {
    return new GlobalMemory(
      this.buffers.map(({ name, base, bytes }) => {
        const own = bytes.slice();
        return { name, base, bytes: own, view: new DataView(own.buffer) };
      }),
    );
  }

  /** The buffer that holds all of [address, address + size); null when there is none. */
  find(address: number, size: number): Buffer | null {
    const last = this.last;
    if (last !== null && address >= last.base && address + size <= last.base + last.bytes.length) return last;
    for (const buffer of this.buffers) {
      if (address >= buffer.base && address + size <= buffer.base + buffer.bytes.length) {
        this.last = buffer;
        return buffer;
      }
    }
    return null;
  }
}

/** Places buffers of the given sizes, in order, 256-byte aligned with a gap after each. */
export function placeBuffers(sizes: readonly { readonly name: string; readonly size: number }[]): Buffer[] {
  let base = BUFFER_BASE;
  return sizes.map(({ name, size }) => {
    const buffer = { name, base, ...region(size) };
    base = Math.ceil((base + size + GUARD_GAP) / 256) * 256;
    return buffer;
  });
}
