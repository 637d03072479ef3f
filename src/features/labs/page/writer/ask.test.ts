import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { checkLab } from "../../engine/check.ts";
import { KINDS } from "../../engine/kinds/kinds.ts";
import { readLab } from "../../engine/read/read-lab.ts";
import { TWO_ADDS } from "../../engine/testing/two-adds.ts";
import { type AskedStep, cannotAsk, fenced, SKELETONS, withQuestion, withSkeleton } from "./ask.ts";

describe("a question about the step that is shown", () => {
  const session = new EngineSession();
  session.open(1, TWO_ADDS, "ori");
  const options = { ...DEFAULT_PIPELINE, level: 2 };
  const { phases } = session.run(1, "k", options);
  const at = (id: string, step: number): AskedStep => {
    const phase = phases.find((p) => p.id === id);
    if (phase === undefined) throw new Error(id);
    session.trace(phase.run);
    return {
      text: TWO_ADDS,
      format: "ori",
      phase,
      step,
      event: step < 0 ? null : (session.events(phase.run, step, 1)[0] ?? null),
      options,
    };
  };

  it("is a lab that the engine solves, at every step of a phase and at its start", async () => {
    const run = phases.find((p) => p.id === "gvn-cse")?.run ?? -1;
    const steps = session.trace(run)?.steps ?? 0;
    expect(steps).toBeGreaterThan(5);
    const whats = new Set<string>();
    // One lab that grows by a question a step, as somebody writes it who presses the button again and again.
    let draft = "";
    for (let step = -1; step < steps; step++) {
      const asked = at("gvn-cse", step);
      if (cannotAsk(asked) !== null) continue;
      draft = withQuestion(draft, asked);
      whats.add(/what: (\w+)(?![\s\S]*what: )/.exec(draft)?.[1] ?? "");
    }
    expect(draft.match(/^```ori/gm)).toHaveLength(1);
    const { diagnostics, tasks, ok } = await checkLab(draft, { solutions: null, variants: 0 });
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
    expect(ok).toBe(true);
    expect(tasks.filter((t) => t.solved !== true)).toEqual([]);
    expect(whats).toContain("rpo");
    expect(whats).toContain("verdict");
    expect(draft).toContain("plan: { level: 2 }");
    expect(draft).toContain("ask: Does Value numbering rewrite");
    expect(draft).not.toContain("GvnCse");
  });

  it("says what a lab cannot ask for", () => {
    const asked = at("gvn-cse", -1);
    expect(cannotAsk(asked)).toBeNull();
    expect(cannotAsk({ ...asked, options: { ...options, fuel: 3 } })).toContain("fuel");
    expect(cannotAsk({ ...asked, options: { ...options, noPhases: ["gvn-cse"] } })).toContain("--no-phase");
    expect(cannotAsk({ ...asked, event: { facts: { pipeline: true }, focus: {} } })).toContain("pipeline");
    expect(cannotAsk({ ...asked, phase: { ...asked.phase, address: "gvn-cse+1" } })).toContain("inserted");
  });
});

describe("a new task", () => {
  it("has a skeleton for each kind, whose fields are those of the kind", () => {
    expect(Object.keys(SKELETONS).sort()).toEqual(KINDS.map((k) => k.name).sort());
    let draft = `---\ntitle: New\nid: new\nversion: 1\n---\n\n${fenced("ori {name=p}", TWO_ADDS)}\n`;
    for (const kind of Object.keys(SKELETONS)) draft = withSkeleton(draft, kind, null);
    const { lab, diagnostics } = readLab(draft);
    expect(diagnostics.map((d) => `${d.line}: ${d.message}`)).toEqual([]);
    expect(lab?.tasks.map((t) => t.kind)).toEqual(Object.keys(SKELETONS));
  });

  it("keeps fences apart from what they hold", () => {
    expect(fenced("task", "a\n```\nb")).toBe("````task\na\n```\nb\n````");
    expect(withSkeleton("", "text", null)).toMatch(/^---\ntitle:/);
  });

  it("brings the open program where an empty draft needs one", () => {
    const draft = withSkeleton("", "predict", { text: TWO_ADDS, format: "ori" });
    expect(readLab(draft).diagnostics).toEqual([]);
    expect(withSkeleton(draft, "mark", { text: TWO_ADDS, format: "ori" }).match(/^```ori/gm)).toHaveLength(1);
  });
});
