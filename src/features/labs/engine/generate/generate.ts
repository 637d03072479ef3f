/** A student's program: drawn from a seed until it meets the lab's requirements. */

import { flowFacts } from "../../../../engine/api/analysis/flow-facts.ts";
import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import type { PipelineOptions } from "../../../../engine/api/types.ts";
import { seedFrom } from "../digest.ts";
import type { Front, GeneratedProgram, Range } from "../lab.ts";
import { shapeText } from "./shapes.ts";

/** Draws before a lab's requirements are reported as too narrow. */
const MOST_DRAWS = 400;

export type Generated = { readonly text: string; readonly draws: number } | { readonly text: null; readonly message: string };

/** The same program for the same lab, student and variant, everywhere. */
export function generateProgram(source: GeneratedProgram, front: Front, seed: number, variant: number): Generated {
  const random = { size: sizeOf(source), irreducible: source.irreducible === true };
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const drawn = seedFrom(front.id, front.version, seed, source.name, variant, draw);
    const spread = source.blocks ?? source.instructions;
    const size = spread === null ? random.size : spread.least + (drawn % (spread.most - spread.least + 1));
    const text = shapeText(source.shape, drawn, { ...random, size });
    if (text === null) return { text: null, message: `there is no shape '${source.shape}'` };
    if (fits(text, source, front)) return { text, draws: draw + 1 };
  }
  return { text: null, message: `no program of ${MOST_DRAWS} that were drawn for '${source.name}' is what the lab asks for` };
}

const sizeOf = ({ size, blocks, instructions }: GeneratedProgram): number => size ?? blocks?.least ?? instructions?.least ?? 6;

const within = (value: number, range: Range | null): boolean => range === null || (value >= range.least && value <= range.most);

function fits(text: string, source: GeneratedProgram, front: Front): boolean {
  const read = flowFacts(text);
  if (!read.ok) return false;
  const { blocks, loops, reducible } = read.facts;
  const instructions = blocks.reduce((sum, b) => sum + b.insts.length, 0);
  if (!within(blocks.length, source.blocks) || !within(instructions, source.instructions) || !within(loops.length, source.loops))
    return false;
  if (source.phis !== null && !within(read.facts.phisFor(source.phis.register).length, source.phis.count)) return false;
  if (source.irreducible !== null && source.irreducible === reducible) return false;
  // Every shape's own graph is reducible unless the lab requests another.
  if (source.irreducible === null && !reducible && source.shape !== "irreducible" && source.shape !== "tangle") return false;
  return source.fires.length + source.stays.length + source.refuses.length === 0 || behaves(text, source, pipelineOf(front));
}

function behaves(text: string, { fires, stays, refuses }: GeneratedProgram, options: PipelineOptions): boolean {
  const session = new EngineSession();
  const kernel = session.open(1, text, "ori").kernels[0];
  if (kernel === undefined) return false;
  // A run stops before `until`. Phases after the last one that a task is about change nothing.
  const asked = [...fires, ...stays, ...refuses].map((word) => word.split(":")[0] ?? "");
  const until = asked.every((word) => /^\d{1,3}$/.test(word)) ? String(Math.max(...asked.map(Number)) + 1) : options.until;
  const { phases } = session.run(1, kernel.name, { ...options, until });
  const runOf = (name: string): (typeof phases)[number] | undefined => {
    const found = session.lookupPhase(name);
    return found.ok ? phases.find((p) => found.ids.includes(p.id)) : undefined;
  };
  if (!fires.every((name) => (runOf(name)?.rewrites ?? 0) > 0)) return false;
  if (!stays.every((name) => runOf(name)?.ran === true && runOf(name)?.rewrites === 0)) return false;
  return refuses.every((text) => {
    const at = text.indexOf(":");
    const run = runOf(at < 0 ? text : text.slice(0, at));
    if (run === undefined || session.trace(run.run) === null) return false;
    const when = at < 0 ? "verdict = no" : `verdict = no and condition = "${text.slice(at + 1).replaceAll('"', "")}"`;
    return session.breakpointTicks(run.run, [{ kind: "condition", text: when }]).length > 0;
  });
}

/** A lab's default pipeline for its tasks. */
export function pipelineOf({ target, policy, optLevel, knobs }: Pick<Front, "target" | "policy" | "optLevel" | "knobs">): PipelineOptions {
  return { ...DEFAULT_PIPELINE, target, policy, level: optLevel, knobs };
}
