import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Colours = ReadonlyMap<string, string>;

/** The colours of a style sheet's first two blocks of variables: light, and dark from `dark` on. */
function coloursOf(path: string, dark: string): readonly [Colours, Colours] {
  const text = readFileSync(new URL(path, import.meta.url), "utf8");
  const at = text.indexOf(dark);
  const read = (part: string): Colours =>
    new Map([...part.matchAll(/(--[\w-]+): (#[0-9a-f]+);/g)].map(([, name = "", value = ""]) => [name, value]));
  return [read(text.slice(0, at)), read(text.slice(at, text.indexOf("\n}", at)))];
}

it("an exported file has the colours of the page", () => {
  const page = coloursOf("../../../app/ui/tokens.css", ':root[data-theme="dark"]');
  const file = coloursOf("player.css", "@media (prefers-color-scheme: dark)");
  for (const theme of [0, 1] as const) {
    const shared = [...file[theme]].filter(([name]) => page[theme].has(name));
    expect(shared.length).toBeGreaterThan(10);
    expect(Object.fromEntries(shared)).toEqual(Object.fromEntries(shared.map(([name]) => [name, page[theme].get(name)])));
  }
});
