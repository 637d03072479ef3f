import { expect, it } from "vitest";
import { prefillFor } from "./run-prefill.ts";

it("an input in the words of exec becomes the values of the form", () => {
  const input = { threads: 3, args: ["n=5", "x=each:1,2,3"], mem: ["out=64:hex:01=02"], note: null };
  expect(prefillFor("k", input)).toEqual({
    kernel: "k",
    threads: "3",
    values: { "k/n": "5", "k/x": "each:1,2,3", "k/out": "64:hex:01=02" },
  });
});
