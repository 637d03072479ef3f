import { describe, expect, it } from "vitest";
import { judgeTask } from "../../engine/judge.ts";
import { Context } from "../../engine/kinds/kind.ts";
import { formOf, kindOf } from "../../engine/kinds/kinds.ts";
import { Stage } from "../../engine/stage.ts";
import { fence, goodLab, task } from "../../engine/testing/small-lab.ts";
import { edgesOf, mapOf, textsOf } from "./form.ts";
import { MARKABLE, type Marked, marked, type Pressed, withEdge } from "./marks.ts";

/** A loop, and a branch that lanes take differently. */
const PROGRAM = `.kernel d(n: R0, out: RD1)
BB0:
    S2R R5, SR_TID.X
    MOV R2, 0
BB1:
    IADD R2, R2, 1
    ISETP.LT P0, R2, R5
    @P0 BRA BB1
BB2:
    ISETP.LT P1, R0, 9
    @P1 BRA BB4
BB3:
    STG [RD1], R2
BB4:
    EXIT
`;

const block = (label: string): Pressed => ({ kind: "block", label });

/** What a student presses on the graph to give an answer. */
function presses(answer: unknown, drawn: boolean): readonly Pressed[] {
  const numbers = Object.entries(mapOf(answer, "numbers")).sort(([, a], [, b]) => Number(a) - Number(b));
  return [
    ...textsOf(answer, "blocks").map(block),
    ...textsOf(answer, "registers").map((name): Pressed => ({ kind: "reg", name })),
    ...edgesOf(answer).flatMap(([from, to]): Pressed[] => (drawn ? [{ kind: "edge", from, to }] : [block(from), block(to)])),
    ...numbers.map(([label]) => block(label)),
    ...Object.entries(mapOf(answer, "parents")).flatMap(([label, parent]) =>
      parent === null ? [] : [block(label), block(String(parent))],
    ),
  ];
}

describe("marks on the graph", () => {
  it.each([
    "what: rpo",
    "what: idom",
    "what: edges",
    "what: back-edges",
    "what: loop-headers",
    "what: in-loop",
    "what: divergent",
    "what: live-in\nblock: BB1",
    "what: frontier\nblock: BB1",
  ])("are the answer of the list: %s", (yaml) => {
    const lab = goodLab(fence("ori {name=p}", PROGRAM) + task("t", `kind: mark\nask: x\nprogram: p\n${yaml}`));
    const [only] = lab.tasks;
    if (only === undefined) throw new Error("no task");
    const stage = new Stage(lab, 0);
    const ctx = new Context(stage, only, 0);
    const form = formOf(ctx);
    expect(MARKABLE.has(form.kind)).toBe(true);
    const answer = kindOf("mark")?.solve(only.spec, ctx);
    const steps = presses(answer, form.kind === "edges" && form.edges !== null);
    expect(steps.length).toBeGreaterThan(0);
    const { draft, pending } = steps.reduce<Marked>((now, pressed) => marked(form, now.draft, now.pending, pressed), {
      draft: null,
      pending: null,
    });
    expect(pending).toBeNull();
    expect(judgeTask(stage, only, draft, 0, 0)).toMatchObject({ status: "right" });
  });

  it("taken back one by one are an answer that names none, as in the list", () => {
    const form = { kind: "blocks", labels: ["A", "B"] } as const;
    const once = marked(form, null, null, block("A"));
    expect(once.draft).toEqual({ blocks: ["A"] });
    expect(marked(form, once.draft, null, block("A")).draft).toEqual({ blocks: [] });
    expect(withEdge(withEdge(null, "A", "B"), "A", "B")).toEqual({ edges: [] });
    // A block that the task does not name is no mark.
    expect(marked(form, once.draft, null, block("Z")).draft).toBe(once.draft);
  });
});
