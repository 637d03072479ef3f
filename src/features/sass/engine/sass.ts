/** SASS listings as a language that is read. */

import type { Reader } from "../../../engine/import/reader.ts";
import type { Func } from "../../../engine/ir/types.ts";
import { align } from "./align/align.ts";
import { type AlignReport, NOTHING_ALIGNED } from "./align/report.ts";
import { importSass } from "./import.ts";
import { readSassSource } from "./source-notes.ts";

/** A reader that also compares a function with one of a listing (null: the one of the same name, else the only kernel, else the first function). */
export interface SassReader extends Reader {
  /** Never throws for any text. */
  align(ours: Func | null, text: string, name: string | null): AlignReport;
}

export const SASS: SassReader = { read: (text) => importSass(text), source: readSassSource, align: alignWithListing };

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
