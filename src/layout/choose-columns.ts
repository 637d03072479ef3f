/** Whether a drawing is folded into columns, decided by sizes alone: if its text becomes larger in the window that it must fit. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of a drawing in columns. */
export interface FoldedSize extends Size {
  /** Lines led on at one cut, at most. */
  readonly lines?: number;
}

/** Columns if they make the text larger, never, or wherever the drawing can be cut. */
export type Folding = "automatic" | "never" | "always";

/** The window that a drawing must fit. */
export interface Window extends Size {
  /** Letters smaller than at this zoom are not shown: a drawing that does not fit so is moved through, best in one piece. */
  readonly least?: number;
}

export interface Chosen {
  /** 1: in one piece. */
  readonly columns: number;
  /** Of the whole drawing in the window, 1 at most. */
  readonly zoom: number;
}

/** Letters have to become this much larger, and this much more for each line past two at a cut, which a reader has to follow across. */
const [WORTH, LINE] = [1.15, 0.06];
/** What makes them hardly smaller is as good, if it has fewer columns; or much as good, if it is what the drawing before had. */
const [AS_GOOD, AS_BEFORE] = [0.97, 0.85];

/** `sizes`: the drawing in one piece, in two columns, in three, and so on; where it can't be cut so often, a size comes again. `before`: columns of the phase before. */
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
