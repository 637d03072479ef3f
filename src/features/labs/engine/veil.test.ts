import { describe, expect, it } from "vitest";
import { checkLab } from "./check.ts";
import { judgeTask } from "./judge.ts";
import { readLab } from "./read/read-lab.ts";
import { Stage } from "./stage.ts";
import { DIAMOND, fence, goodLab, HEAD, task } from "./testing/small-lab.ts";
import { veilText } from "./veil-file.ts";

const OPTIONS = `kind: choice
ask: Which?
options:
  - text: one
    right: true
  - { text: "two: both", because: no }
  - text: >-
      a long one
      on two lines
  - { right: false, text: three }`;
const BODY =
  fence("ori {name=p}", DIAMOND) +
  task("which", OPTIONS) +
  task("drop", `kind: find-wrong\nask: Which condition is off?\nprogram: p\ndrop: "49:value-overwritten"\nfind: condition`) +
  task("tests", `kind: tests\nask: Tell them.\nagainst: ["49:value-overwritten", "64:modifiers"]`);

let salts = 0;
const veiledText = (text = HEAD + BODY): string =>
  veilText(text, goodLab(text.slice(HEAD.length)), () => (++salts).toString(16).padStart(12, "0")).text;

describe("a veiled lab", () => {
  it("says neither what is right nor which condition is off, and judges as the open one", async () => {
    const text = veiledText();
    expect(text).not.toMatch(/right: (?:true|false)|value-overwritten|modifiers/);
    expect(text.split("\n").filter((line) => line.includes("veil:"))).toHaveLength(6);
    const [open, veiled] = [goodLab(BODY), goodLab(text.slice(HEAD.length))];
    expect(veiled.tasks.map((t) => t.spec)).toEqual(open.tasks.map((t) => t.spec));
    const [which] = veiled.tasks;
    if (which === undefined) throw new Error("no task");
    expect(judgeTask(new Stage(veiled, 0), which, { choose: [0] }, 0, 0)).toMatchObject({ status: "right" });
    expect(judgeTask(new Stage(veiled, 0), which, { choose: [2] }, 0, 0)).toMatchObject({ status: "wrong" });
    const { ok, tasks } = await checkLab(text, { solutions: null, variants: 0 });
    expect(ok).toBe(true);
    expect(tasks.find((t) => t.id === "drop")?.solved).toBe(true);
    // Once more changes only the salts.
    expect(goodLab(veiledText(text).slice(HEAD.length)).tasks.map((t) => t.spec)).toEqual(open.tasks.map((t) => t.spec));
  });

  it("two options that say the same under other salts do not look alike", () => {
    const digests = [...veiledText().matchAll(/veil:(?:\d+:)?[0-9a-f]+\.([0-9a-f]{16})/g)].map(([, digest]) => digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it("says where a veil cannot be lifted", () => {
    const said = (text: string): readonly string[] => readLab(text).diagnostics.map((d) => `${d.line}: ${d.code} ${d.message}`);
    const text = veiledText();
    const changed = said(text.replace("- text: one", "- text: other"));
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatch(/^\d+: LAB048 Task which: the veil is of another text/);
    expect(said(text.replace(/veil:49:/, "veil:1234:"))[0]).toContain("there is no phase '1234'");
    expect(said(text.replace(/drop: "veil:49:[^"]*"/, 'drop: "veil:49:00000000.0000000000000000"'))[0]).toContain(
      "no condition of phase 49",
    );
    expect(said(text.replace(/drop: "veil:[^"]*"/, 'drop: "veil:nonsense"'))[0]).toContain("as lab veil writes it");
  });
});
