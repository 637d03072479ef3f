/** Damaged texts: whatever comes in, a module that verifies and located messages come out. */

import { describe, expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import { draws, freshSeed } from "../../testing/seed.ts";
import { parseModule } from "../../text/parser.ts";
import { printModule } from "../../text/printer.ts";
import { verifyModule } from "../../verify/verify.ts";
import { importPtx } from "./import.ts";
import { fixture } from "./testing/run-ptx.ts";

/** Others on every commit. */
const FIRST = freshSeed();
const SEEDS = Array.from({ length: draws(2) }, (_, i) => FIRST + i);
const KERNELS = ["01_switch_dense.llvm22.sm_80", "09_reduction.sm_90", "12_state_machine.sm_75", "02_switch_sparse.clang14.sm_80"];
const PIECES =
  '{ } ; , ( ) [ ] @ ! %p1 %rd1 .reg .b32 bra L: /* " 0f 0x | - + < > .entry .branchtargets call ret; .param : _ ~ \0 é .version $ 1e5 99999999999999999999'.split(
    " ",
  );

/** Everything that must be true for any text. */
function holds(text: string): void {
  const { module, diagnostics } = importPtx(text);
  const lines = text.split("\n").length;
  for (const d of diagnostics) {
    expect(d.code).toMatch(/^PTX\d{3}$/);
    expect(d.line).toBeGreaterThanOrEqual(1);
    expect(d.line).toBeLessThanOrEqual(lines);
    expect(d.column).toBeGreaterThanOrEqual(1);
  }
  expect(verifyModule(module).filter((d) => d.severity === "error")).toEqual([]);
  const back = parseModule(printModule(module));
  // A module without functions has no text.
  if (module.funcs.length > 0) expect(back.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
}

describe("damaged texts", () => {
  it.each(KERNELS)("%s cut anywhere", (name) => {
    const text = fixture(name);
    for (let i = 0; i < 25; i++) holds(text.slice(0, Math.floor((text.length * i) / 25)));
    for (let i = 0; i < 8; i++) holds(text.slice(Math.floor((text.length * i) / 8)));
  });

  it.each(SEEDS)("random edits, seed %i", (seed) => {
    const rnd = createPrng(seed).u32;
    for (let round = 0; round < 25; round++) {
      let text = fixture(KERNELS[rnd() % KERNELS.length]!);
      for (let edits = rnd() % 15; edits >= 0; edits--) {
        const at = rnd() % text.length;
        const piece = rnd() % 4 === 0 ? text.slice(at + 3, at + 3 + (rnd() % 50)) : PIECES[rnd() % PIECES.length]!;
        text = text.slice(0, at) + piece + text.slice(at + (rnd() % 10));
      }
      holds(text);
    }
  });

  it.each(SEEDS)("random characters, seed %i", (seed) => {
    const rnd = createPrng(seed).u32;
    const words = [...PIECES, ".visible .entry k(", ".func f {", "add.u32 %r1, %r2, 3;", "\n", " ", "{ .reg .b32 %r<5>;", "@%p bra L;"];
    for (let round = 0; round < 20; round++)
      holds(Array.from({ length: rnd() % 300 }, () => words[rnd() % words.length]).join(rnd() % 2 === 0 ? " " : ""));
  });

  it.each([
    ["braces", "{".repeat(50_000)],
    ["closing braces", "}".repeat(50_000)],
    ["open lists", `.entry k { mov.b64 ${"{".repeat(50_000)}`],
    ["open parentheses in a constant", `.entry k { mov.u32 %r1, ${"(".repeat(50_000)}1; }`],
    ["a long constant expression", `.entry k { mov.u32 %r1, 1${"<<1".repeat(50_000)}; }`],
    ["a long number", `.entry k { mov.u32 %r1, ${"9".repeat(50_000)}; }`],
    ["a long register name", `.entry k { .reg .b32 %r<10>; mov.u32 %r${"1".repeat(50_000)}, 1; }`],
    ["an unclosed string", `.entry k { .pragma "${"x".repeat(50_000)}`],
    ["many scopes", `.entry k { ${"{ .reg .b32 a; mov.u32 a, 1; }".repeat(3000)} }`],
    ["deep scopes", `.entry k { ${"{ .reg .b32 a; ".repeat(3000)} mov.u32 a, 1; }`],
    ["many labels", `.entry k { ${Array.from({ length: 5000 }, (_, i) => `L${i}: @%p1 bra L${4999 - i};`).join(" ")} }`],
    ["the same label", `.entry k { ${"L: @%p1 bra L;".repeat(5000)} }`],
    ["many versions", ".version 1.0\n.target sm_10\n".repeat(5000)],
    ["many kernels of one name", ".entry k { ret; }\n".repeat(3000)],
    ["a huge array", ".global .b8 x[99999999999999999]; .shared .b8 y[1][2][3000000000]; .entry k { ret; }"],
    ["a huge range", ".entry k { .reg .b32 %r<99999999999>; mov.u32 %r99999999, 1; }"],
    ["a wide table", `.entry k { T: .branchtargets ${Array.from({ length: 5000 }, () => "L").join(",")}; brx.idx %r1, T; L: ret; }`],
  ])("%s", (_, text) => {
    holds(text);
  });
});
