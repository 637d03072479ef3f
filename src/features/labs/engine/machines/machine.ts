/** An algorithm that a student carries out move by move; any legal choice counts. */

import type { Context, Input } from "../kinds/kind.ts";

/** The state of an algorithm. A move is a line of text, so that it can be typed as well as drawn. */
export interface Machine {
  /** Why a move is not legal now; null: it is. */
  problem(move: string): string | null;
  /** Makes a legal move. */
  apply(move: string): void;
  /** A legal move, ours; null: all is done. */
  model(): string | null;
}

export interface MachineSpec {
  readonly block?: string | undefined;
  readonly register?: string | undefined;
  readonly cut?: readonly (readonly [string, string])[] | undefined;
  readonly phase?: string | undefined;
  readonly when?: string | undefined;
  readonly fact?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly keys?: readonly number[] | undefined;
  readonly count?: number | undefined;
  readonly input?: Input | undefined;
}

export interface MachineKind {
  readonly name: string;
  /** What a move looks like. */
  readonly moves: string;
  readonly needs: readonly (keyof MachineSpec)[];
  /** What the machine works on instead of a program, in words: it needs none then. */
  readonly program?: (spec: MachineSpec, ctx: Context) => string;
  readonly start: (spec: MachineSpec, ctx: Context) => Machine;
}

/** `BB3: R1 R2` as its parts; without a colon the second part is null. */
export function movePair(move: string): readonly [string, readonly string[] | null] {
  const at = move.indexOf(":");
  if (at < 0) return [move.trim(), null];
  const items = move
    .slice(at + 1)
    .split(/[\s,]+/)
    .filter((w) => w !== "" && w !== "-" && w.toLowerCase() !== "none");
  return [move.slice(0, at).trim(), items];
}

export function sameSet(a: Iterable<string>, b: Iterable<string>): boolean {
  const [x, y] = [new Set(a), new Set(b)];
  return x.size === y.size && [...x].every((item) => y.has(item));
}

export const orNone = (items: Iterable<string>): string => [...items].join(" ") || "none";
