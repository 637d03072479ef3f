import { describe, expect, it } from "vitest";
import { comparePass, comparisonOf, runOurs } from "./compare.ts";
import { compareText } from "./compare-evidence.ts";
import { BROKEN, brokenSource } from "./testing/broken.ts";
import { subjectOf, templateSource } from "./testing/subject.ts";

const DEAD = "ori-perform-live-dead-first";

describe("comparing a pass of one's own with one of ours", { timeout: 120_000 }, () => {
  it("finds the template of dead code to be what our phase is", async () => {
    const report = await comparePass(subjectOf(templateSource("dead-code")), { given: [], count: 16, seed: 1, against: DEAD });
    const found = comparisonOf(report);
    expect(found).toMatchObject({ programs: 16, counted: 16, same: 16, better: 0, worse: 0, level: 16, best: [], worst: [], wrong: [] });
    expect(found.size[1]).toBe(found.size[2]);
    expect(found.size[1]).toBeLessThan(found.size[0]);
    expect(found.executed[1]).toBeLessThan(found.executed[0]);
  });

  it("says where ours is better than a pass that does nothing", async () => {
    const text = ".kernel k()\nA:\n  MOV R1, 1\n  IADD R2, R1, 2\n  EXIT\n";
    const options = { given: [{ name: "two dead ones", text }], count: 8, seed: 7, against: DEAD };
    const report = await comparePass(subjectOf(templateSource("empty")), options);
    const found = comparisonOf(report);
    expect(report.rows[0]).toMatchObject({
      program: "two dead ones",
      before: { size: 3 },
      mine: { problem: null, size: 3 },
      ours: { problem: null, size: 1 },
      same: false,
    });
    expect(found.worse).toBeGreaterThan(0);
    expect(found.better).toBe(0);
    expect(found.size[1]).toBe(found.size[0]);
    expect(found.worst.length).toBeGreaterThan(0);
    expect(found.worst.every(({ mine, ours }) => ours.executed < mine.executed || ours.size < mine.size)).toBe(true);
  });

  it("does not count a result that means something else", async () => {
    const broken = BROKEN.find(({ id }) => id === "dead-stores");
    const source = broken === undefined ? "" : brokenSource(broken);
    const text = ".kernel k(p: RD0)\nA:\n  MOV R1, 1\n  STG [RD0], R1\n  EXIT\n";
    const report = await comparePass(subjectOf(source), { given: [{ name: "a store", text }], count: 0, seed: 1, against: DEAD });
    expect(report.rows[0]?.mine.problem).toMatch(/^meaning|^verifier/);
    expect(comparisonOf(report)).toMatchObject({ counted: 0, same: 0 });
    expect(comparisonOf(report).wrong).toHaveLength(1);
    // The phase is named, and there are no figures without programs.
    expect(report.title).toBe("16 OriPerformLiveDeadFirst");
    const page = compareText("mine", report);
    expect(page).toContain("# mine compared with 16 OriPerformLiveDeadFirst");
    expect(page).not.toMatch(/0 of 0|executed warp instructions/);
  });

  it("says that a phase is none, and that a text is no program", async () => {
    const text = ".kernel k()\nA:\n  EXIT\n";
    expect(runOurs(text, "no-such-phase")).toMatchObject({ problem: expect.stringContaining("no-such-phase") });
    const options = { given: [{ name: "broken", text: "IADD R1," }], count: 0, seed: 1, against: DEAD };
    const report = await comparePass(subjectOf(templateSource("empty")), options);
    expect(report.rows).toEqual([]);
    expect(report.unread).toEqual([expect.stringMatching(/^broken: /)]);
  });

  it("ends when it is told to", async () => {
    const options = { given: [], count: 50, seed: 1, against: DEAD, progress: (rows: readonly unknown[]) => rows.length === 3 };
    const report = await comparePass(subjectOf(templateSource("empty")), options);
    expect(report).toMatchObject({ cancelled: true });
    expect(report.rows).toHaveLength(3);
  });
});
