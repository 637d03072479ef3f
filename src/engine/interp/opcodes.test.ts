import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPCODES } from "../ir/opcodes.ts";
import type { Case } from "./testing/cases.ts";
import { evaluate } from "./testing/eval.ts";
import { FLOAT_CASES } from "./testing/float-cases.ts";
import { INTEGER_CASES, PREDICATE_CASES } from "./testing/integer-cases.ts";
import { laneSet } from "./testing/lanes.ts";

/** Rows whose meaning lies in memory, other lanes or control: tested in the files named. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  LDG: "memory",
  STG: "memory",
  LDS: "memory",
  STS: "memory",
  LDL: "memory",
  STL: "memory",
  LDC: "memory",
  LD: "memory",
  ST: "memory",
  ATOM: "memory",
  ATOMS: "memory",
  RED: "memory",
  LDGSTS: "memory",
  LDGDEPBAR: "memory",
  DEPBAR: "memory",
  SYNCS: "mbarrier",
  PHASECHK: "mbarrier",
  TEX: "memory",
  TLD: "memory",
  OPAQUE: "memory",
  MEMBAR: "memory",
  SHFL: "warp",
  VOTE: "warp",
  MATCH: "warp",
  REDUX: "warp",
  S2R: "warp",
  CS2R: "warp",
  ACTIVEMASK: "warp",
  BRA: "simt",
  JMX: "simt",
  BRX: "simt",
  RET: "simt",
  EXIT: "simt",
  KILL: "simt",
  CALL: "simt",
  BSSY: "simt",
  BSYNC: "simt",
  BREAK: "simt",
  WARPSYNC: "simt",
  BAR: "simt",
  BARRED: "simt",
  NANOSLEEP: "simt",
  NOP: "simt",
  PHI: "simt",
  BPT: "memory",
};

const CASES: Readonly<Record<string, readonly Case[]>> = { ...INTEGER_CASES, ...PREDICATE_CASES, ...FLOAT_CASES };
const LANES = { int: laneSet("int"), float: laneSet("float"), half: laneSet("half") };

describe("every opcode row", () => {
  it("has a test", () => {
    const missing = Object.keys(OPCODES).filter((op) => CASES[op] === undefined && ELSEWHERE[op] === undefined);
    expect(missing).toEqual([]);
  });

  it("that is tested elsewhere is run there", () => {
    const texts = new Map(
      [...new Set(Object.values(ELSEWHERE))].map((f) => [f, readFileSync(new URL(`./${f}.test.ts`, import.meta.url), "utf8")]),
    );
    // As the first word of an instruction: after a line's start, a label, a guard or a `;`.
    const runs = (op: string, file: string): boolean =>
      new RegExp(`(?:[\\n"\`;:{]|\\\\n|@!?P\\d+)\\s*(?:@!?P\\d+\\s+)?${op}(?:\\.|\\s|\\\\n|"|\`|;|$)`, "m").test(texts.get(file) ?? "");
    const unseen = Object.entries(ELSEWHERE).filter(([op, file]) => !runs(op, file));
    expect(unseen).toEqual([]);
    expect(runs("NOSUCH", "memory")).toBe(false);
  });

  for (const [op, cases] of Object.entries(CASES)) {
    it(`${op} means what exact arithmetic says`, () => {
      for (const { kind, line, out, want } of cases) {
        const { lanes, seed } = LANES[kind];
        const got = evaluate(line, [out], lanes).map(([v]) => v);
        const wanted = lanes.map(want);
        const at = wanted.findIndex((v, i) => !Object.is(v, got[i]));
        if (at < 0) continue;
        const show = (v: unknown): string => (typeof v === "boolean" ? String(v) : `0x${(v as bigint | number).toString(16)}`);
        const lane = Object.entries(lanes[at]!).map(([k, v]) => `${k}=${show(v)}`);
        expect.fail(`${line} on ${lane.join(" ")} (seed ${seed}): want ${show(wanted[at])}, got ${show(got[at])}`);
      }
    });
  }
});
