import { expect, it } from "vitest";
import type { OpenResult, PhaseRun, RunResult } from "../../engine/api/types.ts";
import { type CoreState, INITIAL_STATE, type Opened } from "../session/state.ts";
import { iconOf, titleOf } from "./document-head.ts";

const GOOD = { ok: true, diagnostics: [] } as unknown as Opened;
const wrong = (errors: number) =>
  ({ ok: false, diagnostics: Array.from({ length: errors }, () => ({ severity: "error" })) }) as unknown as OpenResult;

/** A program that ran and is open at value numbering. */
const SHOWN: CoreState = {
  ...INITIAL_STATE,
  engine: { ...INITIAL_STATE.engine, status: "ready" },
  document: { ...INITIAL_STATE.document, text: ".kernel k()", title: "mine", open: GOOD, good: GOOD },
  run: { ...INITIAL_STATE.run, result: { phases: [{ id: "gvn-cse", name: "GvnCse" } as PhaseRun] } as unknown as RunResult },
  position: { ...INITIAL_STATE.position, state: "loaded", run: 0 },
};

const slow = { title: "Running the pipeline", since: 0 };
const CASES: readonly (readonly [name: string, state: CoreState, title: string, icon: ReturnType<typeof iconOf>])[] = [
  ["nothing is open", INITIAL_STATE, "Oriscope", "icon"],
  ["it starts, and that takes long", { ...INITIAL_STATE, engine: { ...INITIAL_STATE.engine, slow } }, "Working… · Oriscope", "icon-busy"],
  ["a phase is shown", SHOWN, "Value numbering · mine · Oriscope", "icon"],
  [
    "a pass's name would turn the title round",
    {
      ...SHOWN,
      run: { ...SHOWN.run, result: { phases: [{ id: "x", name: "a\u202egpj\u200b.exe" } as PhaseRun] } as unknown as RunResult },
    },
    "agpj.exe · mine · Oriscope",
    "icon",
  ],
  ["the text has changed", { ...SHOWN, run: { ...SHOWN.run, stale: true } }, "mine · Oriscope", "icon"],
  ["it runs again", { ...SHOWN, run: { ...SHOWN.run, running: true } }, "mine · Oriscope", "icon"],
  [
    "it runs again, and that takes long",
    { ...SHOWN, run: { ...SHOWN.run, running: true, stale: true }, engine: { ...SHOWN.engine, slow } },
    "Working… · mine · Oriscope",
    "icon-busy",
  ],
  [
    "the text has errors, and the result is of an older one",
    { ...SHOWN, document: { ...SHOWN.document, open: wrong(2) } },
    "2 errors · mine · Oriscope",
    "icon",
  ],
  ["a run failed", { ...SHOWN, run: { ...SHOWN.run, stale: true, error: "stopped" } }, "Run failed · mine · Oriscope", "icon-failed"],
  [
    "the engine failed, whatever it was at",
    { ...SHOWN, engine: { ...SHOWN.engine, status: "failed", slow } },
    "Engine failed · mine · Oriscope",
    "icon-failed",
  ],
];

it.each(CASES)("title and icon when %s", (_, state, title, icon) => {
  expect(titleOf(state)).toBe(title);
  expect(iconOf(state)).toBe(icon);
});
