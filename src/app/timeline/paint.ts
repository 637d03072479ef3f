/** Draws the scrubber: one lane a group, so that the place says the kind and the colour only helps. */

import { KIND_GROUPS } from "../session/event-kinds.ts";
import { type Lanes, SPAN_LEVELS } from "./lanes.ts";

export const TICK_HEIGHT = 10;
export const LANE_HEIGHT = 12;
export const SPAN_HEIGHT = 5;
export const SCRUBBER_HEIGHT: number = TICK_HEIGHT + KIND_GROUPS.length * LANE_HEIGHT + SPAN_LEVELS * SPAN_HEIGHT + 4;

/** All kinds on one line, with room above for breakpoints. */
export const LINE_HEIGHT = 28;
const LINE_TICKS = 7;

export interface Palette {
  readonly groups: readonly string[];
  readonly line: string;
  readonly span: string;
  readonly cursor: string;
  readonly breakpoint: string;
}

/** Reads the colours of the theme from the element's custom properties. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    groups: KIND_GROUPS.map((g) => value(`--kind-${g}`)),
    line: value("--border"),
    span: value("--border-strong"),
    cursor: value("--accent"),
    breakpoint: value("--error"),
  };
}

export interface Painting {
  readonly width: number;
  readonly steps: number;
  readonly lanes: Lanes;
  readonly ticks: Int32Array;
  readonly palette: Palette;
}

/** Everything but the cursor. `context` is scaled to CSS pixels. */
export function paintLanes(context: CanvasRenderingContext2D, { width, steps, lanes, ticks, palette }: Painting): void {
  context.clearRect(0, 0, width, SCRUBBER_HEIGHT);
  const { columns, counts, peaks } = lanes;
  const columnWidth = width / columns;
  const bar = Math.max(1, columnWidth - (columnWidth > 4 ? 1 : 0));
  for (const [group, colour] of palette.groups.entries()) {
    const bottom = TICK_HEIGHT + (group + 1) * LANE_HEIGHT;
    context.fillStyle = palette.line;
    context.fillRect(0, bottom - 0.5, width, 0.5);
    const peak = peaks[group] ?? 0;
    if (peak === 0) continue;
    context.fillStyle = colour;
    for (let column = 0; column < columns; column++) {
      const count = counts[group * columns + column] ?? 0;
      if (count === 0) continue;
      const height = Math.max(2.5, Math.sqrt(count / peak) * (LANE_HEIGHT - 2));
      context.fillRect(column * columnWidth, bottom - height, bar, height);
    }
  }
  const top = TICK_HEIGHT + KIND_GROUPS.length * LANE_HEIGHT + 3;
  const stepWidth = steps === 0 ? 0 : width / steps;
  context.fillStyle = palette.span;
  for (const span of lanes.spans) {
    const x = span.first * stepWidth;
    const w = (span.last - span.first + 1) * stepWidth;
    if (w >= 1.5) context.fillRect(x, top + span.depth * SPAN_HEIGHT, Math.max(1, w - 1), SPAN_HEIGHT - 2);
  }
  paintTicks(context, ticks, stepWidth, palette, TICK_HEIGHT / 2);
}

/** Bars of one line: the weightiest kind of a column gives the colour and the height, so that changes are visible within the walk around them. */
export function paintLine(context: CanvasRenderingContext2D, { width, steps, lanes, ticks, palette }: Painting): void {
  context.clearRect(0, 0, width, LINE_HEIGHT);
  const { columns, counts } = lanes;
  const columnWidth = width / columns;
  const bar = Math.max(1, columnWidth - (columnWidth > 4 ? 1 : 0));
  const room = LINE_HEIGHT - LINE_TICKS;
  context.fillStyle = palette.line;
  context.fillRect(0, LINE_HEIGHT - 1, width, 1);
  for (let column = 0; column < columns; column++) {
    const group = KIND_GROUPS.findIndex((_, g) => (counts[g * columns + column] ?? 0) > 0);
    if (group < 0) continue;
    const height = group === 0 ? room : group === 1 ? room * 0.62 : room * 0.32;
    context.fillStyle = palette.groups[group] ?? palette.span;
    context.fillRect(column * columnWidth, LINE_HEIGHT - height, bar, height);
  }
  paintTicks(context, ticks, steps === 0 ? 0 : width / steps, palette, LINE_TICKS / 2);
}

function paintTicks(context: CanvasRenderingContext2D, ticks: Int32Array, stepWidth: number, palette: Palette, y: number): void {
  context.fillStyle = palette.breakpoint;
  let last = -10;
  for (const tick of ticks) {
    const x = (tick + 0.5) * stepWidth;
    if (x - last < 1) continue;
    last = x;
    context.beginPath();
    context.arc(x, y, 3, 0, 2 * Math.PI);
    context.fill();
  }
}
