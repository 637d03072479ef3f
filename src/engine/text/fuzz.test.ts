import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { firstDifference } from "../ir/equal.ts";
import { verifyModule } from "../verify/verify.ts";
import { MAX_DIAGNOSTICS } from "./diagnostics.ts";
import { parseModule } from "./parser.ts";
import { printInst, printModule } from "./printer.ts";
import { around, sampleInsts } from "./testing/samples.ts";

const WORDS = (
  ".kernel .func .target .table .weight .symbol .shared f BB0 BB1 BB1.1 JT0 R0 R1 RD2 P0 !P1 UR3 UP1 B0 RZ PT URZ @ @!P0 -> - + ~ | ! [ ] { } ( ) , , , : ; = " +
  "IADD IADD.64 ISETP.GE MOV BRA EXIT RET JMX PHI CALL OPAQUE.pure LDG.64 STG SEL FADD DADD S2R SR_TID.X LOP3.LUT SHFL.IDX 0 1 -5 0x1f 1.5 1e9 0f3F800000 " +
  '0d3FF0000000000000 99999999999999999999 c c[0x0][0x160] base=-2 default=BB1 init=00ff "text" "open // comment /* block */ /* é # % \\ ` \u0000 \u2028 \ud800'
).split(" ");

function garbage(next: (n: number) => number): string {
  let text = "";
  const n = next(200);
  for (let i = 0; i < n; i++) text += (WORDS[next(WORDS.length)] ?? "") + (next(6) === 0 ? "\n" : next(8) === 0 ? "" : " ");
  return text;
}

/** A valid text with a few characters taken out, doubled or replaced. */
function mutated(text: string, next: (n: number) => number): string {
  let result = text;
  for (let i = next(4); i >= 0; i--) {
    const at = next(result.length + 1);
    const insert = next(3) === 0 ? (WORDS[next(WORDS.length)] ?? "") : "";
    result = result.slice(0, at) + insert + result.slice(at + next(6));
  }
  return result;
}

function checkText(text: string): void {
  const { module, diagnostics } = parseModule(text);
  const lines = text.split("\n");
  expect(diagnostics.length).toBeLessThanOrEqual(MAX_DIAGNOSTICS + 1);
  for (const d of diagnostics) {
    const line = lines[d.line - 1];
    expect(line, `line ${d.line}`).toBeDefined();
    expect(d.column).toBeGreaterThanOrEqual(1);
    expect(d.column - 1 + d.length, `${d.code} ${d.message}`).toBeLessThanOrEqual(line!.length);
  }
  // What was read is sound as far as the errors allow, and printing is idempotent.
  const printed = printModule(module);
  const again = parseModule(printed);
  expect(printModule(again.module)).toBe(printed);
  if (diagnostics.some((d) => d.severity === "error")) return;
  expect(again.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  for (const [i, fn] of module.funcs.entries()) expect(firstDifference(fn, again.module.funcs[i]!)).toBeNull();
  const structural = verifyModule(module).filter((d) => d.severity === "error" && d.code !== "VER017" && d.code !== "VER018");
  expect(structural).toEqual([]);
}

const VALID = sampleInsts().filter((_, i) => i % 5 === 0);

describe("random texts", () => {
  for (const [name, make] of [
    ["garbage", garbage],
    [
      "mutated",
      (next: (n: number) => number) =>
        mutated(printModule({ target: "sm_90", symbols: [], funcs: [around(VALID[next(VALID.length)]!)], tail: [] }), next),
    ],
    [
      "line salad",
      (next: (n: number) => number) => {
        const lines = Array.from({ length: next(40) }, () => {
          const inst = VALID[next(VALID.length)]!;
          return `${next(5) === 0 ? `BB${next(4)}: ` : "    "}${printInst(around(inst), inst)}${next(9) === 0 ? " // note" : ""}`;
        });
        return `.kernel f()\n.table JT0 { BB0, BB1 }\n${lines.join("\n")}\nEXIT`;
      },
    ],
  ] as const) {
    it(`never break the parser: ${name}`, () => {
      for (let seed = 1; seed <= 400; seed++) {
        const text = make(createPrng(seed).below);
        try {
          checkText(text);
        } catch (error) {
          throw new Error(`seed ${seed}: ${String(error)}\n${text}`);
        }
      }
    });
  }

  it("ends on hostile nesting and length", () => {
    for (const piece of [
      "[a:",
      "{",
      "/*",
      '"',
      "-",
      "|",
      "!",
      "@",
      "(",
      "[",
      ".kernel f(",
      ".table T {",
      "x.",
      "0",
      "\\",
      "é",
      "BB0:",
      "a:b:",
    ]) {
      checkText(`.kernel f()\nMOV R1, ${piece.repeat(2000)}`);
      checkText(piece.repeat(2000));
    }
    checkText(`.kernel f()\nBB0: PHI R1${", [BB0: R1]".repeat(50_000)}`);
    checkText(`.kernel f()\n${Array.from({ length: 20_000 }, (_, i) => `LABEL${i}: BRA LABLE${i}\n`).join("")}`);
    checkText(`.kernel f()\nMOV ${"/* */ ".repeat(100_000)} R1`);
  });
});
