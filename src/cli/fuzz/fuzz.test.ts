/** The bookkeeping of `npm run fuzz`: shards of a run make up the whole, and reports add up. */

import { describe, expect, it } from "vitest";
import { createFuzzer, type Fuzzer, type FuzzSettings } from "../../engine/api/exec/fuzz.ts";
import { jobArguments, readOptions } from "./options.ts";
import { FuzzTally, mergeReports, reportText } from "./report.ts";

const SETTINGS: FuzzSettings = {
  phase: null,
  profile: null,
  target: null,
  policy: null,
  knobs: [],
  inputs: 2,
  size: 2,
  drops: [],
  everyLaw: false,
  noDrawn: false,
  subsets: null,
  trace: true,
  shrink: false,
};

function fuzzer(settings: Partial<FuzzSettings> = {}): Fuzzer {
  const made = createFuzzer({ ...SETTINGS, ...settings });
  if (typeof made === "string") throw new Error(made);
  return made;
}

function options(words: readonly string[]) {
  const read = readOptions(words);
  if (typeof read === "string") throw new Error(read);
  return read;
}

describe("a run", () => {
  const { positions, try: tryCase } = fuzzer();
  const cases = [1, 2, 3, 4, 5, 6].map((seed) => tryCase(seed));
  const tally = (seeds: readonly number[]) => {
    const sum = new FuzzTally(positions);
    for (const seed of seeds) sum.add(cases[seed - 1]!);
    return sum.report({ first: seeds[0]!, step: 2, count: seeds.length }, { seconds: 1, processor: 1.5 });
  };

  it("checks every position and sub-pass on every program, under both policies where the code reads them", () => {
    for (const { checks } of cases) {
      expect(new Set(checks.map((check) => check.id))).toEqual(new Set(positions));
      const both = checks.filter((check) => check.id === "gvn-cse").map((check) => check.policy);
      expect(both).toEqual(["notes", "measured"]);
    }
  });

  it("about refused rewrites judges several sets of them a phase, and counts each", () => {
    const sum = new FuzzTally(positions);
    const tried = [1, 2].map((seed) => fuzzer({ subsets: 4, size: 3 }).try(seed));
    for (const one of tried) sum.add(one);
    const drawn = tried.flatMap(({ checks }) => checks.map((check) => check.subsets));
    expect(Math.max(...drawn)).toBeGreaterThan(1);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(4);
    const total = drawn.reduce((a, b) => a + b, 0);
    const report = sum.report({ first: 1, step: 1, count: 2 }, { seconds: 1, processor: 1 });
    expect(reportText(report)).toContain(`${total} sets of refused rewrites`);
    expect(tried.flatMap(({ failures }) => failures)).toEqual([]);
    // A report from a version without this count.
    const [id = ""] = positions;
    const { refused: _, ...old } = report.phases[id]!;
    expect(mergeReports([{ ...report, phases: { [id]: old as (typeof report.phases)[string] } }]).phases[id]!.refused).toBe(0);
  });

  it("is the sum of its shards", () => {
    const whole = tally([1, 2, 3, 4, 5, 6]);
    const parts = mergeReports([tally([1, 3, 5]), tally([2, 4, 6])]);
    expect({ ...parts, seeds: [] }).toEqual({ ...whole, seconds: 2, processor: 3, seeds: [] });
    expect(parts.checks).toBe(cases.reduce((n, result) => n + result.checks.length, 0));
    const rows = Object.values(parts.phases);
    expect(rows.reduce((n, row) => n + row.notes + row.measured, 0)).toBe(parts.checks);
    expect(reportText(parts)).toContain(`6 programs, ${parts.checks} checks`);
  });

  it("counts a failure in its phase", () => {
    const sum = new FuzzTally(positions);
    const failure = {
      seed: 7,
      profile: "any",
      kind: "gvn-cse: meaning",
      id: "gvn-cse",
      law: "meaning",
      message: "m",
      instructions: 1,
      text: "",
    };
    sum.add({ ...cases[0]!, failures: [failure] });
    const report = sum.report({ first: 7, step: 1, count: 1 }, { seconds: 1, processor: 1 });
    expect(report.phases["gvn-cse"]!.failures).toBe(1);
    expect(reportText(report)).toContain("1 x gvn-cse: meaning");
  });
});

describe("arguments", () => {
  it("split a shard among processes so that every seed is run once", () => {
    const argv = ["--count", "40", "--shard=2/3", "--jobs", "2", "--inputs", "4", "--checks", "9"];
    const o = options(argv);
    const seeded = { ...o, numbers: { ...o.numbers, seed: 100 } };
    const jobs = [0, 1].map((job) => options(jobArguments(argv, job, seeded, "x.json")));
    expect(jobs.map((job) => job.shard)).toEqual([
      { index: 2, of: 6 },
      { index: 5, of: 6 },
    ]);
    for (const job of jobs) expect(job.numbers).toEqual({ count: 40, seed: 100, inputs: 4, checks: 5 });
  });

  it.each([
    [["--shard", "0/3"], "--shard takes"],
    [["--shard", "4/3"], "--shard takes"],
    [["--count", "many"], "--count takes an integer"],
    [["--count"], "--count takes a value"],
    [["--what"], "unknown option --what"],
  ])("%j: %s", (argv, message) => {
    expect(readOptions(argv)).toContain(message);
  });

  it("take several phases and profiles", () => {
    const several = fuzzer({ phase: "gvn-cse,branch-folding", profile: "lanes,diamond" });
    expect(several.positions).toEqual(["gvn-cse", "branch-folding"]);
    const cases = [1, 2].map((seed) => several.try(seed));
    expect(new Set(cases.map(({ profile }) => profile))).toEqual(new Set(["lanes", "diamond"]));
    // A seed makes the same program when its profile is named alone.
    const [first] = cases;
    expect(fuzzer({ phase: "gvn-cse,branch-folding", profile: first!.profile }).try(1)).toEqual(first);
  });

  it("plant a fault that the run then finds", () => {
    const lanes = { phase: "branch-folding", profile: "lanes", inputs: 6 };
    const seeds = Array.from({ length: 60 }, (_, i) => 500_000 + i);
    const failing = (drops: readonly string[]) => {
      const { try: tryCase } = fuzzer({ ...lanes, drops });
      return seeds.flatMap((seed) => tryCase(seed).failures);
    };
    expect(failing([])).toEqual([]);
    expect(failing(["ways-join", "tail-parts", "head-sees-lanes"]).map(({ kind }) => kind)).toContain("branch-folding: meaning");
  });

  it("refuse what there is not", () => {
    expect(createFuzzer({ ...SETTINGS, profile: "nope" })).toContain("no profile");
    expect(createFuzzer({ ...SETTINGS, phase: "nope" })).toContain("nope");
    expect(createFuzzer({ ...SETTINGS, phase: "gvn-cse,nope" })).toContain("nope");
    expect(createFuzzer({ ...SETTINGS, drops: ["nope"] })).toContain("no phase has a condition nope");
  });
});
