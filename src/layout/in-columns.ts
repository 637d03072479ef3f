/**
 * Draws a tall graph in columns, like a newspaper: cuts the drawing where there are no cards and few lines, puts the parts side by side,
 * and continues each cut line from the foot of one column to the head of the next. Where control flow is one long path down, as it mostly
 * is in compiled kernels, the whole then fits a window at twice to four times the size. `choose-columns.ts` decides when.
 */
import { withBounds } from "./bounds.ts";
import { chooseColumns, type FoldedSize, type Folding, type Size, type Window } from "./choose-columns.ts";
import { segmentsOf } from "./crossings.ts";
import { defaultSpacing, type GraphLayout, type Point, type Spacing } from "./types.ts";

/** The most lines that may continue from one column to the next; lines that run together count once. */
const MOST_LINES = 5;
const MOST_COLUMNS = 8;
/** The window that a drawing must fit, if none is given. */
const WINDOW: Size = { width: 900, height: 700 };

interface Cut {
  readonly y: number;
  /** Where lines pass, from left to right. */
  readonly at: readonly number[];
}

interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

interface Fold {
  readonly cuts: readonly Cut[];
  readonly bands: readonly Band[];
}

/** The number of columns in which `layout` is largest in a window; 1: unchanged. `before`: the number of the previous drawing. */
export function columnsFor(
  layout: GraphLayout,
  window: Window = WINDOW,
  folding: Folding = "automatic",
  before: number | null = null,
  spacing: Spacing = defaultSpacing,
): number {
  if (folding === "never") return 1;
  const cuts = cutsOf(layout);
  const sizes = Array.from({ length: MOST_COLUMNS }, (_, i) => sizeOf(foldOf(layout, cuts, i + 1), spacing));
  return chooseColumns(sizes, window, folding, before).columns;
}

/** `layout` in this many columns, or fewer if there is no place for a cut. */
export function inColumns(layout: GraphLayout, columns: number = columnsFor(layout), spacing: Spacing = defaultSpacing): GraphLayout {
  if (columns < 2) return layout;
  const { cuts, bands } = foldOf(layout, cutsOf(layout), columns);
  return cuts.length === 0 ? layout : arranged(layout, cuts, bands, spacing);
}

function foldOf(layout: GraphLayout, cuts: readonly Cut[], columns: number): Fold {
  const { top, bottom } = extent(layout);
  const chosen = evenly(cuts, top, bottom, columns);
  return { cuts: chosen, bands: bandsOf(layout, chosen, top, bottom) };
}

/** Heights at which the drawing can be cut: in each gap between cards, where the fewest lines pass. */
function cutsOf(layout: GraphLayout): Cut[] {
  const { across, down } = segmentsOf(layout.edges);
  const cards = [...layout.nodes].sort((a, b) => a.y - b.y);
  const bars = [...new Set(across.map((h) => h.at))].sort((a, b) => a - b);
  const cuts: Cut[] = [];
  let reached = Number.NEGATIVE_INFINITY;
  for (const card of cards) {
    if (card.y > reached && reached > Number.NEGATIVE_INFINITY) {
      const [low, high] = [reached, card.y];
      const marks = [low, ...bars.filter((y) => y > low && y < high), high];
      let least: Cut | null = null;
      for (let i = 0; i + 1 < marks.length; i++) {
        const y = Math.floor(((marks[i] ?? 0) + (marks[i + 1] ?? 0)) / 2);
        if (y <= (marks[i] ?? 0) || y >= (marks[i + 1] ?? 0)) continue;
        const at = [...new Set(down.filter((v) => v.low < y && v.high > y).map((v) => v.at))];
        if (at.length <= MOST_LINES && (least === null || at.length < least.at.length)) least = { y, at };
      }
      if (least !== null) cuts.push(least);
    }
    reached = Math.max(reached, card.y + card.height);
  }
  return cuts;
}

/** Cuts into `columns` parts of about equal height: each cut is near its ideal height and crosses few lines. */
function evenly(cuts: readonly Cut[], top: number, bottom: number, columns: number): Cut[] {
  const chosen: Cut[] = [];
  const part = (bottom - top) / columns;
  for (let i = 1; i < columns; i++) {
    const goal = top + i * part;
    const badness = ({ y, at }: Cut): number => Math.abs(y - goal) + (at.length * part) / 20;
    let best: Cut | null = null;
    for (const cut of cuts) if (cut.y > (chosen.at(-1)?.y ?? top) && (best === null || badness(cut) < badness(best))) best = cut;
    if (best !== null && Math.abs(best.y - goal) < part / 2) chosen.push(best);
  }
  return chosen;
}

function extent(layout: GraphLayout): { readonly top: number; readonly bottom: number } {
  const ys = [...layout.nodes.flatMap((n) => [n.y, n.y + n.height]), ...layout.edges.flatMap((e) => e.points.map((p) => p[1]))];
  return { top: ys.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY), bottom: ys.reduce((a, b) => Math.max(a, b), 0) };
}

function bandsOf(layout: GraphLayout, cuts: readonly Cut[], top: number, bottom: number): Band[] {
  const edges = [top, ...cuts.map((c) => c.y), bottom];
  return edges.slice(1).map((end, i) => {
    const start = edges[i] ?? top;
    let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const cover = (low: number, high: number): void => {
      left = Math.min(left, low);
      right = Math.max(right, high);
    };
    for (const n of layout.nodes) if (n.y >= start && n.y < end) cover(n.x, n.x + n.width);
    for (const { points } of layout.edges) {
      points.forEach(([x, y], k) => {
        const [px, py] = points[k - 1] ?? [x, y];
        if (Math.min(y, py) < end && Math.max(y, py) > start) cover(Math.min(x, px), Math.max(x, px));
      });
    }
    return left > right ? { top: start, bottom: end, left: 0, right: 0 } : { top: start, bottom: end, left, right };
  });
}

/** Room between two columns, in which the cut lines run up; both sides keep the free space between cards. */
function gutter(cut: Cut, spacing: Spacing): number {
  return 2 * spacing.node + Math.max(0, cut.at.length - 1) * spacing.edge;
}

/** Room above and below a column for the horizontal parts of the cut lines. */
function turning(cuts: readonly Cut[], spacing: Spacing): number {
  return spacing.layer / 2 + Math.max(0, ...cuts.map((c) => c.at.length)) * spacing.edge;
}

function sizeOf({ cuts, bands }: Fold, spacing: Spacing): FoldedSize {
  const gutters = cuts.reduce((sum, cut) => sum + gutter(cut, spacing), 0);
  const width = bands.reduce((sum, b) => sum + b.right - b.left, 0) + gutters + 2 * spacing.margin;
  const turns = cuts.length === 0 ? 0 : 2 * turning(cuts, spacing);
  const height = Math.max(...bands.map((b) => b.bottom - b.top)) + turns + 2 * spacing.margin;
  return { width, height, lines: Math.max(0, ...cuts.map(({ at }) => at.length)) };
}

function arranged(layout: GraphLayout, cuts: readonly Cut[], bands: readonly Band[], spacing: Spacing): GraphLayout {
  const head = turning(cuts, spacing);
  let right = 0;
  const moves = bands.map((band, i) => {
    const before = cuts[i - 1];
    if (before !== undefined) right += gutter(before, spacing);
    const dx = right - band.left;
    right += band.right - band.left;
    return { dx, dy: head - band.top, end: right, foot: head + band.bottom - band.top };
  });
  const inBand = (y: number): number => {
    let i = 0;
    while (i < cuts.length && y > (cuts[i]?.y ?? 0)) i++;
    return i;
  };
  const moved = ([x, y]: Point, band: number): Point => [x + (moves[band]?.dx ?? 0), y + (moves[band]?.dy ?? 0)];
  /** From the foot of column `i` to the head of the next, for a line that comes down at `x`. The rightmost turns first, and inside the others. */
  const over = (i: number, x: number): Point[] => {
    const at = [...(cuts[i]?.at ?? [])].sort((a, b) => b - a);
    const turn = at.indexOf(x) + 1;
    const [from, to] = [moves[i], moves[i + 1]];
    if (from === undefined || to === undefined) return [];
    const up = from.end + spacing.node + (turn - 1) * spacing.edge;
    const [low, high] = [from.foot + turn * spacing.edge, head - (at.length - turn + 1) * spacing.edge];
    return [
      [x + from.dx, low],
      [up, low],
      [up, high],
      [x + to.dx, high],
    ];
  };
  const nodes = layout.nodes.map((n) => {
    const [x, y] = moved([n.x, n.y], inBand(n.y));
    return { ...n, x, y };
  });
  const edges = layout.edges.map((edge) => {
    const points: Point[] = [];
    edge.points.forEach((p, k) => {
      const previous = edge.points[k - 1];
      const band = inBand(p[1]);
      if (previous !== undefined) {
        const from = inBand(previous[1]);
        for (let i = from; i < band; i++) points.push(...over(i, p[0]));
        for (let i = from - 1; i >= band; i--) points.push(...over(i, p[0]).reverse());
      }
      points.push(moved(p, band));
    });
    return { ...edge, points };
  });
  return withBounds({ ...layout, nodes, edges }, spacing.margin);
}
