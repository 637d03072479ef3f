import { expect, it } from "vitest";
import { namesTarget } from "./named-target.ts";

it.each([
  [".version 8.0\n.target sm_90, debug\n", true],
  [".target sm_80\n.kernel k()\n", true],
  ["\tcode for sm_75\n", true],
  ["arch = sm_86", true],
  ['.headerflags @"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_SM80"', true],
  [".kernel k()\n  EXIT\n", false],
  ["@main { x: int = const 90; }", false],
])("%j: %s", (text, named) => {
  expect(namesTarget(text)).toBe(named);
});
