import { expect, it } from "vitest";
import { isPolicy, otherPolicy, POLICIES } from "./policy.ts";

it("has two policies, each the other's other", () => {
  for (const policy of POLICIES) expect(otherPolicy(otherPolicy(policy))).toBe(policy);
  expect(isPolicy("measured")).toBe(true);
  expect(isPolicy("Measured")).toBe(false);
});
