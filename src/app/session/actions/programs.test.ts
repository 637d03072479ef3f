import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { createPrograms, isOtherAfterClearing, isOtherProgram, type Program, usualOptions } from "./programs.ts";

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

describe("isOtherAfterClearing", () => {
  it("is false of the same text again, with other line ends, of a version of it, and after a few keys", () => {
    expect(isOtherAfterClearing(ORI, ORI)).toBe(false);
    expect(isOtherAfterClearing(ORI, ORI.replaceAll("\n", "\r\n"))).toBe(false);
    expect(isOtherAfterClearing(ORI, ORI.replace("EXIT", "RET"))).toBe(false);
    expect(isOtherAfterClearing("MOV R1", ".")).toBe(false);
  });

  it("is true of another text, and of one that is begun anew", () => {
    expect(isOtherAfterClearing(ORI, `//\n.kernel other(a: R0)\nstart:\n${"    MOV R3, 0\n".repeat(9)}    NOP\n`)).toBe(true);
    expect(isOtherAfterClearing(ORI, ".")).toBe(true);
    const head = ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n";
    const ptx = (op: string): string => `${head}${`\t${op}.s32 \t%r1, %r1, 1;\n`.repeat(20)}\tret;\n}\n`;
    expect(isOtherAfterClearing(ptx("add"), ptx("mul.lo"))).toBe(true);
  });
});

const program = (text: string, part: Partial<Program> = {}): Program => ({
  text,
  title: "t",
  format: null,
  example: null,
  origin: "own",
  edited: false,
  unclaimed: {},
  work: null,
  options: { pipeline: DEFAULT_PIPELINE, kernel: null },
  breakpoints: [],
  featureData: {},
  ...part,
});

describe("programs that were replaced", () => {
  it("are found by their text, the latest first, and whatever its line ends", () => {
    const programs = createPrograms();
    programs.remember(program("a\nb", { work: "1" }));
    programs.remember(program("a\nb", { work: "2" }));
    expect(programs.withText("a\r\nb")?.work).toBe("2");
    expect(programs.withText("a\nc")).toBeNull();
  });

  it("are no blank texts, and not more than fit", () => {
    const programs = createPrograms();
    programs.remember(program(" \n"));
    expect(programs.withText(" \n")).toBeNull();
    for (let n = 0; n < 30; n++) programs.remember(program(`text ${n}`));
    expect(programs.withText("text 9")).toBeNull();
    expect(programs.withText("text 10")).not.toBeNull();
    for (const c of "xyz") programs.remember(program(c.repeat(7_000_000)));
    expect(programs.withText("x".repeat(7_000_000))).toBeNull();
    expect(programs.withText("z".repeat(7_000_000))).not.toBeNull();
  });
});

describe("usualOptions", () => {
  it("drops what keeps a new program from the whole pipeline, and nothing a person set besides", () => {
    const set = { ...DEFAULT_PIPELINE, level: 2 as const, knobs: ["a=1"], verify: true };
    expect(usualOptions({ pipeline: set, kernel: "k" })).toEqual({ pipeline: set, kernel: null });
    for (const part of [{ phases: ["gvn-cse"] }, { until: "gvn-cse" }, { noPhases: ["gvn-cse"] }, { namedPhases: ["gvn-cse"] }])
      expect(usualOptions({ pipeline: { ...set, ...part }, kernel: "k" }).pipeline).toEqual({
        ...DEFAULT_PIPELINE,
        verify: true,
      });
  });
});
