import { describe, expect, it } from "vitest";
import { IMPORTERS } from "../../../features/importers.ts";
import { READERS } from "../../../features/readers.ts";
import { CoreSession } from "../core-session.ts";
import { DEFAULT_PIPELINE } from "../defaults.ts";

const TEXTS = {
  ori: ".kernel k(n: R0)\nA:\n    IADD R1, R0, 0\n    BRA B\nB:\n    EXIT\n",
  ptx: ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n  ret;\n}\n",
  sass: '\t.headerflags @"EF_CUDA_SM80"\n/*0000*/ EXIT ;\n',
  bril: "@main {\n  ret;\n}\n",
} as const;

const LANGUAGES = [
  ["ptx", "PTX"],
  ["sass", "SASS"],
  ["bril", "Bril"],
] as const;

it("what loads each language alone and what has all of them list the same", async () => {
  const loaded = await Promise.all(Object.entries(READERS).map(async ([id, load]) => [id, await load()] as const));
  expect(Object.fromEntries(loaded)).toEqual(IMPORTERS);
  expect(Object.keys(IMPORTERS)).toEqual(LANGUAGES.map(([id]) => id));
});

describe.each(LANGUAGES)("without %s", (id, name) => {
  const { [id]: _, ...readers } = IMPORTERS;

  it("its text is refused by name, whether it is recognised or a link says what it is", () => {
    const session = new CoreSession({ readers });
    for (const format of [null, id]) {
      const { ok, format: read, diagnostics } = session.open(1, TEXTS[id], format);
      expect([ok, read]).toEqual([false, id]);
      expect(diagnostics).toMatchObject([{ code: "API006", severity: "error", message: expect.stringContaining(`This is ${name},`) }]);
    }
  });

  it("Ori and the other languages are read, run and stepped through", () => {
    const session = new CoreSession({ readers });
    for (const other of ["ori", ...Object.keys(readers)] as (keyof typeof TEXTS)[]) {
      const { ok, kernels } = session.open(1, TEXTS[other], null);
      expect([ok, kernels.length], other).toEqual([true, 1]);
      const { phases } = session.run(1, kernels[0]?.name ?? "", DEFAULT_PIPELINE);
      const changed = phases.find((phase) => phase.ran);
      expect(session.trace(changed?.run ?? -1), other).not.toBeNull();
    }
  });
});
