import { expect, it } from "vitest";
import { defaultCardMetrics } from "./measure.ts";
import { drawPicture, lineLabel, type Make, PICTURE_COLOURS, type PictureCard, type PictureColours } from "./picture.ts";

const COLOURS = Object.fromEntries(PICTURE_COLOURS.map((name) => [name, name])) as PictureColours;
const BOX = { x: 0, y: 0, width: 100, height: 40 };

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly children: readonly (Element | string)[];
}
const make: Make<Element> = (name, attributes, ...children) => ({ name, attributes, children });

/** The elements of the one card. */
function drawn(card: Partial<PictureCard>): readonly Element[] {
  const whole: PictureCard = { ...BOX, kind: "block", marks: [], dashed: false, texts: [], code: [], ...card };
  const picture = { title: "", bounds: BOX, metrics: { ...defaultCardMetrics, maxLines: 3, maxColumns: 6 }, lines: [], cards: [whole] };
  const cards = drawPicture(make, picture, COLOURS).children.at(-1) as Element;
  return (cards.children[0] as Element).children as readonly Element[];
}

it("lines of a branch are T and F, a table's default is named, and a jump has no label", () => {
  const branch = ["taken", "fall"];
  expect([lineLabel("taken", branch), lineLabel("fall", branch), lineLabel("default", ["table", "default"])]).toEqual([
    "T",
    "F",
    "default",
  ]);
  expect([lineLabel("table", ["table", "default"]), lineLabel("jump", ["jump"]), lineLabel("fall", ["fall"])]).toEqual(["", "", ""]);
});

it("a card's frame shows the selection, else a change, else what the step is about", () => {
  const frame = (marks: PictureCard["marks"]) => drawn({ marks })[0]?.attributes.stroke;
  expect([frame(["focus", "changed", "selected"]), frame(["focus", "changed"]), frame(["focus"]), frame([])]).toEqual([
    "accent",
    "kind-change",
    "kind-cost",
    "border-strong",
  ]);
});

it("what a card has no room for is cut, and the last line says how many lines are missing", () => {
  const line = (text: string) => ({ mark: null, words: [{ text, colour: "text" as const }] });
  const texts = (...lines: readonly string[]) =>
    drawn({ code: lines.map(line) }).flatMap(({ name, children }) => {
      const [inside] = children;
      return name === "text" && inside !== undefined ? [typeof inside === "string" ? inside : inside.children[0]] : [];
    });
  expect(texts("a", "b", "123456")).toEqual(["a", "b", "123456"]);
  expect(texts("1234567", "b", "c", "d")).toEqual(["12345…", "b", "… 2 more"]);
});
