/** The block's flag bits that a card shows, each with its mark and its word. Numbers: ori-ir, the block record (+280). */

import type { BlockView } from "../../../engine/api/types.ts";

export const IN_LOOP = 0x800000;
const LOOP_HEADER = 0x10;
const HAS_PRED = 0x20;
const EARLY_EXIT = 0x1;

export interface FlagBadge {
  readonly id: string;
  readonly mark: string;
  readonly text: string;
  readonly title: string;
  readonly alarm: boolean;
}

const HEADER: FlagBadge = { id: "header", mark: "↻", text: "head", title: "LOOP_HEADER 0x10: target of a retreating edge", alarm: false };
const LOOP: FlagBadge = {
  id: "loop",
  mark: "◌",
  text: "loop",
  title: "IN_LOOP 0x800000: its RPO number is in a loop's interval",
  alarm: false,
};
const PRED: FlagBadge = { id: "pred", mark: "↓", text: "pred", title: "HAS_PRED 0x20: it has a predecessor", alarm: false };
const EXIT: FlagBadge = { id: "exit", mark: "⇥", text: "exit", title: "EARLY_EXIT 0x1: begins with an exit", alarm: false };
const UNREACHABLE: FlagBadge = {
  id: "unreachable",
  mark: "⚠",
  text: "unreachable",
  title: "Not reachable from the entry",
  alarm: true,
};

/** Badges of a block, most telling first. A header is in its loop, which is not repeated. `numbers`: also what nearly every block has. */
export function flagBadges(block: Pick<BlockView, "flags">, unreachable: boolean, numbers: boolean): readonly FlagBadge[] {
  const badges: FlagBadge[] = [];
  if (unreachable) badges.push(UNREACHABLE);
  if ((block.flags & LOOP_HEADER) !== 0) badges.push(HEADER);
  else if ((block.flags & IN_LOOP) !== 0) badges.push(LOOP);
  if ((block.flags & EARLY_EXIT) !== 0) badges.push(EXIT);
  if (numbers && (block.flags & HAS_PRED) !== 0) badges.push(PRED);
  return badges;
}

/** `Func.flags`: bit 5 of +1377, a retreating edge whose target does not dominate its source. */
const RPO_VIOLATION = 0x20;

export const hasViolation = (funcFlags: number): boolean => (funcFlags & RPO_VIOLATION) !== 0;
