/** Damaged texts: whatever comes in, a module that verifies and located messages come out. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import { draws, freshSeed } from "../../../engine/testing/seed.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { printModule } from "../../../engine/text/printer.ts";
import { verifyModule } from "../../../engine/verify/verify.ts";
import { importSass } from "./import.ts";

/** Others on every commit. */
const FIRST = freshSeed();
const SEEDS = Array.from({ length: draws(2) }, (_, i) => FIRST + i);
const LISTINGS = [
  "12_state_machine.sm_90.nvdisasm",
  "01_switch_dense.sm_75.cuobjdump",
  "04_diamond.sm_90.ce",
  "02_switch_sparse.sm_75.nvdisasm",
];
const PIECES =
  "; , ( ) [ ] @ ! { } /* */ // `( (* *) .L_x_1: BRA EXIT BSSY BRX RET CALL.REL.NOINC B0 P0 UP0 R2 R255 RZ UR4 c[0x0] c[ desc[UR4] .64 .reuse - | ~ 0x10 0xffffffffffffffff $f: Function :\tx .section\t.text.z \0 é +INF & &a=".split(
    " ",
  );

const fixture = (name: string): string => readFileSync(fileURLToPath(new URL(`./fixtures/${name}.sass`, import.meta.url)), "utf8");

/** Everything that must be true for any text. */
function holds(text: string): void {
  const { module, diagnostics, functions } = importSass(text);
  const lines = text.split("\n").length;
  for (const d of diagnostics) {
    expect(d.code).toMatch(/^SASS\d{3}$/);
    expect(d.line).toBeGreaterThanOrEqual(1);
    expect(d.line).toBeLessThanOrEqual(lines);
    expect(d.column).toBeGreaterThanOrEqual(1);
  }
  expect(functions).toHaveLength(module.funcs.length);
  expect(verifyModule(module).filter((d) => d.severity === "error")).toEqual([]);
  const back = parseModule(printModule(module));
  // A module without functions has no text.
  if (module.funcs.length > 0) expect(back.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
}

describe("damaged listings", () => {
  it.each(LISTINGS)("%s cut anywhere", (name) => {
    const text = fixture(name);
    for (let i = 0; i < 20; i++) holds(text.slice(0, Math.floor((text.length * i) / 20)));
    for (let i = 0; i < 8; i++) holds(text.slice(Math.floor((text.length * i) / 8)));
  });

  it.each(SEEDS)("random edits, seed %i", (seed) => {
    const rnd = createPrng(seed).u32;
    for (let round = 0; round < 15; round++) {
      let text = fixture(LISTINGS[rnd() % LISTINGS.length]!);
      for (let edits = rnd() % 25; edits >= 0; edits--) {
        const at = rnd() % text.length;
        const piece = rnd() % 4 === 0 ? text.slice(at + 3, at + 3 + (rnd() % 50)) : PIECES[rnd() % PIECES.length]!;
        text = text.slice(0, at) + piece + text.slice(at + (rnd() % 10));
      }
      holds(text);
    }
  });

  it.each(SEEDS)("random words, seed %i", (seed) => {
    const rnd = createPrng(seed).u32;
    const words = [
      ...PIECES,
      "\n",
      "\n",
      " ",
      "/*0010*/",
      "ISETP.GE.AND P0, PT, R1, R2, PT ;\n",
      "@P0 BRA 0x10 ;\n",
      "LDG.E R2, [R4.64] ;\n",
      "$g:\n",
    ];
    for (let round = 0; round < 25; round++)
      holds(Array.from({ length: rnd() % 300 }, () => words[rnd() % words.length]).join(rnd() % 2 === 0 ? " " : ""));
  });

  it.each(SEEDS)("random bytes, seed %i", (seed) => {
    const rnd = createPrng(seed).u32;
    holds(String.fromCharCode(...Array.from({ length: 5000 }, () => rnd() % 256)));
    holds(String.fromCharCode(...Array.from({ length: 5000 }, () => 32 + (rnd() % 95))));
  });

  it.each([
    ["one long word", "A".repeat(200_000)],
    ["blanks", `${" ".repeat(15_000)}x\n`.repeat(20)],
    ["open attributes", `${"(*".repeat(8000)}\n`.repeat(20)],
    ["open comments", `${"/*".repeat(8000)}\n`.repeat(20)],
    ["fields", `EXIT ${"&a=".repeat(5000)} (\n`.repeat(20)],
    ["signs", `IADD3 R0, ${"-".repeat(15_000)}\n`.repeat(20)],
    ["brackets", `LDG R0, ${"[".repeat(15_000)}\n`.repeat(20)],
    ["operands", `IADD3 ${"R0, ".repeat(4000)}\n`.repeat(20)],
    ["indirect branches without targets", "BRX R2 -0x10\n".repeat(3000)],
    ["branches everywhere", Array.from({ length: 5000 }, (_, i) => `.L_${i}:\n@P0 BRA \`(.L_${4999 - i})\n`).join("")],
    ["the same label", ".L_0:\nBRA `(.L_0)\n".repeat(3000)],
    ["many functions of one name", "\t\tFunction : k\n EXIT ;\n".repeat(2000)],
    [
      "many local functions",
      `k:\n${Array.from({ length: 1500 }, (_, i) => `CALL.REL.NOINC \`($f${i + 1})\nRET\n$f${i + 1}:\n`).join("")}RET\n`,
    ],
    ["unknown callees", `k:\n${"CALL.REL.NOINC `(ext)\nMOV R1, R2\n".repeat(3000)}`],
    ["huge addresses", "/*ffffffff*/ BRA 0xffffffffffffffff ;\n/*ffffffff*/ EXIT ;\n"],
    ["huge registers", "IADD3 R999, R1000000000, UR256, P99 ;\nLDG.E.128 R254, [R255] ;\nEXIT ;\n"],
    ["an ELF file", "\u007fELF\u0002\u0001\u0001"],
    ["nothing", ""],
  ])("%s", (_, text) => {
    holds(text);
  });

  it("refuses a text over the limit at once", () => {
    const { diagnostics, module } = importSass("EXIT ;\n".repeat(100), { maxChars: 100 });
    expect(diagnostics.map((d) => d.code)).toEqual(["SASS002"]);
    expect(module.funcs).toEqual([]);
  });
});
