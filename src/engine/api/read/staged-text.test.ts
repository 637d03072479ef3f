import { describe, expect, test } from "vitest";
import { manyKernels } from "../../import/ptx/testing/many-kernels.ts";
import { DEFAULT_PIPELINE } from "../defaults.ts";
import { EngineSession } from "../session.ts";
import type { FirstResult, KernelInfo, PipelineOptions } from "../types.ts";

const TEXT = manyKernels(7, 36);

const names = (kernels: readonly KernelInfo[], state?: string): readonly string[] =>
  kernels.filter((k) => k.state === state).map((k) => k.name);

function rest(session: EngineSession, first: FirstResult): FirstResult {
  let answer = first;
  while (answer.left > 0) {
    const next = session.openMore(answer.revision);
    expect(next?.left).toBeLessThan(answer.left);
    if (next === null) break;
    answer = next;
  }
  return answer;
}

/** A few phases. */
const OPTIONS: PipelineOptions = { ...DEFAULT_PIPELINE, phases: ["general-optimize-early", "gvn-cse"] };

const digest = (session: EngineSession, kernel: string): string => session.run(1, kernel, OPTIONS).digest;

describe("a long text, one kernel first", () => {
  test("is long enough to be read in parts", () => expect(TEXT.length).toBeGreaterThan(100_000));

  test("lists every kernel at once, and ends as if all of it had been read at once", () => {
    const [session, whole] = [new EngineSession(), new EngineSession()];
    const at = whole.open(1, TEXT, null);
    const first = session.openFirst(1, TEXT, null, "k4");
    expect(first.kernels.map((k) => k.name)).toEqual(at.kernels.map((k) => k.name));
    expect(names(first.kernels)).toEqual(["k4"]);
    expect(first).toMatchObject({ shown: "k4", left: 7, ok: true });
    // Before the others are read.
    expect(digest(session, "k4")).toBe(digest(whole, "k4"));
    const { shown, left, ...end } = rest(session, first);
    expect([shown, left]).toEqual(["k4", 0]);
    expect(end).toEqual({ ...at, ori: "" });
    expect(session.printed()).toBe(at.ori);
    for (const name of ["k0", "helper"]) expect(digest(session, name)).toBe(digest(whole, name));
  });

  test("a kernel can be run before its turn, with what it calls", () => {
    const [session, whole] = [new EngineSession(), new EngineSession()];
    const first = session.openFirst(1, TEXT, null, null);
    expect(names(first.kernels)).toEqual(["k0", "helper"]);
    whole.open(1, TEXT, null);
    expect(digest(session, "k6")).toBe(digest(whole, "k6"));
    expect(names(session.openMore(1)?.kernels ?? [])).toContain("k6");
    expect(rest(session, first).kernels).toEqual(whole.open(1, TEXT, null).kernels);
  });

  test("questions about the whole program are answered from all of it", () => {
    const session = new EngineSession();
    const first = session.openFirst(1, TEXT, null, null);
    const whole = new EngineSession();
    whole.open(1, TEXT, null);
    expect(session.kernelText("k5")).toBe(whole.kernelText("k5"));
    expect(session.sourceAt(1, 10, 10)).toEqual(whole.sourceAt(1, 10, 10));
    expect(rest(session, first)).toMatchObject({ ok: true, left: 0 });
  });

  test("of another text nothing more is read", () => {
    const session = new EngineSession();
    session.openFirst(1, TEXT, null, null);
    session.openFirst(2, `${TEXT}\n`, null, null);
    expect(session.openMore(1)).toBeNull();
    session.open(3, ".kernel f()\nA:\n    EXIT\n", null);
    expect(session.openMore(2)).toBeNull();
  });
});

describe("a text with an error in one kernel", () => {
  const BROKEN = TEXT.replace("add.s32 %r5, %r4, 3;", "add.s32 %r5, ;");
  const WORSE = TEXT.replace("mad.lo.s32 %r2, %r1, %r1, 7;", "mad.lo.s32 %r2, ;");

  test("shows the others, says where it is, and ends with the messages of the whole", () => {
    const session = new EngineSession();
    const first = session.openFirst(1, BROKEN, null, null);
    expect(first.shown).toBe("k0");
    const end = rest(session, first);
    const whole = new EngineSession().open(1, BROKEN, null);
    expect(whole.ok).toBe(false);
    expect(end).toMatchObject({ ok: false, diagnostics: whole.diagnostics });
    expect(names(end.kernels, "wrong")).toEqual(["k3"]);
    const right = new EngineSession();
    right.open(1, TEXT, null);
    for (const name of ["k4"]) expect(digest(session, name)).toBe(digest(right, name));
    expect(session.run(1, "k3", OPTIONS).diagnostics[0]?.message).toContain("There is no kernel 'k3'");
  });

  test("that is shown leaves what was open before in place", () => {
    const session = new EngineSession();
    rest(session, session.openFirst(1, TEXT, null, "k3"));
    const before = digest(session, "k3");
    const first = session.openFirst(2, BROKEN, null, "k3");
    expect(first.shown).toBeNull();
    expect(names(rest(session, first).kernels, "wrong")).toEqual(["k3"]);
    expect(digest(session, "k3")).toBe(before);
  });

  test("nobody's first choice: the first that is right is shown", () => {
    const session = new EngineSession();
    expect(session.openFirst(1, WORSE, null, null).shown).toBe("k1");
    expect(names(rest(session, session.openFirst(1, WORSE, null, null)).kernels, "wrong")).toEqual(["k0", "k3", "k6", "helper"]);
    expect(session.openFirst(2, `}\n${TEXT}`, null, null).shown).toBeNull();
  });

  test("so in a short text", () => {
    const text = manyKernels(3, 1).replace("add.s32 %r5, %r4, 1;", "add.s32 %r5, ;");
    const first = new EngineSession().openFirst(1, text, null, null);
    expect(first).toMatchObject({ ok: false, shown: "k0", left: 0 });
    expect(names(first.kernels, "wrong")).toEqual(["k1"]);
  });
});

test("other languages are read at once", () => {
  const text = ".kernel a()\nA:\n    EXIT\n.kernel b()\nA:\n    EXIT\n";
  const session = new EngineSession();
  expect(session.openFirst(1, text, null, "b")).toMatchObject({ shown: "b", left: 0, ok: true, ori: "" });
  expect(session.printed()).toBe(text);
  expect(session.openFirst(2, "nothing", null, null)).toMatchObject({ shown: null, left: 0, ok: false });
});
