import { describe, expect, it } from "vitest";
import { FEATURES } from "../../features/page.ts";
import { CORE } from "../core.ts";
import { DATA_PARTS, EXPLANATIONS, nameOfOpened, openedBy, placeNamed, placesOf } from "./places.ts";
import { INITIAL_STATE } from "./state.ts";

const { open } = INITIAL_STATE.view;
const ALL = [...CORE, ...FEATURES];
const PLACES = placesOf(ALL);

describe("places by name", () => {
  it("every place is named by what it opens", () => {
    for (const place of PLACES) expect(nameOfOpened(openedBy(place, { ...open, tab: "log" })), place.name).toBe(place.name);
    const names = PLACES.map((place) => place.name);
    expect(names).toEqual(expect.arrayContaining([...EXPLANATIONS, ...DATA_PARTS, "compare", "knobs"]));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ["pseudocode", { tab: "algorithm" }],
    ["events", { tab: "log" }],
    ["why", { tab: "why", rule: false }],
    ["rule", { tab: "why", rule: true }],
    ["record", { tab: "data", part: "record" }],
    ["structures", { tab: "data", part: "structures" }],
    ["switches", { tab: "data", part: "switches" }],
    ["tails", { tab: "data", part: "tails" }],
    ["values", { tab: "data", part: "values" }],
    ["knobs", { experiment: "knobs" }],
    ["run", { experiment: "run" }],
  ])("the tab %s of earlier versions opens its content", (former, opens) => {
    expect(placeNamed(ALL, former)?.opens).toEqual(opens);
  });

  it.each(["", "constructor", "nowhere", 3, null])("%j names no place", (name) => expect(placeNamed(ALL, name)).toBeNull());

  it("a place of the explanation closes the experiments", () => {
    const place = placeNamed(ALL, "why");
    expect(place === null ? null : openedBy(place, { ...open, experiment: "fuel" }).experiment).toBeNull();
  });
});
