/** The programs that were on screen before: undoing a replacement restores their title and options with their text. */

import type { SourceFormat } from "../../../engine/api/types.ts";
import { type BreakpointEntry, type CoreState, type DocumentSlice, type OptionsSlice, type Origin, USUAL } from "../state.ts";

/** A program and all that belongs to it rather than to the page. */
export interface Program {
  readonly text: string;
  readonly title: string;
  readonly format: SourceFormat | null;
  readonly example: string | null;
  readonly origin: Origin;
  readonly edited: boolean;
  readonly work: string | null;
  readonly unclaimed: DocumentSlice["unclaimed"];
  readonly options: OptionsSlice;
  readonly breakpoints: readonly BreakpointEntry[];
  readonly featureData: FeatureData;
}

/** What features store of a program: each declares its fields here. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface FeatureData {}

const MAX_PROGRAMS = 20;
const MAX_CHARACTERS = 16_000_000;

/** The open program. */
export function programOf({ document, options, breakpoints }: CoreState, featureData: FeatureData): Program {
  const { text, title, format, example, origin, edited, work, unclaimed } = document;
  return { text, title, format, example, origin, edited, work, unclaimed, options, breakpoints: breakpoints.list, featureData };
}

/** The options for a new program, without those set by an example of one phase or by a link. */
export function usualOptions({ pipeline }: OptionsSlice): OptionsSlice {
  const { phases, noPhases, namedPhases, until, interventions = [] } = pipeline;
  const whole = phases === null && until === null && noPhases.length === 0 && namedPhases.length === 0 && interventions.length === 0;
  return { kernel: null, pipeline: whole ? pipeline : { ...pipeline, ...USUAL } };
}

/** Breakpoints on blocks and instructions name them by number, which means nothing in another program. */
function lastingBreakpoints(list: readonly BreakpointEntry[]): readonly BreakpointEntry[] {
  return list.filter((entry) => entry.breakpoint.kind !== "subject");
}

/** A program that was not open before: the user's own, run with the defaults unless specified. */
export function newProgram({ options, breakpoints }: CoreState, part: Partial<Program> & Pick<Program, "text" | "edited">): Program {
  const about = { title: "untitled", format: null, example: null, origin: "own", work: null, unclaimed: {} } as const;
  const list = lastingBreakpoints(breakpoints.list);
  return { ...about, options: usualOptions(options), breakpoints: list, featureData: {}, ...part };
}

export interface Programs {
  remember(program: Program): void;
  /** The program that had this text when it was replaced; null if there was none. */
  withText(text: string): Program | null;
}

export function createPrograms(): Programs {
  let kept: readonly Program[] = [];
  return {
    remember(program) {
      if (isBlank(program.text)) return;
      kept = [...kept.filter((p) => p.text !== program.text || p.work !== program.work), program].slice(-MAX_PROGRAMS);
      while (kept.length > 1 && kept.reduce((n, p) => n + p.text.length, 0) > MAX_CHARACTERS) kept = kept.slice(1);
    },
    withText: (text) => kept.findLast((p) => sameText(p.text, text)) ?? null,
  };
}

export const isBlank = (text: string): boolean => !/\S/.test(text);

/** Leading characters that distinguish most texts. */
const HEAD = 1_000;

/** An editor normalizes line ends. Texts are compared at every key, so those that cannot be equal are not searched for line ends. */
function sameText(a: string, b: string): boolean {
  if (a.length === b.length && a === b) return true;
  if (a.length > 2 * b.length || b.length > 2 * a.length) return false;
  const [headA, headB] = [a, b].map((text) =>
    text
      .slice(0, HEAD)
      .replace(/\r\n?/g, "\n")
      .slice(0, HEAD / 2),
  );
  if (headA !== headB) return false;
  return (a.includes("\r") || b.includes("\r")) && a.replace(/\r\n?/g, "\n") === b.replace(/\r\n?/g, "\n");
}

/** The number of characters that two texts share at each end, counted up to `enough`. */
function sharedEnds(before: string, after: string, enough: number): number {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < Math.min(shorter, enough) && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < Math.min(shorter - head, enough) &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  return head + tail;
}

/** Whether a text shares next to nothing with the one before it: less than a twentieth at its two ends. */
export function isOtherProgram(before: string, after: string): boolean {
  const shorter = Math.min(before.length, after.length);
  if (shorter === 0) return false;
  const longer = Math.max(before.length, after.length);
  // With that much in common at either end it is the same program, however long both are.
  const shared = sharedEnds(before, after, Math.ceil(longer / 20));
  return shared * 20 < longer && shared * 2 < shorter;
}

/** Fewer characters are a slip, shorter than any comment or instruction: clearing them does not start a different program. */
const SLIP = 8;

/** Whether a text that follows a cleared one is a different program rather than the old one restored: programs of one language often begin and end alike. */
export function isOtherAfterClearing(before: string, after: string): boolean {
  if (before.trim().length < SLIP || sameText(before, after)) return false;
  return sharedEnds(before, after, before.length) * 4 < before.length * 3;
}
