import { expect, it } from "vitest";
import { endsOf, type NamedRun, NO_COMPARISON } from "../session/comparison.ts";
import { sidesNow } from "./choices.ts";

const run = (name: string, isShown: boolean): NamedRun => ({ name, title: name, pipeline: {}, isShown });

it("a comparison with a run that was removed is the one that a comparison begins with", () => {
  const view = { ...NO_COMPARISON, ...endsOf("0", "1"), shows: "numbers" } as const;
  expect(sidesNow(view, [run("0", false), run("1", true)])).toEqual(view);
  const begins = { ...NO_COMPARISON, shows: "numbers" };
  expect(sidesNow(view, [run("0", true), run("2", false)])).toEqual(begins);
  expect(sidesNow(view, [])).toEqual(begins);
});
