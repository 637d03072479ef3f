/** Phis with labels: which variable they take on which edge into their block. */

import type { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import type { BrilInst } from "./ast.ts";
import type { BrilBlocks } from "./blocks.ts";
import type { BrilCode } from "./codes.ts";

/** By the block control comes from: the variable. */
export type PhiSources = ReadonlyMap<number, string>;

/** The arguments of a phi, by block. Edges without an argument and arguments without an edge are reported. */
export function phiSources(phi: BrilInst, at: number, cfg: BrilBlocks, sink: DiagnosticSink<BrilCode>): PhiSources {
  const preds = cfg.preds[at] ?? [];
  const sources = new Map<number, string>();
  for (const [i, label] of phi.labels.entries()) {
    const block = cfg.byLabel.get(label.text);
    const arg = phi.args[i];
    if (arg === undefined) continue;
    if (block === undefined || !preds.includes(block))
      sink.report("BRIL022", label.at, `control never comes here from .${label.text}: ${arg.text} is not taken`);
    else if (!sources.has(block)) sources.set(block, arg.text);
  }
  const missing = preds.find((pred) => !sources.has(pred));
  if (missing !== undefined) {
    const name = cfg.blocks[missing]?.labels[0];
    const where = name === undefined ? "a block without a label" : `.${name}`;
    sink.report("BRIL022", phi.at, `the phi has no value for the edge from ${where}; there it is 0`);
  }
  return sources;
}

export interface PhiOfBlock {
  readonly phi: BrilInst;
  readonly sources: PhiSources;
}

/**
 * Phis of a block run one after the other: a later one that reads the result of an earlier one gets its new value. PHIs of Ori read all at once, so the
 * earlier one's own source is used instead.
 */
export function sequentialSources(phis: readonly PhiOfBlock[], preds: readonly number[]): readonly PhiOfBlock[] {
  const newest = new Map<number, Map<string, string | undefined>>(preds.map((pred) => [pred, new Map()]));
  return phis.map(({ phi, sources }) => {
    const taken = new Map<number, string>();
    for (const pred of preds) {
      const before = newest.get(pred);
      const written = sources.get(pred);
      const source = written !== undefined && before?.has(written) === true ? before.get(written) : written;
      if (source !== undefined) taken.set(pred, source);
      if (phi.dest !== null) before?.set(phi.dest.text, source);
    }
    return { phi, sources: taken };
  });
}
