/** The ring of phase 58 decides: a wrong entry changes what a fixture becomes. */

import { expect, it, vi } from "vitest";
import { immOp } from "../../ir/builder.ts";
import { resultsOf } from "../testing/results.ts";
import { Ring } from "./ring.ts";

it("a wrong entry of the ring changes a result", () => {
  const right = resultsOf(import.meta.dirname);
  const { insert } = Ring.prototype;
  const wrong = vi.spyOn(Ring.prototype, "insert").mockImplementation(function (this: Ring, dest, _, inst) {
    return insert.call(this, dest, immOp(12345), inst);
  });
  expect(resultsOf(import.meta.dirname)).not.toEqual(right);
  wrong.mockRestore();
  expect(resultsOf(import.meta.dirname)).toEqual(right);
});
