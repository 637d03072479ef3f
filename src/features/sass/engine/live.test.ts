/** Listings read from a running program: a debugger's disassembly and a profiler's source view. */

import { describe, expect, it } from "vitest";
import { readWith } from "../../../engine/api/read/read-with.ts";
import { recogniseFormat } from "../../../engine/api/read/recognise.ts";
import { printModule } from "../../../engine/text/printer.ts";
import { IMPORTERS } from "../../importers.ts";
import { importSass } from "./import.ts";

const BODY = [
  "MOV R1, c[0x0][0x28]",
  "S2R R0, SR_TID.X",
  "ISETP.GE.AND P0, PT, R0, c[0x0][0x168], PT",
  "@P0 BRA TARGET",
  "MOV R2, 0x4",
  "IMAD.WIDE R2, R0, R2, c[0x0][0x160]",
  "STG.E [R2], R0",
  "EXIT",
];
const BASE = 0x7fffd3259a00;
const at = (i: number): string => (BASE + 16 * i).toString(16);

const PLAIN = [
  "Function : scale",
  ...BODY.map((line, i) => `/*${(16 * i).toString(16).padStart(4, "0")}*/ ${line.replace("TARGET", "0x70")} ;`),
].join("\n");

const DISASSEMBLE = [
  "Dump of assembler code for function scale(float*, int):",
  ...BODY.map((line, i) => `${i === 3 ? "=>" : "  "} 0x0000${at(i)} <+${16 * i}>:\t${line.replace("TARGET", `0x${at(7)}`)}`),
  "End of assembler dump.",
].join("\n");

const EXAMINE = BODY.map(
  (line, i) => `${i === 3 ? "=>" : "  "} 0x${at(i)} <scale(float*, int)+${16 * i}>: ${line.replace("TARGET", "0x70")}`,
).join("\n");
const TABLE = [
  "#\tAddress\tSource\tSamples",
  ...BODY.map((line, i) => `${i + 1}\t0000${at(i)}\t      ${line.replace("TARGET", `0x${at(7)}`)}\t12\t0.5`),
].join("\n");
const CSV = [
  '"#","Address","Source","Samples"',
  ...BODY.map((line, i) => `"${i + 1}","0x${at(i)}","      ${line.replace("TARGET", `0x${at(7)}`)}","12"`),
].join("\n");

const code = (text: string): string => {
  const { module, diagnostics } = importSass(text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return printModule(module)
    .replace(/^.*\.(?:kernel|target).*$/gm, "")
    .replace(/\/\/.*$/gm, "")
    .trim();
};

describe.each([
  ["disassemble", DISASSEMBLE],
  ["x/8i $pc", EXAMINE],
  ["a profiler's table", TABLE],
  ["a profiler's CSV", CSV],
])("%s", (_name, text) => {
  it("is recognised and read as the same code in a plain listing", () => {
    expect(recogniseFormat(text)).toBe("sass");
    expect(code(text)).toBe(code(PLAIN));
  });
});

it("keeps the function's name", () => {
  for (const text of [DISASSEMBLE, EXAMINE]) expect(importSass(text).module.funcs.map(({ name }) => name)).toEqual(["scale"]);
});

it("a debugger's listing of another machine gets one message", () => {
  const text =
    "Dump of assembler code for function main:\n   0x1139 <+0>:\tpush   %rbp\n=> 0x113a <+1>:\tmov    %rsp,%rbp\nEnd of assembler dump.\n";
  const { diagnostics } = readWith(text, null, IMPORTERS);
  expect(diagnostics.map(({ message }) => message)).toEqual(["This looks like x86 assembly."]);
});
