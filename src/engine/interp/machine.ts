/** The mutable state that compiled instructions work on: one warp's registers, and the run's memory, effects and faults. */

import { mix } from "../../base/hash.ts";
import { AsyncCopies } from "./async-copies.ts";
import { lanesOf } from "./lanes.ts";
import type { Marks } from "./marks.ts";
import type { GlobalMemory, Region } from "./memory.ts";

export const LANES = 32;

/**
 * Registers of one activation of a function, for the 32 lanes of a warp. `r` holds rows of 32 words (a 64-bit register is two rows, low words
 * first), `p` one lane mask a predicate.
 */
export interface Frame {
  readonly r: Uint32Array;
  readonly p: Int32Array;
  /** Which of these values are stand-ins; empty where the run does not follow them. */
  readonly marks: Marks;
}

/** A compiled instruction: runs for the lanes of `mask` (never empty). */
export type Exec = (s: Frame, mask: number, m: Machine) => void;

/** Why a run stopped: what a lane did wrong. */
export interface Fault {
  readonly message: string;
  readonly lane: number;
  readonly address: number | null;
}

/** What one OPAQUE store, barrier or call did, in the order of the run. */
export interface EffectEntry {
  readonly text: string;
  readonly thread: number;
  readonly digest: number;
}

/** How many effect entries are kept in readable form; the digests cover all of them. */
export const EFFECT_LOG_LIMIT = 256;

/** Reads of a clock are numbered per thread, so that they do not depend on how the program was arranged; the steps differ, so that no difference of two reads is a constant. */
const usualClock = (_thread: number, read: number): number => 16 * read + ((5 * Math.imul(read, read)) & 15);

/** What the instructions of all warps share. `warp` says whose turn it is. */
export class Machine {
  readonly threads: number;
  readonly global: GlobalMemory;
  /** Global memory as the run found it: a copy where some instruction reads it. */
  readonly launched: GlobalMemory;
  readonly localBytes: number;
  private sharedMemory: Region | null = null;
  private readonly makeShared: () => Region;
  private readonly begun: ((local: Region) => void) | undefined;
  private readonly locals: (Region | undefined)[] = [];
  private readonly constants: ReadonlyMap<number, Region>;
  warp = 0;
  fault: Fault | null = null;
  loads = 0;
  stores = 0;
  /** By thread: clock reads so far, changes of memory or of the outside so far (plain stores apart), digest of the effects so far and their number. */
  readonly clocks: Uint32Array;
  readonly epochs: Uint32Array;
  /** What each thread has stored; null where no OPAQUE load depends on it. */
  readonly stored: StoredBytes | null;
  readonly effectDigest: Uint32Array;
  readonly effectCount: Uint32Array;
  readonly effects: EffectEntry[] = [];
  readonly copies = new AsyncCopies();
  readonly specials: SpecialValues;
  /** What a thread's n-th read of a clock gives, by that instruction. */
  readonly clock: (thread: number, read: number, inst: number) => number;

  constructor(parts: {
    readonly threads: number;
    readonly global: GlobalMemory;
    readonly readsLaunched: boolean;
    readonly readsStored: boolean;
    /** Called when shared memory is first touched. */
    readonly makeShared: () => Region;
    readonly localBytes: number;
    readonly constants: ReadonlyMap<number, Region>;
    readonly specials: SpecialValues;
    /** Called when the local memory of a warp is first touched. */
    readonly begun?: (local: Region) => void;
    readonly clock?: ((thread: number, read: number, inst: number) => number) | undefined;
  }) {
    this.threads = parts.threads;
    this.global = parts.global;
    this.launched = parts.readsLaunched ? parts.global.copy() : parts.global;
    this.makeShared = parts.makeShared;
    this.begun = parts.begun;
    this.localBytes = parts.localBytes;
    this.constants = parts.constants;
    this.specials = parts.specials;
    this.clock = parts.clock ?? usualClock;
    this.clocks = new Uint32Array(parts.threads);
    this.epochs = new Uint32Array(parts.threads);
    this.stored = parts.readsStored ? new StoredBytes(parts.threads) : null;
    this.effectDigest = new Uint32Array(parts.threads);
    this.effectCount = new Uint32Array(parts.threads);
  }

  /** Stops the run; the first fault of an instruction counts. */
  trap(message: string, lane: number, address: number | null = null): void {
    this.fault ??= { message, lane, address };
  }

  /** Index of a lane's thread in the block. */
  thread(lane: number): number {
    return this.warp * LANES + lane;
  }

  get shared(): Region {
    this.sharedMemory ??= this.makeShared();
    return this.sharedMemory;
  }

  /** Local memory of all lanes of the current warp, one after the other. */
  local(): Region {
    let region = this.locals[this.warp];
    if (region === undefined) {
      const bytes = new Uint8Array(this.localBytes * LANES);
      region = { bytes, view: new DataView(bytes.buffer) };
      this.locals[this.warp] = region;
      this.begun?.(region);
    }
    return region;
  }

  /** A constant bank; null when there is none of that number. Banks not given read as zero. */
  bank(number: number): Region | null {
    return this.constants.get(number) ?? null;
  }

  effect(text: string, lane: number, digest: number): void {
    const thread = this.thread(lane);
    this.effectDigest[thread] = digest;
    this.effectCount[thread] = (this.effectCount[thread] as number) + 1;
    this.epochs[thread] = (this.epochs[thread] as number) + 1;
    if (this.effects.length < EFFECT_LOG_LIMIT) this.effects.push({ text, thread, digest });
  }

  /** A volatile access at `place`: it is an effect with what it writes, `bytes` of them. */
  access(text: string, lane: number, view: DataView, place: number, bytes: number): void {
    const thread = this.thread(lane);
    let digest = mix(this.effectDigest[thread] as number, place);
    for (let i = 0; i < text.length; i++) digest = mix(digest, text.charCodeAt(i));
    for (let i = 0; i < bytes; i++) digest = mix(digest, view.getUint8(place + i));
    this.effect(text, lane, digest);
  }

  /** Notes that the lanes changed memory other than by a plain store: what an OPAQUE load reads afterwards is another value. */
  touch(mask: number): void {
    for (const l of lanesOf(mask)) {
      const thread = this.thread(l);
      this.epochs[thread] = (this.epochs[thread] as number) + 1;
    }
  }
}

/**
 * The bytes that each thread has stored, each as it was stored last. The digest of a thread depends on nothing else: a store that is overwritten before
 * anything reads it may be removed.
 */
export class StoredBytes {
  readonly digests: Int32Array;
  /** By thread, then by region: place → byte. */
  private readonly bytes: (Map<DataView, Map<number, number>> | undefined)[] = [];

  constructor(threads: number) {
    this.digests = new Int32Array(threads);
  }

  note(thread: number, view: DataView, place: number, size: number): void {
    const regions = this.bytes[thread] ?? new Map<DataView, Map<number, number>>();
    this.bytes[thread] = regions;
    const known = regions.get(view) ?? new Map<number, number>();
    regions.set(view, known);
    let digest = this.digests[thread] as number;
    for (let at = place; at < place + size; at++) {
      const before = known.get(at);
      const byte = view.getUint8(at);
      if (before !== undefined) digest -= mix(at, before);
      digest += mix(at, byte);
      known.set(at, byte);
    }
    // A sum, so that it does not depend on the order, nor on what was stored in between.
    this.digests[thread] = digest;
  }
}

/** Shape of the launch, for the special registers. */
export interface SpecialValues {
  readonly blockDim: readonly [number, number, number];
  readonly gridDim: readonly [number, number, number];
  readonly blockIdx: readonly [number, number, number];
  /** Special registers that the run was given, by name. */
  readonly given: ReadonlyMap<string, number>;
}
