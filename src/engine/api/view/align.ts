/** Aligns a moment's function with a SASS listing of the same kernel. */

import { align } from "../../align/align.ts";
import type { AlignReport } from "../../align/report.ts";
import type { SassReader } from "../../import/sass/sass.ts";
import type { Func } from "../../ir/types.ts";
import { without } from "../read/read-with.ts";

/** `name`: a function of the listing; null: the one of the same name, else the only kernel, else the first function. Never throws for any text. */
export function alignWithSass(ours: Func | null, sassText: string, name: string | null, reader: SassReader | undefined): AlignReport {
  if (reader === undefined) return { ...NOTHING, diagnostics: [without("SASS")] };
  const { module, diagnostics, functions } = reader.read(sassText);
  const candidates = module.funcs.filter((_, i) => functions[i]?.isLocal === false);
  const base = { candidates: candidates.map((fn) => fn.name), diagnostics };
  const kernels = candidates.filter((fn) => fn.kind === "kernel");
  const real =
    name === null
      ? (candidates.find((fn) => fn.name === ours?.name) ?? (kernels.length === 1 ? kernels[0] : candidates[0]))
      : module.funcs.find((fn) => fn.name === name);
  if (ours === null || real === undefined) return { ...NOTHING, ...base };
  return { ok: true, ...base, ...align(ours, real) };
}

const NOTHING: AlignReport = {
  ok: false,
  ours: { name: "", blocks: [] },
  real: { name: "", blocks: [] },
  candidates: [],
  pairs: [],
  decisions: [],
  score: 0,
  notes: [],
  diagnostics: [],
};
