import { expect, it } from "vitest";
import { initialState } from "../../../app/session/feature.ts";
import { ownPass } from "./feature.ts";
import { drawnOf, OWN_OVERLAY } from "./overlay.ts";

it("says of each block what an analysis of one's own and ours say", () => {
  const block = (id: number, theirs: string, ours: string | null) => ({
    id,
    label: `B${id}`,
    theirs,
    ours,
    same: ours === null || ours === theirs,
  });
  const own = {
    epoch: 1,
    run: 0,
    step: -1,
    source: "",
    name: "mine",
    of: "live-in",
    blocks: [block(0, "{R0}", "{R0}"), block(1, "{}", "{R1}")],
  };
  const data = drawnOf(own);
  expect(data.nodes.get(0)).toMatchObject({ tone: null, chips: [{ text: "✓ {R0}", place: "top" }] });
  expect(data.nodes.get(1)).toMatchObject({
    tone: "differs",
    chips: [
      { text: "≠ {}", place: "top" },
      { text: "ours {R1}", place: "bottom" },
    ],
  });
  expect(data.note).toBe("1 of 2 blocks differs from our live-in.");
  expect(drawnOf({ ...own, of: null, blocks: [block(0, "7", null)] }).nodes.get(0)?.chips).toEqual([
    { text: "7", title: "mine: 7", place: "top" },
  ]);
  expect(OWN_OVERLAY.draw(initialState([ownPass()])).note).toContain("Pass tab");
});
