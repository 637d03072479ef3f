import { expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../defaults.ts";
import { EngineSession } from "../session.ts";

/** Two equal adds, and a copy that nothing reads. */
const TEXT = `.kernel k(n: R0, m: R1, out: RD2)
BB0:
    IADD R4, R0, R1
    IADD R5, R0, R1
    MOV R6, R5
    STG [RD2], R4
    STG [RD2+0x4], R5
    EXIT
`;

it("names the run that changed each line last, up to the moment it is asked for", () => {
  const session = new EngineSession();
  session.open(1, TEXT, null);
  const { phases } = session.run(1, "k", DEFAULT_PIPELINE);
  const last = phases.length - 1;
  const named = (run: number, step: number | null) =>
    new Map(session.lineChanges({ run, step }).map(([line, at]) => [line, phases[at]?.id ?? "none"]));

  const all = named(last, null);
  // The copy is dead, the second add is replaced, and the end, which nothing changes, is not reported.
  expect(all.has(8)).toBe(false);
  expect(all.get(5)).toMatch(/^ori-perform-live-dead/);
  expect(all.get(4)).toBeDefined();
  for (const [line, phase] of all) expect(phases.find((p) => p.id === phase)?.changed, `line ${line}`).toBe(true);

  // Of the very phase, nothing before its step that changes the line.
  const gvn = phases.findIndex((p) => p.id === "gvn-cse");
  expect(named(gvn, -1).get(4)).not.toBe("gvn-cse");
  expect(named(gvn, null).get(4)).toBe("gvn-cse");
  expect(session.lineChanges({ run: -1, step: null })).toEqual([]);
});
