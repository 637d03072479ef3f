/** The user's analysis: its result for each block above the card, and below it ours where that differs. */

import type { BroughtOverlay, Chip, Drawn, NodeOverlay } from "../../../app/graph/overlay/overlay.ts";
import { plural } from "../../../app/ui/plural.ts";
import { selectAnalysis } from "./analysis.ts";
import type { PassAnalysis } from "./state.ts";

/** Characters of a chip: a card is not much wider. */
const SHOWN = 26;

const BASE = { links: [], values: null };
const NONE: Drawn = {
  ...BASE,
  nodes: new Map(),
  legend: [],
  note: "None of your own analyses is running: open one in the Pass tab and press Run.",
};
const DRAWN = new WeakMap<PassAnalysis, Drawn>();

export const OWN_OVERLAY: BroughtOverlay = {
  id: "own",
  title: "my analysis",
  draw(state) {
    const analysis = selectAnalysis(state);
    if (analysis === null) return NONE;
    const drawn = DRAWN.get(analysis) ?? drawnOf(analysis);
    DRAWN.set(analysis, drawn);
    return drawn;
  },
};

export function drawnOf(analysis: PassAnalysis): Drawn {
  const { blocks, name, of } = analysis;
  const differ = blocks.filter((b) => !b.same).length;
  const nodes = blocks.map(({ id, theirs, ours, same }): [number, NodeOverlay] => {
    const mine = chip(`${ours === null ? "" : same ? "✓ " : "≠ "}${theirs}`, `${name}: ${theirs}`, "top");
    if (same || ours === null) return [id, { tone: null, chips: [mine] }];
    return [id, { tone: "differs", chips: [mine, chip(`ours ${ours}`, `${of}: ${ours}`, "bottom")] }];
  });
  return {
    ...BASE,
    nodes: new Map(nodes),
    legend: [
      { id: "own", swatch: null, text: of === null ? `above a block: ${name}` : `above a block: ${name}, ✓ same as our ${of}` },
      ...(differ === 0
        ? []
        : [{ id: "differs", swatch: { kind: "tone", tone: "differs" }, text: `≠ differs from ours, shown below` } as const]),
    ],
    note:
      blocks.length === 0
        ? "The analysis has reported nothing."
        : of === null
          ? null
          : differ === 0
            ? `The same as our ${of} in all ${plural(blocks.length, "block")}.`
            : `${differ} of ${plural(blocks.length, "block")} ${differ === 1 ? "differs" : "differ"} from our ${of}.`,
  };
}

const chip = (text: string, title: string, place: Chip["place"]): Chip => ({
  text: text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text,
  title,
  place,
});
