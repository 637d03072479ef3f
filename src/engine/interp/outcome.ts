/** Inputs and results of a run, as plain data. */

import type { BlockId } from "../ir/ids.ts";
import type { Inst } from "../ir/types.ts";
import type { EffectEntry } from "./machine.ts";
import type { Buffer, Region } from "./memory.ts";
import type { FollowedStandIns } from "./stand-ins.ts";

/** A parameter's value: 32 bits unsigned, or 64 bits as [low, high]; for a predicate 0 or 1. */
export type ParamValue = number | readonly [lo: number, hi: number];

export interface RunInputs {
  /** 1 to 1024; of a kernel that requires a size of its block, at most so many run. */
  readonly threads: number;
  /** Warp instructions that may be issued. */
  readonly fuel: number;
  /** By parameter index; a function gives every thread its own. Missing: 0, a stand-in. */
  readonly args: readonly (ParamValue | ((thread: number) => ParamValue) | undefined)[];
  /** Global memory; the contents are changed. See `placeBuffers`. */
  readonly buffers: readonly Buffer[];
  /** Contents of constant banks; bytes after the contents, and banks not given, read as 0. */
  readonly constants?: ReadonlyMap<number, Uint8Array>;
  /** Parameters in constant bank 0, from their offsets on. */
  readonly paramBytes?: readonly { readonly offset: number; readonly bytes: Uint8Array }[];
  /** Nested calls a thread may make; default 64. */
  readonly callDepth?: number;
  readonly sharedBytes?: number;
  readonly localBytes?: number;
  /** Block dimensions, where the kernel requires none; default [threads, 1, 1]. */
  readonly blockDim?: readonly [number, number, number];
  readonly gridDim?: readonly [number, number, number];
  readonly blockIdx?: readonly [number, number, number];
  /**
   * Which of several warps and of several paths of a warp runs first, and whether the paths of a warp take turns, another one after each access to memory. A
   * program without races gives the same in each order. Default `lowest`.
   */
  readonly schedule?: "lowest" | "highest" | "turns";
  /** What a thread's n-th read of a clock gives, from 1 on, by that instruction; by default it advances by about 16. */
  readonly clock?: (thread: number, read: number, inst: number) => number;
  /**
   * Threads that wait let the others run, as hardware from sm_70 on has it: a path that runs long without an end makes room for other paths and warps, and lanes that
   * wait for it outside a region go on without it. Which lanes converge may differ from a run without.
   */
  readonly independent?: boolean;
  /** Special registers with a value of their own, by name (`SR_ENVREG3`). */
  readonly specials?: ReadonlyMap<string, number>;
  /** Say which results are stand-ins (`stand-ins.ts`); a run that does takes longer. */
  readonly follow?: boolean;
  /** Called when lanes of a warp enter a block of the function that was started; the mask has a bit a lane. */
  readonly entered?: (warp: number, block: BlockId, mask: number) => void;
}

export interface Counters {
  /** Instructions issued, once a warp and path; PHIs are not counted. */
  warpInstructions: number;
  /** Lanes for which an issued instruction's guard held, summed up. */
  laneInstructions: number;
  branches: number;
  divergentBranches: number;
  maxSyncDepth: number;
  /** Memory instructions issued by at least one lane (an atomic is both). */
  loads: number;
  stores: number;
}

export interface Stop {
  readonly func: string;
  readonly block: BlockId;
  readonly label: string;
  readonly inst: Inst | null;
  /** Thread of the block. */
  readonly thread: number;
  readonly address: number | null;
}

export interface ExecOutcome {
  readonly status: "ok" | "trap" | "fuel" | "deadlock";
  readonly stop: Stop | null;
  readonly message: string;
  /** For each observed register of the function, its words by thread (`hi` for 64 bit); meaningful where `returned`. */
  readonly returns: readonly { readonly lo: Uint32Array; readonly hi: Uint32Array | null }[];
  /** By thread: 1 when it ended by RET (of a kernel: too). */
  readonly returned: Uint8Array;
  /** Global memory afterwards: the buffers given, then declared symbols (`null` when there are none). */
  readonly buffers: readonly Buffer[];
  readonly symbols: Region | null;
  readonly effects: readonly EffectEntry[];
  readonly effectDigest: Uint32Array;
  readonly effectCount: Uint32Array;
  /** By thread: how often it read a clock. */
  readonly clockReads: Uint32Array;
  readonly counters: Counters;
  /** By block id of the function that was started. */
  readonly executions: Uint32Array;
  readonly divergences: Uint32Array;
  /** By block id as well: 1 where lanes entered the block without some live lane of their warp. */
  readonly partial: Uint8Array;
  /** null where the run did not follow them, or the program can have none. */
  readonly standIns: FollowedStandIns | null;
}
