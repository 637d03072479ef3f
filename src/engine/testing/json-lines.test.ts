import { expect, it } from "vitest";
import { jsonByEntry } from "./json-lines.ts";

it("gives each entry of the asked depth a line of its own", () => {
  expect(jsonByEntry([{ a: [1, 2] }, { b: {} }], 1)).toBe('[\n  {"a":[1,2]},\n  {"b":{}}\n]\n');
  expect(jsonByEntry({ one: { x: 1, y: [2] }, none: {} }, 2)).toBe('{\n  "one": {\n    "x": 1,\n    "y": [2]\n  },\n  "none": {}\n}\n');
});

it("keeps the value, as JSON keeps it", () => {
  const value = { text: 'a "quoted"\nline', left: undefined, deep: [{ at: null }, 3, true, []] };
  for (const depth of [1, 2, 3, 4]) expect(JSON.parse(jsonByEntry(value, depth))).toEqual(JSON.parse(JSON.stringify(value)));
});
