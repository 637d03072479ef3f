import { describe, expect, it } from "vitest";
import { isOtherProgram } from "./document.ts";

const ORI = `.target sm_90\n.kernel k(n: R0)\nBB0:\n${"    IADD R1, R1, 1\n".repeat(8)}    EXIT\n`;

describe("isOtherProgram", () => {
  it("is false of edits, small or large, and of a first text", () => {
    expect(isOtherProgram(ORI, ORI.replace("EXIT", "RET"))).toBe(false);
    expect(isOtherProgram(ORI, `${ORI}${ORI}${ORI}`)).toBe(false);
    expect(isOtherProgram(ORI, ORI.slice(0, 20))).toBe(false);
    expect(isOtherProgram("", ORI)).toBe(false);
  });

  it("is true when everything was pasted over", () => {
    expect(isOtherProgram(ORI, `//\n.version 8.4\n.target sm_90\n.address_size 64\n${"\tadd.s32 \t%r1, %r1, 1;\n".repeat(50)}}\n`)).toBe(
      true,
    );
    expect(isOtherProgram(`// one\n${ORI}`, `.kernel other(a: R0)\nBB0:\n${"    MOV R3, 0\n".repeat(9)}    NOP\n`)).toBe(true);
  });
});
