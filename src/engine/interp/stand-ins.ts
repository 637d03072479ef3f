/**
 * Which values of a run are stand-ins: made up, because the model does not know the real ones. Each is marked where it comes from (results of opaque
 * instructions and textures, special registers without a value, registers and memory that nothing has written), and the marks follow it through registers,
 * predicates, memory, lanes, calls and atomics (`follow.ts`).
 *
 * Memory is marked byte by byte, here: with the number of the source, 0 for a known value. Marks of registers are in `marks.ts`.
 */

import type { Reg } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { UNWRITTEN } from "./marks.ts";
import type { Buffer, Region } from "./memory.ts";

/** Where stand-ins come from. */
export interface StandInSource {
  /**
   * `function`: equal inputs give equal stand-ins, as the real instruction would (opaque results, textures, clocks). `value`: one value was taken where the real
   * one may be any.
   */
  readonly kind: "function" | "value";
  /** In words: `the opaque instruction 'foo.b32'`, `the special register SR_SMEMSZ`. */
  readonly what: string;
  readonly func: string;
  /** In the text that was read; 0 where there is none. */
  readonly line: number;
}

/** What a run rests on when a stand-in decided where it went, whether an instruction with an effect ran, or which address it used. */
export interface Undecided {
  /** What it decided: `the branch`, `whether STG runs`. */
  readonly what: string;
  readonly func: string;
  readonly line: number;
  readonly source: StandInSource;
}

/** What an outcome says of stand-ins. Numbers of sources begin at 1; 0: a known value. */
export interface FollowedStandIns {
  readonly undecided: Undecided | null;
  readonly sources: readonly StandInSource[];
  /** For each observed register, by thread. */
  readonly returns: readonly Uint8Array[];
  /** For each buffer, by byte; null: all of it is known. */
  readonly buffers: readonly (Uint8Array | null)[];
  readonly symbols: Uint8Array | null;
  /** Opaque instructions that ran and may have written memory: what they wrote is not shown. */
  readonly stores: readonly StandInSource[];
}

export type Span = readonly [from: number, to: number];

export const NOTHING_WROTE: StandInSource = { kind: "value", what: "memory that nothing has written", func: "", line: 0 };

/** Further sources share the last number. */
const MOST_SOURCES = 254;

export class StandIns {
  undecided: Undecided | null = null;
  /** A block reduction has counted a stand-in, from this source. */
  voted = 0;
  private readonly sources: StandInSource[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly stores = new Map<Inst, StandInSource>();
  private readonly memory = new Map<DataView, Uint8Array>();
  /** The marks of what stores can reach. */
  private readonly writable: Uint8Array[] = [];
  private lastView: DataView | null = null;
  private lastBytes: Uint8Array | null = null;

  /** The number of a source, the same for the same words at the same place. */
  number(source: StandInSource): number {
    const key = `${source.kind}/${source.func}/${source.line}/${source.what}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      if (this.sources.length < MOST_SOURCES) this.sources.push(source);
      number = this.sources.length;
      this.numbers.set(key, number);
    }
    return number;
  }

  sourceOf(number: number): StandInSource {
    return this.sources[number - 1] ?? NOTHING_WROTE;
  }

  /** The first time counts. */
  decide(what: string, func: string, line: number, why: number): void {
    this.undecided ??= { what, func, line, source: this.sourceOf(why) };
  }

  /** Memory of a run: `known` has contents from the start, the rest has none. */
  begin({ bytes, view }: Region, known: readonly Span[] | "all", writable = true): void {
    const marks = new Uint8Array(bytes.length);
    if (known !== "all") {
      marks.fill(UNWRITTEN);
      for (const [from, to] of known) marks.fill(0, from, to);
    }
    this.memory.set(view, marks);
    if (writable) this.writable.push(marks);
  }

  /** The marks of a region; null where it has none, as memory at launch. */
  of(view: DataView): Uint8Array | null {
    if (view !== this.lastView) {
      this.lastView = view;
      this.lastBytes = this.memory.get(view) ?? null;
    }
    return this.lastBytes;
  }

  /** An opaque instruction may have written any memory. */
  mayHaveStored(inst: Inst, source: StandInSource): void {
    this.stores.set(inst, source);
    const number = this.number(source);
    for (const marks of this.writable) marks.fill(number);
  }

  /** What the run says in the end. `returns` as in `FollowedStandIns`. */
  followed(buffers: readonly Buffer[], symbols: Region | null, returns: readonly Uint8Array[]): FollowedStandIns {
    const marksOf = (one: Region | null): Uint8Array | null => {
      const marks = one === null ? null : (this.memory.get(one.view) ?? null);
      return marks?.some((why) => why !== 0) === true ? marks : null;
    };
    return {
      undecided: this.undecided,
      sources: this.sources,
      returns,
      buffers: buffers.map(marksOf),
      symbols: marksOf(symbols),
      stores: [...this.stores.values()],
    };
  }
}

/** The first stand-in of kind `value` that a run's results rest on, in words; null where they rest on none. */
export function restsOn({ undecided, sources, returns, buffers, symbols }: FollowedStandIns): string | null {
  if (undecided?.source.kind === "value") return `${undecided.what} depends on ${undecided.source.what}`;
  for (const marks of [...returns, ...buffers, symbols])
    for (const why of marks ?? []) if (mayBeAny({ sources }, why)) return `results depend on ${(sources[why - 1] ?? NOTHING_WROTE).what}`;
  return null;
}

/** Whether a mark is of kind `value`. */
export function mayBeAny({ sources }: Pick<FollowedStandIns, "sources">, why: number | undefined): boolean {
  return why !== undefined && why !== 0 && (sources[why - 1] ?? NOTHING_WROTE).kind === "value";
}

/** Of a register that is read before anything has written it. */
export const unwritten = (r: Reg): string => `${regName(r)}, which nothing has written`;
