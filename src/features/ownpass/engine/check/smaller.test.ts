import { expect, it } from "vitest";
import { type CheckFailure, smallestFailure } from "./check.ts";

const LINES = Array.from({ length: 60 }, (_, i) => `    MOV     R${i}, ${i}`);
const failing = (program: string, law = "meaning"): CheckFailure => ({
  law,
  name: "seed 1",
  seed: 1,
  program,
  input: null,
  message: "",
  rewrite: null,
  line: 0,
});
const whole = failing([".kernel k(out: RD0)", "BB0:", ...LINES, "    EXIT", ""].join("\n"));

it("a failure is made small by as many smaller programs on every machine, and by no clock", async () => {
  const run = async () => {
    const tried: string[] = [];
    const small = await smallestFailure(
      whole,
      async ({ text }) => {
        tried.push(text);
        return text.includes("R41, 41") ? failing(text) : null;
      },
      () => false,
    );
    return { small: small.program, tried };
  };
  const first = await run();
  expect(first.small).toContain("R41, 41");
  expect(first.small.split("\n").length).toBeLessThan(12);
  expect(first.tried.length).toBeLessThanOrEqual(400);
  expect(await run()).toEqual(first);
});

it("ends after a few programs on which the pass has to be ended, and at once when the check is cancelled", async () => {
  let tried = 0;
  const small = await smallestFailure(
    whole,
    async ({ text }) => {
      tried++;
      return failing(text, "ends");
    },
    () => false,
  );
  expect(tried).toBe(3);
  expect(small).toEqual(whole);
  const cancelled = async () => {
    throw new Error("tried though it was cancelled");
  };
  expect(await smallestFailure(whole, cancelled, () => true)).toEqual(whole);
});
