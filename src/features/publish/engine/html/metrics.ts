/** Sizes of an exported file's cards: its layout and its player have the same. */

import { type CardMetrics, defaultCardMetrics } from "../../../../layout/measure.ts";

export const METRICS: CardMetrics = { ...defaultCardMetrics, charWidth: 7.25, paddingX: 24, headerHeight: 26, paddingY: 10 };
