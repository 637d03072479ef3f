import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Desk, type DeskTask } from "./desk.ts";
import { readLab } from "./read/read-lab.ts";
import { labPage } from "./render.ts";
import { Stage } from "./stage.ts";
import { DIAMOND, fence, HEAD, task } from "./testing/small-lab.ts";

const LABS = join(import.meta.dirname, "../../../../labs");
const files = readdirSync(LABS).filter((name) => name.endsWith(".md"));

function deskWith(text: string): Desk {
  const desk = new Desk();
  const { lab, diagnostics } = desk.open(text);
  if (lab === null) throw new Error(diagnostics.map((d) => `${d.line}: ${d.message}`).join("\n"));
  return desk;
}

function taskOf(desk: Desk, id: string): DeskTask {
  const found = desk.task(id, 1, 0);
  if ("broken" in found) throw new Error(found.broken);
  return found;
}

describe("the desk of a lab", () => {
  it.each(files)("every task of %s has a form, and a place where it has a program", (file) => {
    const desk = new Desk();
    const { lab } = desk.open(readFileSync(join(LABS, file), "utf8"));
    expect(lab).not.toBeNull();
    for (const { id, kind } of lab?.tasks ?? []) {
      const found = taskOf(desk, id);
      expect(found.ask.children.length, id).toBeGreaterThan(0);
      expect(kind === "predict" ? (found.veil ?? -1) : 0, id).toBeGreaterThanOrEqual(0);
    }
    // Text, programs and tasks in the order of the file, as plain data that a thread can send.
    expect(() => structuredClone(desk.parts(1))).not.toThrow();
  });

  it("a task that draws its own keys says them, in the page and in print", () => {
    const text = HEAD.replace("version: 1\n", "version: 1\nseed: per-student\n") + task("k", "kind: simulate\nask: Insert.\nof: rb-insert");
    const desk = deskWith(text);
    const keys = (seed: number): string => {
      const { form } = desk.task("k", seed, 0) as DeskTask;
      if (form.kind !== "moves") throw new Error(form.kind);
      expect(form.labels).toEqual([]);
      return /The keys in their order: (?:\d+, ){7}\d+\./.exec(form.moves)?.[0] ?? form.moves;
    };
    expect(keys(1)).toMatch(/^The keys/);
    expect(keys(1)).not.toBe(keys(2));
    const { lab } = readLab(text);
    expect(labPage(lab!, new Stage(lab!, 2))).toContain(keys(2));
  });

  it("a page to print asks no other host for anything", () => {
    const picture = "![](https://other.example/x.png) ![](//other.example/y.png) <img src=https://other.example/z.png>\n\n";
    const { lab } = readLab(HEAD + picture + fence("ori {name=p}", DIAMOND) + task("t", `kind: text\nask: Say it. ${picture.trim()}`));
    const page = labPage(lab!, new Stage(lab!, 1));
    // Nothing but the style that is in it: no picture either.
    const policies = [...page.matchAll(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g)].map(([, policy]) => policy);
    expect(policies).toEqual(["default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;"]);
    expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<style>"));
  });

  it("a form holds no answer, and what stands in it can be put together to one", () => {
    const desk = deskWith(
      HEAD +
        fence("ori {name=p}", DIAMOND) +
        task("c", "kind: choice\nask: Which?\noptions:\n  - { text: no, because: it is not }\n  - { text: yes, right: true }") +
        task("m", "kind: mark\nask: Mark.\nprogram: p\nwhat: idom") +
        task("o", "kind: order\nask: Order.\nlines: [second, first]\ndistractors: [another]"),
    );
    expect(taskOf(desk, "c").form).toEqual({ kind: "choice", options: ["no", "yes"], many: false });
    expect(taskOf(desk, "m").form).toEqual({ kind: "parents", labels: ["BB0", "BB1", "BB2", "BB3", "BB4"] });
    // In the order of the alphabet; the numbers are their places in the file, as an answer gives them.
    expect(taskOf(desk, "o").form).toEqual({
      kind: "order",
      lines: [
        { index: 2, text: "another" },
        { index: 1, text: "first" },
        { index: 0, text: "second" },
      ],
    });
    expect(desk.judge("o", 0, 0, { order: [0, 1] }, 0).result.status).toBe("right");
    expect(desk.judge("m", 0, 0, desk.solve("m", 0, 0), 0).result.status).toBe("right");
  });

  it("says what can be shown, what another program can be had for, and what is to be foretold", () => {
    const own = "\n```program {name=own generate=graph blocks=4..5}\n```\n";
    const must = "must: [{ program: p, measure: instructions, at-most: 2 }]";
    const body =
      own +
      fence("ori {name=p}", DIAMOND) +
      task("m", "kind: mark\nask: x\nprogram: own\nwhat: rpo\nagain: cfg-1/order") +
      task("s", "kind: mark\nask: x\nprogram: own\nwhat: rpo\nretry: same") +
      task("w", `kind: write\nask: x\nunlock: predict\n${must}`) +
      task("v", `kind: write\nask: x\n${must}`);
    const desk = new Desk();
    const { lab } = desk.open(HEAD.replace("version: 1\n", "version: 1\nseed: per-student\n") + body);
    expect(lab?.tasks.map(({ id, varies, solvable, again }) => ({ id, varies, solvable, again }))).toEqual([
      { id: "m", varies: true, solvable: true, again: "cfg-1/order" },
      { id: "s", varies: false, solvable: true, again: null },
      { id: "w", varies: false, solvable: false, again: null },
      { id: "v", varies: false, solvable: false, again: null },
    ]);
    expect(taskOf(desk, "w").form).toMatchObject({
      guesses: ["it holds on every program", "it fails on p", "it fails on a random program"],
    });
    expect(taskOf(desk, "v").form).toMatchObject({ guesses: null });
    expect(desk.judge("w", 1, 0, { pass: "", guess: "it fails on p" }, 0).result.status).toBe("by-hand");
  });

  it("draws other programs for another attempt, and the same for the same", () => {
    const head = (variants: string): string => HEAD.replace("version: 1\n", `version: 1\nseed: attempt\n${variants}`);
    const desk = new Desk();
    desk.open(head("") + task("t", "kind: number\nask: x\nvalue: 1"));
    expect(desk.seedOf("4711", "", 1)).toBe(desk.seedOf("4712", "2026", 1));
    expect(desk.seedOf("4711", "", 1)).not.toBe(desk.seedOf("4711", "", 2));
    desk.open(head("variants: 3\n") + task("t", "kind: number\nask: x\nvalue: 1"));
    expect([...new Set([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => desk.seedOf("", "", n)))].sort()).toEqual([1, 2, 3]);
  });

  it("markup of a lab is text, and only links that are known stay links", () => {
    const hostile =
      "<img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](https://example.org) [c](moment:p/3)";
    const desk = deskWith(
      `${HEAD}\n${hostile}\n${fence("ori {name=p}", DIAMOND)}${task("n", "kind: number\nask: '<b onclick=alert(1)>How many?</b>'\nvalue: 1")}`,
    );
    const shown = JSON.stringify([desk.parts(0), taskOf(desk, "n").ask]);
    expect(shown).not.toMatch(/script"|onerror|onclick|javascript:/);
    expect(shown).toContain("https://example.org");
    expect(shown).toContain("moment:p/3");
  });

  it("replays the moves of a simulation, the wrong ones with their reason", () => {
    const desk = deskWith(HEAD + fence("ori {name=p}", DIAMOND) + task("s", "kind: simulate\nof: rpo\nask: Walk.\nprogram: p"));
    const solution = desk.solve("s", 0, 0) as { readonly moves: readonly string[] };
    const { made, done } = desk.moves("s", 0, 0, ["BB4", solution.moves[0] ?? ""]);
    expect(made.map((m) => m.problem === null)).toEqual([false, true]);
    expect(done).toBe(false);
    expect(desk.moves("s", 0, 0, solution.moves).done).toBe(true);
  });

  it("a lab with errors is not opened, and says where they are", () => {
    const { lab, diagnostics } = new Desk().open(`${HEAD}${task("t", "kind: guess\nask: What?")}`);
    expect(lab).toBeNull();
    expect(diagnostics[0]).toMatchObject({ severity: "error", line: 8 });
  });

  it("prints a report in which nothing of the answers is markup", () => {
    const desk = deskWith(`${HEAD}${task("t", "kind: text\nask: Why?")}`);
    const handIn = {
      format: "oriscope-hand-in",
      lab: { id: "small" },
      answers: { t: { text: "<script>alert(1)</script>" } },
      student: { name: "<b>Ada" },
    };
    const page = desk.report(JSON.stringify(handIn), []);
    expect(page).toContain("&#x3C;script>");
    expect(page).not.toContain("<script>");
    expect(page).not.toContain("<b>Ada");
  });
});
