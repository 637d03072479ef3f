import { describe, expect, test } from "vitest";
import { EngineSession } from "../../engine/api/session.ts";
import type { PipelineOptions } from "../../engine/api/types.ts";
import { applyDelta, type MomentState } from "../session/moment.ts";
import { shownLine, sourceIndex } from "../session/source-lines.ts";
import { sourceHover } from "./source-hover.ts";

const OPTIONS: PipelineOptions = {
  target: null,
  level: 3,
  policy: "notes",
  knobs: [],
  noPhases: [],
  namedPhases: [],
  phases: null,
  until: null,
  verify: false,
  check: 0,
  fuel: null,
};

const PTX = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r5, 99;
L:
  add.s32 %r1, %r1, 1;
  clz.b32 %r2, %r1;
  setp.lt.s32 %p1, %r1, 64;
  @%p1 bra L;
  st.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry other()
{
  ret;
}
`;

function hoverAt(line: number, word: string, phase: (name: string) => boolean): string {
  const session = new EngineSession();
  const open = session.open(1, PTX, null);
  expect(open.ok).toBe(true);
  const run = session.run(1, "k", OPTIONS);
  const at = run.phases.find((p) => phase(p.name)) ?? run.phases[0];
  const trace = session.trace(at?.run ?? 0);
  const moment: MomentState = applyDelta(null, session.view(at?.run ?? 0, (trace?.steps ?? 0) - 1, null));
  const lines = PTX.split("\n");
  const note = session.sourceAt(1, line, (lines[line - 1] ?? "").indexOf(word) + 1);
  if (note === null) throw new Error("no note");
  return sourceHover({ note, line, lines, moment, kernels: open.kernels });
}

describe("hover over PTX", () => {
  const control = (name: string) => name === "AnalyzeControlFlow";

  test("an instruction names what it became, in its block with the block's flags", () => {
    const text = hoverAt(13, "add.s32", control);
    expect(text).toContain("**add.s32** · a + b");
    expect(text).toMatch(/in Ori, block \*\*L\*\* \(rpo 2; flags .*LOOP_HEADER.*IN_LOOP/);
    expect(text).toContain("- `IADD R0, R0, 1`");
  });

  test("an instruction that became several lists them all", () => {
    const text = hoverAt(14, "clz", control);
    expect(text.match(/^- `/gm)?.length).toBeGreaterThan(1);
    expect(text).toContain("FLO");
  });

  test("a register lists where it is defined and used, and its name in Ori", () => {
    const text = hoverAt(15, "%r1", control);
    expect(text).toContain("**%r1** · .b32 · R0 in Ori");
    expect(text).toContain("defined: \n- line 10: `mov.u32 %r1, %tid.x;`\n- line 13: `add.s32 %r1, %r1, 1;`");
    expect(text).toContain("- line 15: `setp.lt.s32 %p1, %r1, 64;`");
  });

  test("a label says which block it begins", () => {
    expect(hoverAt(12, "L:", control)).toContain("in Ori, block **L**");
    expect(hoverAt(16, "L;", control)).toContain("targeted by: \n- line 16");
  });

  test("what a phase removed is said to be gone, and what another kernel holds to be there", () => {
    expect(hoverAt(11, "mov.u32", control)).toContain("MOV");
    expect(hoverAt(11, "mov.u32", (name) => name.startsWith("OriPerformLiveDead"))).toContain("Nothing of it is left at this step");
    expect(hoverAt(22, "ret", control)).toContain("Part of `other`, which is not the one shown.");
  });

  test("a text of another revision is not answered for", () => {
    const session = new EngineSession();
    session.open(1, PTX, null);
    expect(session.sourceAt(2, 13, 4)).toBeNull();
    session.open(2, ".kernel k()\nBB0:\n    EXIT\n", null);
    expect(session.sourceAt(2, 3, 6)).toBeNull();
  });
});

test("lines of a listing are shown without addresses and encodings", () => {
  expect(shownLine("        /*0010*/                   S2R R2, SR_TID.X ;   /* 0x00000000000279c3 */")).toBe("S2R R2, SR_TID.X ;");
});

test("the index of a moment is made once", () => {
  const session = new EngineSession();
  session.open(1, PTX, null);
  session.run(1, "k", OPTIONS);
  session.trace(0);
  const moment = applyDelta(null, session.view(0, -1, null));
  expect(sourceIndex(moment)).toBe(sourceIndex({ ...moment, step: 3 }));
  expect(
    sourceIndex(moment)
      .lines.get(13)
      ?.map((p) => p.inst.op),
  ).toEqual(["IADD"]);
});
