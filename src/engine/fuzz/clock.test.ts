import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { DEFAULT_PIPELINE } from "../api/defaults.ts";
import { EngineSession } from "../api/session.ts";
import { parse } from "../interp/testing/eval.ts";
import { checkEquivalent } from "./equivalence.ts";
import { generateText } from "./generate/generate.ts";

/** Whether two bodies of a function with the parameter `n: R0` and the result R9 mean the same. */
function same(before: string, after: string): boolean {
  const of = (body: string) =>
    parse(`.func f(n: R0) -> R9\nBB0:\n    MOV R9, 0\n${body.replace(/^ */gm, "    ").replace(/^ +(?=@|\w+:)/gm, "")}\n    RET\n`);
  const [{ module, fn }, second] = [of(before), of(after)];
  const { ok, effective } = checkEquivalent(fn, second.fn, module, { inputs: 12, seed: 7 });
  expect(effective).toBeGreaterThan(0);
  return ok;
}

const READ = (r: string): string => `CS2R ${r}, SR_CLOCKLO\n`;
const TIMED = `${READ("R1")}IADD R5, R0, 7\n${READ("R2")}ISUB R9, R2, R1`;

describe("versions of a program that reads a clock", () => {
  it.each([
    ["a dead read", `${READ("R3")}${TIMED}`],
    ["dead reads before and between", `${READ("R3")}${READ("R1")}${READ("R3")}${READ("R3")}${READ("R2")}ISUB R9, R2, R1`],
    ["a read whose value falls out", `${READ("R3")}ISUB R4, R3, R3\n${READ("R1")}${READ("R2")}IADD3 R2, R2, R4, 0\nISUB R9, R2, R1`],
    ["the high half", `CS2R R3, SR_CLOCKHI\n${TIMED}`],
  ])("may lose %s", (_what, before) => {
    expect(same(before, TIMED)).toBe(true);
    expect(same(TIMED, before)).toBe(true);
  });

  it("may lose a read that is dead on one way only, or for some threads", () => {
    const way = (read: string, other: string): string => `
      ${read}ISETP.LT P0, R0, 5
@P0 BRA LOW
HIGH:
      ${other}ISUB R9, R2, R1
      RET
LOW:
      ${READ("R3")}${READ("R4")}ISUB R9, R4, R3`;
    expect(same(way(READ("R1"), READ("R2")), way("", `${READ("R1")}${READ("R2")}`))).toBe(true);
  });

  it("may lose the last read there is", () => {
    expect(same(`${READ("R3")}IADD R9, R0, 1`, "IADD R9, R0, 1")).toBe(true);
  });

  it.each([
    ["two reads made one", `${READ("R1")}MOV R2, R1\nISUB R9, R2, R1`],
    ["reads swapped", `${READ("R2")}${READ("R1")}ISUB R9, R2, R1`],
    ["a constant", "MOV R9, 16"],
    ["something that has nothing to do with the clock", `${READ("R1")}${READ("R2")}ISUB R9, R2, R1\nIADD R9, R9, R0`],
  ])("are told apart by %s", (_what, after) => {
    expect(same(TIMED, after)).toBe(false);
    expect(same(`${READ("R3")}${TIMED}`, after)).toBe(false);
    expect(same(`${READ("R3")}${TIMED}`, `${READ("R3")}${after}`)).toBe(false);
  });

  it("are told apart where a read has left its loop", () => {
    const loop = (before: string, inside: string): string => `
      MOV R5, 0
      ${before}LOOP:
      ${inside}LOP.XOR R9, R9, R1
      IMAD R9, R9, 3, R1
      IADD R5, R5, 1
      ISETP.LT P0, R5, 4
@P0 BRA LOOP
END:`;
    expect(same(loop("", READ("R1")), loop("", READ("R1")))).toBe(true);
    expect(same(loop(READ("R3"), READ("R1")), loop("", READ("R1")))).toBe(true);
    expect(same(loop("", READ("R1")), loop(READ("R1"), ""))).toBe(false);
  });
});

describe("the check of a phase", () => {
  const TEXT = `.kernel k(out: RD0)
BB0:
    S2R R1, SR_CLOCKLO
    S2R R3, SR_CLOCKLO
    S2R R2, SR_CLOCKLO
    ISUB R4, R2, R1
    STG [RD0], R4
    EXIT
`;
  const checked = (drops: boolean) => {
    const session = new EngineSession();
    session.open(1, TEXT, "ori");
    const interventions = drops ? [{ kind: "drop" as const, phase: "64", condition: "reads-clock" }] : [];
    return session.run(1, "k", { ...DEFAULT_PIPELINE, check: 8, interventions }).phases;
  };

  it("lets a dead read be removed, and finds two reads made one", () => {
    const usual = checked(false);
    expect(usual.at(-1)?.instructions).toEqual([5, 5]);
    expect(usual.filter(({ check }) => check?.ok === false)).toEqual([]);
    expect(
      checked(true)
        .filter(({ check }) => check?.ok === false)
        .map(({ id }) => id),
    ).toEqual(["late-ori-commoning"]);
  });

  /** A random program that reads a clock here and there: half of the reads are dead, the others affect what is observed at the end. */
  function withReads(seed: number): string {
    const rng = createPrng(seed);
    let next = 900;
    const lines = generateText({ seed, profile: rng.pick(["any", "redundant", "nest", "diamond"]), size: 8 }).split("\n");
    return lines
      .flatMap((line) => {
        if (line === "BB0:") return [line, "    MOV R899, 0"];
        if (/^ +(EXIT|RET)/.test(line)) return ['    OPAQUE.store {}, {R899}, "seen"', line];
        if (!/^ {4}(IADD|MOV|IMUL|ISUB|IMAD|LDG|STG)\b/.test(line) || !rng.chance(0.25)) return [line];
        const r = `R${next++}`;
        return [line, `    S2R ${r}, SR_CLOCKLO`, ...(rng.chance(0.5) ? [`    IMAD R899, R899, 3, ${r}`] : [])];
      })
      .join("\n");
  }

  it.each([7000, 7007, 7008, 7026])("finds nothing in a random program whose dead reads go (seed %i)", (seed) => {
    const session = new EngineSession();
    const { ok, kernels } = session.open(1, withReads(seed), "ori");
    expect(ok).toBe(true);
    const { phases } = session.run(1, kernels[0]!.name, { ...DEFAULT_PIPELINE, check: 6, policy: seed % 2 === 0 ? "notes" : "measured" });
    expect(phases.flatMap(({ id, check }) => (check?.ok === false ? [`${id}: ${check.counterexample}`] : []))).toEqual([]);
  });
});
