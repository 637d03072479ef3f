import { describe, expect, it } from "vitest";
import { labDigest, studentSeed } from "../digest.ts";
import { safeTree } from "../render.ts";
import { DIAMOND, fence, goodLab, HEAD, task } from "../testing/small-lab.ts";
import { readLab } from "./read-lab.ts";

const P = fence("ori {name=p}", DIAMOND);
const LINES = (HEAD + P).split("\n").length;
const said = (source: string): string[] =>
  readLab(source).diagnostics.map((d) => `${d.line}:${d.column} ${d.severity} ${d.code} ${d.message}`);

describe("reading a lab", () => {
  it("says what else is wrong beside the front matter", () => {
    const lines = said(`---\ntitle: x\nid: x\nlevle: 1\n---\n${P}${task("t", "kind: marks\nask: x")}`);
    expect(lines.map((line) => line.split(" ")[2])).toEqual(["LAB020", "LAB020", "LAB045"]);
  });

  it("takes a good one without a word", () => {
    const lab = goodLab(`# Text\n${P}${task("t1", "kind: mark\nask: Number them.\nprogram: p\nwhat: rpo", 3)}`);
    expect(lab).toMatchObject({
      front: { id: "small", seed: "fixed" },
      max: 3,
      programs: [{ name: "p" }],
      tasks: [{ id: "t1", kind: "mark", at: { kind: "input" } }],
    });
    expect(lab.parts.map((p) => p.kind)).toEqual(["text", "program", "task"]);
  });

  it.each([
    ["no front matter", "# Text\n", "1:1 error LAB002"],
    ["a missing field", "---\ntitle: x\nid: x\n---\n", "2:1 error LAB020 Front matter: version is missing"],
    [
      "a field that there is not",
      "---\ntitle: x\nid: x\nversion: 1\nverison: 2\n---\n",
      "5:10 error LAB020 Front matter: there is no field 'verison'",
    ],
    ["damaged YAML", `${HEAD}${P}${task("t", "kind: [mark")}`, `${LINES + 2}:`],
    ["a key twice", `${HEAD}${P}${task("t", "kind: mark\nkind: mark")}`, `${LINES + 3}:1 error LAB012 YAML: Map keys must be unique`],
    [
      "a colon in a text",
      `${HEAD}${P}${task("t", "kind: mark\nask: Which: this one?")}`,
      "a value that contains a colon and a space needs quotes",
    ],
    ["a list for a text", `${HEAD}${P}${task("t", "kind: mark\nask: [x]")}`, "expected text, not a list"],
    ["a version of 0", "---\ntitle: x\nid: x\nversion: 0\n---\n", "4:10 error LAB020 Front matter, version: expected 1 or more, not 0"],
    ["HTML", `${HEAD}${P}A <b>word</b>.\n`, "warning LAB056 HTML is left out of a lab"],
    [
      "a picture",
      `${HEAD}${P}![a tree](https://example.org/a.png)\n`,
      "warning LAB057 A picture is named in the page of a lab, not shown: 'a tree'",
    ],
    ["an alias", `${HEAD}${P}${task("t", "kind: &a mark\nask: *a")}`, "error LAB013"],
    ["an unknown kind", `${HEAD}${P}${task("t", "kind: marks\nask: x")}`, `${LINES + 2}:7 error LAB045 There is no kind 'marks'`],
    [
      "a wrong value",
      `${HEAD}${P}${task("t", "kind: mark\nask: x\nprogram: p\nwhat: rop")}`,
      `${LINES + 5}:7 error LAB020 Task t, what: expected rpo, idom, `,
    ],
    ["a program that there is not", `${HEAD}${P}${task("t", "kind: mark\nask: x\nprogram: q\nwhat: rpo")}`, `${LINES + 4}:10 error LAB062`],
    ["a phase that there is not", `${HEAD}${P}${task("t", "kind: predict\nask: x\nprogram: p\nwhat: verdict\nat: 999")}`, "error LAB047"],
    [
      "a bad condition",
      `${HEAD}${P}${task("t", "kind: predict\nask: x\nprogram: p\nwhat: verdict\nat: { phase: 49, when: 'kind = ' }")}`,
      "error LAB046",
    ],
    [
      "a condition that cannot be dropped",
      `${HEAD}${P}${task("t", "kind: find-wrong\nask: x\nprogram: p\nfind: rewrite\ndrop: 49:leader")}`,
      "error LAB064",
    ],
    [
      "an own pass",
      `${HEAD}${task("t", "kind: write\nask: x")}`,
      "error LAB064 Task t: must: is missing: a pass that changes nothing satisfies every law.",
    ],
    ["two tasks of one name", `${HEAD}${task("t", "kind: text\nask: x")}${task("t", "kind: text\nask: x")}`, "error LAB061"],
    ["a task in a list", `${HEAD}- one\n\n  \`\`\`task {id=t}\n  kind: text\n  \`\`\`\n`, "8:3 error LAB006"],
    ["an error in a program", `${HEAD}${fence("ori {name=p}", ".kernel k()\nBB0:\n    BRA NOWHERE\n")}`, "10:9 error ORI"],
    [
      "a repeat that names no task",
      `${HEAD}${task("t", "kind: text\nask: x\nagain: order")}`,
      "10:8 error LAB020 Task t, again: is a lab's id and a task's",
    ],
    [
      "a repeat of a task of its own",
      `${HEAD}${task("t", "kind: text\nask: x\nagain: small/s")}`,
      "10:8 error LAB049 Task t: again: names a task of an earlier lab",
    ],
    ["another way to try again", `${HEAD}${task("t", "kind: text\nask: x\nretry: never")}`, "10:8 error"],
    ["another log", HEAD.replace("---\n\n", "").replace(/---\n$/, "log: all\n---\n"), "5:6 error"],
    ["a shape that there is not", `${HEAD}${fence("program {name=p generate=grpah}", "")}`, "error LAB034"],
    ["a link to a moment of nothing", `${HEAD}See [it](moment:q/49#1).\n`, "6:5 error LAB062"],
    ["a link to a phase that there is not", `${HEAD}See [it](phase:nope).\n`, "6:5 error LAB051"],
    ["a link that runs", `${HEAD}See [it](javascript:alert).\n`, "6:5 warning LAB055"],
  ])("says where and what is wrong: %s", (_, source, expected) => {
    expect(said(source).join("\n")).toContain(expected);
  });

  it("takes whose programs they are, what a wrong answer leads to and what the log says, for the lab and for a task", () => {
    const head = HEAD.replace(/---\n$/, "seed: attempt\nretry: same\nlog: full\n---\n");
    const lab = goodLab(task("t", "kind: text\nask: x") + task("u", "kind: text\nask: x\nretry: new\nagain: cfg-1/order"), head);
    expect(lab.front).toMatchObject({ seed: "attempt", retry: "same", log: "full" });
    expect(lab.tasks).toMatchObject([
      { retry: "same", again: null },
      { retry: "new", again: "cfg-1/order" },
    ]);
    expect(goodLab("").front).toMatchObject({ seed: "fixed", retry: "new", log: "short" });
  });

  it("keeps what could be read beside what could not", () => {
    const { lab } = readLab(`${HEAD}${P}${task("bad", "kind: nope\nask: x")}${task("good", "kind: text\nask: x")}`);
    expect(lab?.tasks.map((t) => t.id)).toEqual(["good"]);
  });

  it("refuses what would cost too much, at once", () => {
    expect(said(`${HEAD}${"[".repeat(100_000)}`).join()).toContain("LAB003");
    expect(said(`${HEAD}${task("t", `kind: ${"[".repeat(5000)}`)}`).join()).toContain("LAB011");
    // A fence with a word after it does not close another: what follows the second one is a paragraph.
    expect(said(`${HEAD}\`\`\`\n\`\`\`x\n\`\`\`\n\n${"*/".repeat(5000)}`).join()).toContain("LAB003");
    expect(said("x".repeat(600_000)).join()).toContain("LAB001");
    expect(said(`${HEAD}${"# x\n".repeat(20_000)}`).join()).toContain("LAB001");
  });
});

describe("the text", () => {
  it("holds nothing that runs", () => {
    const body = `<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert%281%29) [b](https://example.org) ![c](data:text/html,x)\n`;
    const lab = goodLab(body);
    const [part] = lab.parts;
    const text = JSON.stringify(part?.kind === "text" ? safeTree(part.nodes, null) : null);
    expect(text).not.toMatch(/script|onerror|javascript:|data:/);
    expect(text).toContain('"rel":["noopener","noreferrer"]');
  });

  it("has one digest whatever ends its lines", () => {
    expect(labDigest("\uFEFFa  \r\nb\r\n\r\n")).toBe(labDigest("a\nb"));
    expect(labDigest("a\nb")).not.toBe(labDigest("a\nc"));
  });
});

describe("seeds", () => {
  const lab = { id: "x", version: 1, seed: "per-student", variants: null } as const;
  it("follow from lab, class and student, and from nothing else", () => {
    expect(studentSeed(lab, " AB12 ", "k")).toBe(studentSeed(lab, "ab12", "k"));
    expect(studentSeed(lab, "ab12", "last year")).not.toBe(studentSeed(lab, "ab12", "k"));
    expect(studentSeed({ ...lab, seed: "fixed" }, "ab12", "k")).toBe(0);
    // Written down: another version must give the same programs.
    expect(studentSeed(lab, "ab12", "k")).toMatchInlineSnapshot(`630590626`);
  });
});
