/** Decides by sizes alone whether a drawing is folded into columns: only if its text becomes larger in the window that it must fit. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of a drawing in columns. */
export interface FoldedSize extends Size {
  /** The most lines that continue across one cut. */
  readonly lines?: number;
}

/** Columns if they make the text larger, never, or wherever the drawing can be cut. */
export type Folding = "automatic" | "never" | "always";

/** The window that a drawing must fit. */
export interface Window extends Size {
  /** Text is hidden below this zoom. If columns would need a smaller one, the drawing stays in one piece, which is easier to scroll. */
  readonly least?: number;
}

export interface Chosen {
  /** 1: in one piece. */
  readonly columns: number;
  /** The zoom at which the whole drawing fits the window, at most 1. */
  readonly zoom: number;
}

/** Columns must enlarge the text by this factor, plus this much for each line past two at a cut, since the reader must follow them across. */
const [WORTH, LINE] = [1.15, 0.06];
/** A zoom within the first factor of the best is good enough if it needs fewer columns; within the second, if the previous drawing had as many. */
const [AS_GOOD, AS_BEFORE] = [0.97, 0.85];

/** `sizes`: the drawing in one, two, three, … columns; where it cannot be cut that often, a size repeats. `before`: columns of the phase before. */
export function chooseColumns(sizes: readonly FoldedSize[], window: Window, folding: Folding, before: number | null = null): Chosen {
  const zooms = sizes.map(({ width, height }) => Math.min(1, window.width / width, window.height / height));
  const whole = zooms[0] ?? 1;
  const isFolded = (at: number): boolean => sizes[at]?.width !== sizes[0]?.width || sizes[at]?.height !== sizes[0]?.height;
  const largest = Math.max(0, ...zooms.filter((_, at) => isFolded(at)));
  const isWorth = (at: number): boolean =>
    isFolded(at) && (zooms[at] ?? 0) >= (WORTH + LINE * Math.max(0, (sizes[at]?.lines ?? 0) - 2)) * whole;
  const best = folding === "always" ? largest : Math.max(0, ...zooms.filter((_, at) => isWorth(at)));
  if (folding === "automatic" && largest < (window.least ?? 0)) return { columns: 1, zoom: zooms[0] ?? 1 };
  const same = before === null ? undefined : zooms[before - 1];
  if (
    before !== null &&
    same !== undefined &&
    folding === "automatic" &&
    (before === 1 || isFolded(before - 1)) &&
    same >= AS_BEFORE * Math.max(...zooms)
  )
    return { columns: before, zoom: same };
  const accepts = folding === "always" ? isFolded : isWorth;
  const at = folding !== "never" && best > 0 ? zooms.findIndex((zoom, i) => accepts(i) && zoom >= AS_GOOD * best) : 0;
  return { columns: Math.max(0, at) + 1, zoom: zooms[Math.max(0, at)] ?? 1 };
}
