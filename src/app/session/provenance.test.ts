import { expect, it } from "vitest";
import { provenanceOf, selectEarlier, WithProvenance } from "./provenance.ts";
import { INITIAL_STATE } from "./state.ts";

it("a result is read with the text, the kernel, the options and the run that it belongs to, and with nothing else", () => {
  const provenance = provenanceOf(INITIAL_STATE);
  const result = new WithProvenance(provenance, "ok");
  expect(result.in(provenanceOf({ ...INITIAL_STATE }))).toBe("ok");
  const { document, options } = INITIAL_STATE;
  expect(result.in(provenanceOf({ ...INITIAL_STATE, document: { ...document, revision: document.revision + 1 } }))).toBeNull();
  expect(result.in(provenanceOf({ ...INITIAL_STATE, options: { ...options, pipeline: { ...options.pipeline } } }))).toBeNull();
  expect(result.in(provenanceOf({ ...INITIAL_STATE, options: { ...options, kernel: "other" } }))).toBeNull();
  expect(result.in({ ...provenance, run: {} as never })).toBeNull();
});

it("a run of the program before is told from one of an earlier text of this program", () => {
  const state = (revision: number) => ({
    ...INITIAL_STATE,
    document: { ...INITIAL_STATE.document, revision: 9, since: 7 },
    run: { ...INITIAL_STATE.run, result: { revision } as never },
  });
  expect(selectEarlier(state(6))).toBe(true);
  expect(selectEarlier(state(8))).toBe(false);
  expect(selectEarlier(INITIAL_STATE)).toBe(false);
});
