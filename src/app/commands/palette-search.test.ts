/** The palette finds what people type, and puts what they mean first. */

import { describe, expect, it } from "vitest";
import { FEATURES } from "../features.ts";
import { PLACES } from "../session/places.ts";
import { NAMED, wordsFor } from "./also.ts";
import { ranked } from "./rank.ts";

const COMMANDS = FEATURES.flatMap((feature) => feature.commands ?? []);

const ENTRIES = [
  ...COMMANDS.map((c) => ({ id: c.id, group: "Command", title: c.title, found: wordsFor(c.id) })),
  ...PLACES.map((p) => ({ id: `place:${p.name}`, group: "Open", title: p.title, found: p.about })),
];
const first = (query: string): string => ranked(ENTRIES, query)[0]?.id ?? "nothing";

describe("the palette", () => {
  it.each([
    ["switches", "place:switches"],
    ["diff", "view.diff"],
    ["policy", /^policy\./],
    ["delete", /remove|clear|delete|close/],
    ["print", /^export\.html/],
    ["quiz", /^lab\./],
    ["question", /^lab\./],
    ["examples", "file.examples"],
    ["knobs", "place:knobs"],
    ["tutorial", "help.tour"],
  ])("finds '%s'", (query, id) => {
    expect(first(query)).toMatch(id);
  });

  it("has words for commands that exist only", () => {
    const ids = new Set(COMMANDS.map((c) => c.id));
    expect(NAMED.filter((id) => !ids.has(id))).toEqual([]);
  });

  it("keeps the order of the list where nothing is typed", () => {
    expect(ranked(ENTRIES, " ")).toBe(ENTRIES);
  });
});
