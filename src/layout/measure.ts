/** Computes block sizes from text, in columns and lines of a monospace font, never from the document. */

/** A card's dimensions in pixels. The view that draws the card passes its own. */
export interface CardMetrics {
  readonly charWidth: number;
  readonly lineHeight: number;
  /** Left plus right, and top plus bottom, borders included. */
  readonly paddingX: number;
  readonly paddingY: number;
  /** Label and badges above the lines. */
  readonly headerHeight: number;
  readonly minWidth: number;
  readonly maxColumns: number;
  /** Lines beyond this are cut, and one line says how many. */
  readonly maxLines: number;
  /** Least distance between two outgoing edges. */
  readonly portGap: number;
}

export interface CardText {
  /** Columns of the header: label and badges as they will be set. */
  readonly headerColumns: number;
  readonly lines: readonly string[];
  readonly successors: number;
}

export interface CardSize {
  readonly width: number;
  readonly height: number;
  /** Lines drawn as text; if some were cut, one more line has their number. */
  readonly shownLines: number;
  readonly cut: boolean;
}

export const defaultCardMetrics: CardMetrics = {
  charWidth: 7.2,
  lineHeight: 17,
  paddingX: 22,
  paddingY: 14,
  headerHeight: 24,
  minWidth: 96,
  maxColumns: 64,
  maxLines: 40,
  portGap: 14,
};

/** The size of a card showing `text`. Whole pixels, so that text stays sharp and lines meet their ports. */
export function measureCard(text: CardText, metrics: CardMetrics): CardSize {
  const cut = text.lines.length > metrics.maxLines;
  const shownLines = cut ? metrics.maxLines - 1 : text.lines.length;
  let columns = text.headerColumns;
  for (let i = 0; i < shownLines; i++) columns = Math.max(columns, textColumns(text.lines[i] ?? ""));
  columns = Math.min(columns, metrics.maxColumns);
  const wide = Math.ceil(columns * metrics.charWidth + metrics.paddingX);
  const ports = (text.successors + 1) * metrics.portGap;
  const rows = cut ? metrics.maxLines : text.lines.length;
  return {
    width: Math.max(wide, metrics.minWidth, ports),
    height: Math.ceil(metrics.headerHeight + rows * metrics.lineHeight + metrics.paddingY),
    shownLines,
    cut,
  };
}

/** The width of a text in cells of a monospace font: wide East Asian characters and most emoji take two, combining marks none. */
export function textColumns(text: string): number {
  let columns = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x300) columns += 1;
    else if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(char)) columns += 0;
    else columns += isWide(code) ? 2 : 1;
  }
  return columns;
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}
