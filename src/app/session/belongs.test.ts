import { expect, it } from "vitest";
import { originOf, stillValid } from "./belongs.ts";
import { INITIAL_STATE } from "./state.ts";

it("a result is shown with the text, the options and the run that it belongs to, and with nothing else", () => {
  const origin = originOf(INITIAL_STATE);
  const results = [{ origin, value: "ok" }];
  expect(stillValid(results, originOf({ ...INITIAL_STATE }))).toEqual(["ok"]);
  const { document, options } = INITIAL_STATE;
  expect(stillValid(results, originOf({ ...INITIAL_STATE, document: { ...document, revision: document.revision + 1 } }))).toEqual([]);
  expect(stillValid(results, originOf({ ...INITIAL_STATE, options: { ...options } }))).toEqual([]);
  expect(stillValid(results, { ...origin, run: {} as never })).toEqual([]);
});
