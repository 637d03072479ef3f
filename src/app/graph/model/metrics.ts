/** Pixels of the graph's cards. The style sheets of the cards repeat these numbers: sizes come from text, never from the document. */

import type { CardMetrics } from "../../../layout/measure.ts";

/** Header: one row with the label and its badges. Text at 12 px in a monospace font is 7.2 to 7.25 wide. */
export const CARD: CardMetrics = {
  charWidth: 7.25,
  lineHeight: 17,
  paddingX: 24,
  paddingY: 12,
  headerHeight: 24,
  minWidth: 164,
  maxColumns: 56,
  maxLines: 40,
  portGap: 14,
};

/** What is left of the card of a block that is not there at a step. */
export const TAG_HEIGHT = 26;

/** The size of a block's card with a number of instructions: the layout has room for the most at any step. */
export function blockHeight(instructions: number): number {
  return CARD.headerHeight + Math.min(instructions, CARD.maxLines) * CARD.lineHeight + CARD.paddingY;
}

/** A jump table's card: rows of cases in as many columns as needed to stay this low. */
export const TABLE = {
  rowsPerColumn: 24,
  headerHeight: 26,
  rowHeight: 17,
  paddingY: 10,
  paddingX: 20,
  caseColumns: 8,
  wideCaseColumns: 30,
} as const;

/** Rows and columns of a table's card, and the characters that fit in one cell. */
export interface TableGrid {
  readonly rows: number;
  readonly columns: number;
  readonly cellColumns: number;
  readonly width: number;
  readonly height: number;
}

/** `targets`: rows to show; `labelColumns`: the longest target's label. The text of the cases is cut to the remaining width. */
export function tableGrid(targets: number, labelColumns: number): TableGrid {
  const columns = Math.max(1, Math.ceil(targets / TABLE.rowsPerColumn));
  const rows = Math.ceil(targets / columns);
  const label = Math.min(labelColumns, 24);
  const cellColumns = (columns === 1 ? TABLE.wideCaseColumns : TABLE.caseColumns) + 3 + label;
  return {
    rows,
    columns,
    cellColumns,
    width: Math.ceil(columns * (cellColumns * CARD.charWidth + TABLE.paddingX)),
    height: TABLE.headerHeight + rows * TABLE.rowHeight + TABLE.paddingY,
  };
}
