/** The second text of the comparison, saved with its program. */

import type { Feature } from "../session/feature.ts";

declare module "../session/actions/programs.ts" {
  interface FeatureData {
    /** Left out: the second text stays. */
    readonly second?: string | undefined;
  }
}

export const COMPARE: Feature = {
  id: "compare",
  program: {
    remember: ({ comparison }, { featureData }) => (featureData.second === undefined ? {} : { second: comparison.text }),
    open: ({ featureData: { second } }, { comparison }) => (second === undefined ? {} : { comparison: { ...comparison, text: second } }),
  },
  work: {
    write: () => ({}),
    keep: ({ comparison }) => ({ second: comparison.text }),
    open: ({ second }, _, from) => (from === "record" ? { second } : {}),
    changed: ({ comparison }, { comparison: before }) => comparison.text !== before.text,
    // It begins as a copy of the program.
    made: ({ comparison, document }, { comparison: opened }) =>
      comparison.text !== opened.text && comparison.text !== document.text && /\S/.test(comparison.text),
    typed: ({ comparison }) => [comparison.text],
    length: ({ comparison }) => comparison.text.length,
  },
};
