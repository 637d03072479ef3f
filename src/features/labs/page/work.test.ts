import { describe, expect, it } from "vitest";
import { Desk, type DeskLab } from "../engine/desk.ts";
import { readHandIn } from "../engine/hand-in.ts";
import { reportedOf } from "../engine/reports/log.ts";
import { HEAD, task } from "../engine/testing/small-lab.ts";
import { cleaned } from "./forms/form.ts";
import { cardMarks, marked, pressedOf } from "./forms/marks.ts";
import { shortLog } from "./short-log.ts";
import { earlierHandIn, handInOf, merged, NO_WORK, newWork, readWork, totalOf, withTask, workFromHandIn, workOf } from "./work.ts";

const TEXT = HEAD + task("a", "kind: number\nask: One?\nvalue: 1") + task("b", "kind: number\nask: Two?\nvalue: 2");

function labOf(): DeskLab {
  const { lab } = new Desk().open(TEXT);
  if (lab === null) throw new Error("the lab has errors");
  return lab;
}

describe("a student's work on a lab", () => {
  it("two tabs lose no answer: of each task the later one stays", () => {
    const lab = labOf();
    const start = newWork(lab, "", 1000);
    const one = withTask(start, "a", { draft: { number: 1 }, answer: { number: 1 } }, "answer 1: right", 2000);
    const two = withTask(
      withTask(start, "b", { answer: { number: 2 } }, "answer 1: right", 2500),
      "a",
      { answer: { number: 7 } },
      null,
      1500,
    );
    for (const both of [merged(one, two), merged(two, one)]) {
      expect(workOf(both, "a").answer).toEqual({ number: 1 });
      expect(workOf(both, "b").answer).toEqual({ number: 2 });
      expect(both.log.map((entry) => entry.task)).toEqual(["a", "b"]);
    }
    // A reset is a change, too.
    const reset = withTask(one, "a", NO_WORK, "reset", 3000);
    expect(workOf(merged(one, reset), "a").answer).toBeNull();
  });

  it("a hand-in is one that grading reads, and opens again as the same work", () => {
    const lab = labOf();
    const work = withTask(
      { ...newWork(lab, "2026", 0), name: "Ada", number: "4711" },
      "a",
      { answer: { number: 1 }, hints: 2, variant: 3 },
      "answer",
      5,
    );
    const text = JSON.stringify(handInOf(lab, work, { seed: 9, log: true }));
    const read = readHandIn(text);
    if (!read.ok) throw new Error(read.message);
    expect(read.handIn).toMatchObject({ lab: { id: "small", version: 1, digest: lab.digest }, seed: 9, class: "2026", hints: { a: 2 } });
    const again = workFromHandIn(lab, read.handIn, [], 10);
    expect(again).toMatchObject({ name: "Ada", number: "4711", log: work.log });
    expect(workOf(again, "a")).toMatchObject({ answer: { number: 1 }, draft: { number: 1 }, hints: 2, variant: 3 });
    expect(handInOf(lab, work, { seed: 9, log: false })).toMatchObject({ log: [] });
  });

  it("sums what was judged, and says what a person grades", () => {
    const lab = labOf();
    const result = { id: "a", kind: "number", status: "right", points: 1.5, max: 2, reason: "", theory: null } as const;
    const work = withTask(newWork(lab, "", 0), "a", { answer: {}, result }, null, 1);
    const open = withTask(work, "b", { answer: {}, result: { ...result, id: "b", status: "by-hand", points: null } }, null, 2);
    expect(totalOf(lab, open)).toEqual({ points: 1.5, answered: 2, open: 1 });
  });

  it("an earlier version's hand-in is graded as that version, also where its tasks are gone", () => {
    const now = { ...labOf(), version: 2, digest: "new" };
    const work = { ...newWork(labOf(), "", 0), number: "42", seed: 7 };
    const done = withTask(withTask(work, "a", { answer: { number: 1 } }, null, 1), "gone", { answer: { number: 3 } }, null, 2);
    const read = readHandIn(JSON.stringify(earlierHandIn(now, done)));
    if (!read.ok) throw new Error(read.message);
    expect(read.handIn).toMatchObject({
      lab: { id: "small", version: 1, digest: labOf().digest },
      seed: 7,
      answers: { a: { number: 1 }, gone: { number: 3 } },
    });
    // Copies of older pages know neither: the seed follows from the number.
    const { digest: _, seed: __, ...older } = done;
    expect(JSON.stringify(earlierHandIn(now, older))).not.toMatch(/"seed"|"digest"/);
  });

  it("of two attempts with other programs the later one stays whole", () => {
    const one = { ...withTask(newWork(labOf(), "", 0), "a", { answer: { number: 1 } }, null, 9), seed: 1 };
    const two = { ...one, tasks: {}, seed: 2, counter: 5 };
    expect(merged(one, two)).toEqual(two);
    expect(merged(two, one)).toEqual(two);
  });

  it("has the same tries from a short log as from a full one", () => {
    const log = [
      ["answer 1: wrong", 1000],
      ["hint 1", 2000],
      ["answer 2: wrong", 3000],
      ["reset", 3500],
      ["answer 3: partly", 4000],
      ["another program", 5000],
      ["answer 1: wrong", 6000],
      ["answer 2: right", 7000],
    ].map(([event, at]) => ({ task: "pick", at: Number(at), event: String(event) }));
    const short = shortLog(log);
    expect(short.map((entry) => entry.event)).toEqual([
      "answer 1: wrong",
      "hint 1",
      "answer 3: partly",
      "another program",
      "answer 1: wrong",
      "answer 2: right",
    ]);
    expect(reportedOf(log)).toEqual({ pick: { tries: 5, firstRight: false, seconds: 7 } });
    expect(reportedOf(short)).toEqual(reportedOf(log));
  });

  it("stored text that is none of its own is nothing", () => {
    for (const text of [null, "", "{", "[]", '{"format":2}', '{"format":1,"tasks":null}']) expect(readWork(text)).toBeNull();
  });
});

describe("marking on the graph", () => {
  const labels = ["BB0", "BB1", "BB2"];
  const block = (label: string) => ({ kind: "block", label }) as const;

  it("gives the same answer as the list", () => {
    const blocks = { kind: "blocks", labels } as const;
    expect(marked(blocks, null, null, block("BB1")).draft).toEqual({ blocks: ["BB1"] });
    expect(marked(blocks, { blocks: ["BB1"] }, null, block("BB1")).draft).toEqual({ blocks: [] });
    const numbers = { kind: "numbers", labels } as const;
    const first = marked(numbers, null, null, block("BB0")).draft;
    expect(marked(numbers, first, null, block("BB2")).draft).toEqual({ numbers: { BB0: 1, BB2: 2 } });
    expect(marked({ kind: "registers", names: ["R1"] }, null, null, { kind: "reg", name: "R1" }).draft).toEqual({ registers: ["R1"] });
  });

  it("joins two blocks to a pair", () => {
    const parents = { kind: "parents", labels } as const;
    const one = marked(parents, null, null, block("BB1"));
    expect(one.pending).toBe("BB1");
    expect(marked(parents, one.draft, one.pending, block("BB0"))).toEqual({ draft: { parents: { BB1: "BB0" } }, pending: null });
    const edges = { kind: "edges", labels, edges: null } as const;
    const from = marked(edges, null, null, block("BB0"));
    expect(marked(edges, from.draft, from.pending, block("BB2")).draft).toEqual({ edges: [["BB0", "BB2"]] });
    expect(marked(edges, null, null, { kind: "edge", from: "BB0", to: "BB1" }).draft).toEqual({ edges: [["BB0", "BB1"]] });
    expect(
      cardMarks(
        edges,
        {
          edges: [
            ["BB0", "BB2"],
            ["BB0", "BB1"],
          ],
        },
        null,
      ),
    ).toEqual(new Map([["BB0", "→ BB2, → BB1"]]));
  });

  it("a block that is not in the program is not marked", () => {
    expect(pressedOf({ kind: "block", id: 9 }, () => null)).toBeNull();
    expect(marked({ kind: "blocks", labels }, null, null, block("BB9"))).toEqual({ draft: null, pending: null });
  });
});

it("an answer is handed in without the empty lines that were typed on the way", () => {
  expect(cleaned({ plan: { phases: ["15", "", " 16 "], level: 3 } })).toEqual({ plan: { phases: ["15", "16"], level: 3 } });
  expect(cleaned({ input: { threads: 1, args: ["n=5", ""], mem: [""] } })).toEqual({ input: { threads: 1, args: ["n=5"], mem: [] } });
  expect(cleaned({ text: "a\n\nb" })).toEqual({ text: "a\n\nb" });
});
