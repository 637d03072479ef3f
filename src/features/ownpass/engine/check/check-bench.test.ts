import { describe, expect, it } from "vitest";
import { Box } from "../../box/box.ts";
import { type Ask, CheckBench, type CheckJob } from "./check-bench.ts";
import { PASS_TEMPLATES } from "./templates.ts";
import { BROKEN, brokenSource } from "./testing/broken.ts";
import { templateSource } from "./testing/subject.ts";

/** Answers as the page's sandbox does: with texts. */
function guest(): Ask {
  const box = Box.open();
  return async (request) => (await box).ask(request);
}

const job = (source: string, part: Partial<CheckJob> = {}): CheckJob => ({ source, given: [], count: 6, seed: 1, ...part });
const bench = (): CheckBench => new CheckBench(() => performance.now());
const broken = (id: string): string => brokenSource(BROKEN.find((b) => b.id === id)!);
const quiet = (): void => undefined;

describe("what the page asks of Check", { timeout: 120_000 }, () => {
  it("makes the first failure small, traces it to its rewrite, and writes the report", async () => {
    // With a constant clock: no reports of progress.
    const found = await new CheckBench(() => 0).check(job(broken("dead-stores")), guest(), quiet);
    if (found.kind !== "checked") throw new Error(JSON.stringify(found));
    const [first] = found.report.failures;
    expect(first).toMatchObject({ law: "meaning", rewrite: { n: expect.any(Number) } });
    expect(first?.program.split("\n").length).toBeLessThan(12);
    expect(found.evidence.different).toBeGreaterThan(0);
    expect(found.markdown).toContain("# dead code: results of a check");
    // Each failure is under the name of its program, the first with the rewrite that is wrong.
    expect(found.markdown).toContain(`## ${first?.name}: meaning`);
    expect(found.markdown).toMatch(/^First wrong rewrite, \d+ of \d+: /m);
    expect(first?.name).toBe(`seed ${first?.seed}`);
    expect(found.csv).toMatch(/^benchmark,run,result\nseed 1,baseline,/);
    expect("rows" in found.report).toBe(false);
  });

  it("ends after ten failures and says so; there are no figures of programs where none holds", async () => {
    const ori = ".kernel k(p: RD0)\nA:\n  MOV R1, 1\n  STG [RD0], R1\n  EXIT\n";
    const given = Array.from({ length: 14 }, (_, i) => ({ name: `program ${i + 1}`, text: ori }));
    const found = await bench().check(job(broken("dead-stores"), { given, count: 0 }), guest(), quiet);
    if (found.kind !== "checked") throw new Error(JSON.stringify(found));
    expect(found.report).toMatchObject({ enough: true, cancelled: false, programs: 10 });
    expect(found.markdown).toContain("The check ended after 10 failures.");
    expect(found.markdown).toContain("## program 10: meaning");
    expect(found.markdown).not.toContain("programs that pass");
  });

  it("takes given programs, and tells of each that cannot be read", async () => {
    const ori = ".kernel k()\nA:\n  MOV R1, 1\n  EXIT\n";
    const given = [
      { name: "mine", text: ori },
      { name: "no program", text: "IADD R1," },
    ];
    const found = await bench().check(job(templateSource("dead-code"), { given, count: 0 }), guest(), quiet);
    if (found.kind !== "checked") throw new Error(JSON.stringify(found));
    expect(found.csv).toContain("mine,dead code,");
    expect(found.report.failures.map(({ name }) => name)).toEqual(["no program"]);
    expect(found.report.failures.map(({ law, message }) => [law, message])).toEqual([["program", expect.stringMatching(/^no program: /)]]);
  });

  it("says at which line a file cannot be used, and that an analysis is none", async () => {
    const wrong = 'import { definePass } from "oriscope/pass";\nexport default definePass({ name: "x", run(fn {} });\n';
    expect(await bench().check(job(wrong), guest(), quiet)).toMatchObject({ kind: "unusable", line: 2 });
    expect(await bench().compare({ ...job(templateSource("liveness")), against: "gvn-cse" }, guest(), quiet)).toMatchObject({
      kind: "unusable",
      message: expect.stringContaining("analysis"),
    });
    const ended: Ask = () => Promise.resolve({ ended: "steps", message: "it did not end" });
    expect(await bench().check(job(templateSource("empty")), ended, quiet)).toMatchObject({ kind: "unusable", message: "it did not end" });
    expect(await bench().check(job(templateSource("empty")), () => Promise.resolve("{}"), quiet)).toMatchObject({ kind: "unusable" });
  });

  it("compares an analysis with ours block by block, and makes the first difference small", async () => {
    const exercise = PASS_TEMPLATES.find(({ id }) => id === "liveness")?.exercise ?? "";
    const wrong = await bench().check(job(exercise), guest(), quiet);
    if (wrong.kind !== "analysis") throw new Error(JSON.stringify(wrong));
    const [first] = wrong.report.failures;
    expect(first).toMatchObject({ law: "agrees", message: expect.stringMatching(/^live-in of .* but the analysis reports \{\}$/) });
    expect(first?.program.split("\n").length).toBeLessThan(8);
    expect(wrong.figures).toMatchObject({ right: 0, spurious: 0, mark: 0 });
    expect(wrong.markdown).toContain("## seed 1: agrees");
    const right = await bench().check(job(templateSource("liveness")), guest(), quiet);
    if (right.kind !== "analysis") throw new Error(JSON.stringify(right));
    expect(right.report.failures).toEqual([]);
    expect(right.figures).toMatchObject({ programs: 6, agree: 6, mark: 1 });
    expect(right.csv).toMatch(/^benchmark,run,result\nseed 1,liveness,1\.000\n/);
  });

  it("ends when it is told to, with what it has", async () => {
    const own = bench();
    const ask = guest();
    let asked = 0;
    const counted: Ask = (request) => {
      if (++asked === 4) own.cancel();
      return ask(request);
    };
    const found = await own.check(job(templateSource("empty"), { count: 500 }), counted, quiet);
    if (found.kind !== "checked") throw new Error(JSON.stringify(found));
    expect(found.report.cancelled).toBe(true);
    expect(found.report.programs).toBeLessThan(5);
    // The next check is not cancelled.
    const next = await own.check(job(templateSource("empty"), { count: 2 }), ask, quiet);
    expect(next).toMatchObject({ kind: "checked", report: { cancelled: false, programs: 2 } });
  });

  it("compares, and writes down both sides", async () => {
    const found = await bench().compare(
      { ...job(broken("dead-stores"), { count: 4 }), against: "ori-perform-live-dead-first" },
      guest(),
      quiet,
    );
    if (found.kind !== "compared") throw new Error(found.message);
    expect(found.comparison.wrong.length).toBeGreaterThan(0);
    expect(found.markdown).toContain("Where the result of dead code does not count");
    expect(found.csv.split("\n").filter((line) => line.startsWith("seed 1,"))).toEqual([
      expect.stringMatching(/^seed 1,baseline,\d+$/),
      expect.stringMatching(/^seed 1,dead code,(\d+|incorrect)$/),
      expect.stringMatching(/^seed 1,ori-perform-live-dead-first,\d+$/),
    ]);
  });

  it("runs the tests of the file", async () => {
    const held = await bench().tests(job(templateSource("dead-code")), guest());
    expect(held).toMatchObject({ kind: "tested", results: [{ problem: null }, { problem: null }, { problem: null }] });
    const failing = await bench().tests(job(broken("dead-guards")), guest());
    if (failing.kind !== "tested") throw new Error(failing.message);
    expect(failing.results.filter(({ problem }) => problem !== null).length).toBeGreaterThan(0);
  });
});
