/** SASS listings as a language that is read. */

import { align } from "../../align/align.ts";
import { type AlignReport, NOTHING_ALIGNED } from "../../align/report.ts";
import type { Func } from "../../ir/types.ts";
import type { Reader } from "../reader.ts";
import { importSass } from "./import.ts";
import { readSassSource } from "./source-notes.ts";

export const SASS: Reader = { read: (text) => importSass(text), source: readSassSource, align: alignWithListing };

/** Compares a function with one of a listing of the same kernel. */
function alignWithListing(ours: Func | null, text: string, name: string | null): AlignReport {
  const { module, diagnostics, functions } = importSass(text);
  const candidates = module.funcs.filter((_, i) => functions[i]?.isLocal === false);
  const base = { candidates: candidates.map((fn) => fn.name), diagnostics };
  const kernels = candidates.filter((fn) => fn.kind === "kernel");
  const real =
    name === null
      ? (candidates.find((fn) => fn.name === ours?.name) ?? (kernels.length === 1 ? kernels[0] : candidates[0]))
      : module.funcs.find((fn) => fn.name === name);
  if (ours === null || real === undefined) return { ...NOTHING_ALIGNED, ...base };
  return { ok: true, ...base, ...align(ours, real) };
}
