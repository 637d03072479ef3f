/**
 * Damaged inputs through everything that reads them: texts through the importers and the pipeline, links through the codec and then the same way.
 * Nothing may throw, no phase may fail inside or break what the verifier or the interpreter see.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_PIPELINE } from "../../engine/api/defaults.ts";
import { randomProgram } from "../../engine/api/exec/fuzz.ts";
import { EngineSession } from "../../engine/api/session.ts";
import type { PipelineOptions } from "../../engine/api/types.ts";
import { toBase64Url } from "../../links/base64url.ts";
import { deflate } from "../../links/deflate.ts";
import { decodeLink, encodeLink } from "../../links/link-codec.ts";
import { EMPTY_LINK, type LinkData } from "../../links/link-data.ts";
import { type Draw, damage, drawFrom } from "./mutate.ts";

/** One input and its result. */
export interface DamagedCase {
  readonly input: string;
  /** It was read without an error. */
  readonly accepted: boolean;
  /** Bodies that went through the whole pipeline. */
  readonly pipelines: number;
  /** What went wrong; null when nothing did. */
  readonly failure: string | null;
}

/** A kind of inputs that are damaged by a seed. */
export interface Damaged {
  /** What they begin with, and what damages one and tries it: those are read once. */
  begin(): { readonly of: string; tryOne(seed: number): DamagedCase | Promise<DamagedCase> };
}

const ofPrograms = (tryOne: (seed: number, programs: readonly string[]) => DamagedCase | Promise<DamagedCase>): Damaged => ({
  begin() {
    const programs = readPrograms();
    return { of: `${programs.length} programs`, tryOne: (seed) => tryOne(seed, programs) };
  },
});

/** Where programs are, from the repository's root, in any language. */
const FOLDERS = ["src/engine", "src/features"];
const ENDINGS = /\.(?:ori|ptx|sass|sass\.txt|bril)$/;

/** The programs that are damaged: all fixtures and examples. */
export function readPrograms(root = "."): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => ENDINGS.test(name))
      .sort()
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  );
}

/** What the session calls a phase that failed inside. */
const INTERNAL = "PIPE010";
/** One text in so many is compared phase by phase, on so many inputs: that costs more than all the rest. */
const CHECKED_SHARE = 8;
const CHECKED_INPUTS = 2;
const MOST_BODIES = 4;

/** Damages a program by the seed and sends it through import and pipeline. */
export function tryText(seed: number, programs: readonly string[]): DamagedCase {
  const draw = drawFrom(seed);
  const input = damagedProgram(draw, seed, programs);
  return { input, ...attempt(() => throughEngine(input, drawOptions(draw))) };
}

function damagedProgram(draw: Draw, seed: number, programs: readonly string[]): string {
  // The smaller one of three: most programs are small fixtures, most of the time would go into the large listings.
  const drawn = [0, 1, 2].map(() => programs[draw(programs.length)] ?? "");
  const smallest = drawn.reduce((best, text) => (text.length < best.length ? text : best));
  const text = draw(4) === 0 ? randomProgram(seed) : smallest;
  return damage(text, programs, draw);
}

type Outcome = Omit<DamagedCase, "input">;

function attempt(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    return thrown(error);
  }
}

function thrown(error: unknown): Outcome {
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { accepted: false, pipelines: 0, failure: `thrown: ${said}` };
}

function throughEngine(text: string, options: PipelineOptions): Outcome {
  const session = new EngineSession();
  const { ok, kernels, diagnostics } = session.open(1, text, null);
  const lines = text.split(/\r\n|\r|\n/).length;
  const lost = diagnostics.find((d) => d.line < 0 || d.line > lines);
  if (lost !== undefined)
    return { accepted: ok, pipelines: 0, failure: `${lost.code} is on line ${lost.line} of ${lines}: ${lost.message}` };
  let pipelines = 0;
  if (!ok) return { accepted: false, pipelines, failure: null };
  for (const { name } of kernels.slice(0, MOST_BODIES)) {
    const { phases, diagnostics: said } = session.run(1, name, options);
    if (phases.length > 0) pipelines++;
    const inside = said.find((d) => d.code === INTERNAL);
    if (inside !== undefined) return { accepted: ok, pipelines, failure: `internal: ${inside.message}` };
    for (const phase of phases) {
      const unsound = phase.verifyErrors[0];
      if (unsound !== undefined) return { accepted: ok, pipelines, failure: `${phase.id}: ${unsound.code} ${unsound.message}` };
      if (phase.check?.ok === false) return { accepted: ok, pipelines, failure: `${phase.id}: ${phase.check.counterexample}` };
    }
  }
  return { accepted: ok, pipelines, failure: null };
}

const TARGETS = [null, null, "sm_50", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100"];

function drawOptions(draw: Draw): PipelineOptions {
  const policy = draw(2) === 0 ? "notes" : "measured";
  return {
    ...DEFAULT_PIPELINE,
    policy,
    target: TARGETS[draw(TARGETS.length)] ?? null,
    verify: true,
    check: draw(CHECKED_SHARE) === 0 ? CHECKED_INPUTS : 0,
  };
}

/** Makes a link, damages it (its characters, or its content) and reads it; a link that is accepted is run by the engine. */
export async function tryLink(seed: number, programs: readonly string[]): Promise<DamagedCase> {
  const draw = drawFrom(seed);
  const input = await damagedLink(draw, seed, programs);
  try {
    const decoded = await decodeLink(input);
    if (!decoded.ok) return { input, accepted: false, pipelines: 0, failure: decoded.message === "" ? "refused without a word" : null };
    const { data } = decoded;
    return { input, ...throughEngine(data.source ?? "", optionsOf(data, draw)) };
  } catch (error) {
    return { input, ...thrown(error) };
  }
}

/** The options that a link carries. */
function optionsOf(data: LinkData, draw: Draw): PipelineOptions {
  const { target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel } = data;
  const check = draw(CHECKED_SHARE) === 0 ? CHECKED_INPUTS : 0;
  return { target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel, verify: true, check };
}

async function damagedLink(draw: Draw, seed: number, programs: readonly string[]): Promise<string> {
  const source = draw(3) === 0 ? damagedProgram(draw, seed, programs) : (programs[draw(programs.length)] ?? "");
  const data: LinkData = { ...EMPTY_LINK, engine: "0.1.0", source, ...drawFields(draw) };
  const kind = draw(3);
  if (kind === 0) return damageCharacters(await encodeLink(data), draw);
  const json = kind === 1 ? damageJson(JSON.stringify(data), draw) : JSON.stringify(data);
  return `v${draw(20) === 0 ? draw(4) : 1}.${toBase64Url(await deflate(new TextEncoder().encode(json)))}`;
}

function drawFields(draw: Draw): Partial<LinkData> {
  return {
    title: draw(2) === 0 ? "A title" : "",
    target: ["sm_90", "sm_20", "sm_80", null, "sm_999"][draw(draw(4) === 0 ? 5 : 4)] ?? null,
    level: draw(5),
    policy: draw(2) === 0 ? "notes" : "measured",
    knobs: [[], ["402=6"], ["464=0", "SwitchOptBudget=1"], ["knob 235=1"], ["nope=1"]][draw(draw(4) === 0 ? 5 : 4)] ?? [],
    noPhases: [[], ["OriCopyProp"], ["37", "nope"]][draw(draw(4) === 0 ? 3 : 2)] ?? [],
    phases: [null, null, ["29", "29", "46"], ["gvn-cse"], ["999"]][draw(draw(4) === 0 ? 5 : 4)] ?? null,
    until: [null, null, null, "30", "nope"][draw(draw(4) === 0 ? 5 : 4)] ?? null,
    fuel: [null, null, 0, 3][draw(4)] ?? null,
    step: [null, -1, 5][draw(3)] ?? null,
    view: draw(2) === 0 ? { tab: "why", zoom: 2 } : {},
    breakpoints: draw(2) === 0 ? [{ kind: "line", line: 3, enabled: true }] : [],
  };
}

function damageCharacters(link: string, draw: Draw): string {
  let result = draw(8) === 0 ? `https://example.org/page#${link}` : link;
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/%# \u0000é";
  for (let i = draw(4); i >= 0; i--) {
    const at = draw(result.length + 1);
    result = result.slice(0, at) + (draw(2) === 0 ? (alphabet[draw(alphabet.length)] ?? "") : "") + result.slice(at + draw(3));
  }
  return draw(6) === 0 ? result.slice(0, draw(result.length + 1)) : result;
}

const HOSTILE_VALUES = [
  "null",
  "-1",
  "1e999",
  "{}",
  "[]",
  "true",
  '"x"',
  "9007199254740993",
  '{"__proto__":{"a":1}}',
  "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
];

/** Values of another kind, long lists, deep nests, keys twice: what is parsed but is no link. */
export function damageJson(json: string, draw: Draw): string {
  let result = json;
  for (let i = draw(3); i >= 0; i--) {
    const keys = [...result.matchAll(/"(\w+)":/g)];
    const key = keys[draw(keys.length)];
    const at = key === undefined ? 0 : key.index + key[0].length;
    const value = HOSTILE_VALUES[draw(HOSTILE_VALUES.length)] ?? "null";
    switch (draw(6)) {
      case 0:
        result = result.slice(0, at) + value + result.slice(at + draw(8));
        break;
      case 1:
        result = `${result.slice(0, -1)},${key?.[0] ?? '"x":'}${value}}`;
        break;
      case 2:
        result = `${result.slice(0, -1)},"knobs":[${"1,".repeat([10, 10_000, 200_000][draw(3)] ?? 10)}1]}`;
        break;
      case 3:
        result = `${result.slice(0, -1)},"view":${'{"a":'.repeat([20, 5000][draw(2)] ?? 20)}1${"}".repeat(20)}}`;
        break;
      case 4:
        result = result.slice(0, draw(result.length + 1));
        break;
      default:
        result = `${result.slice(0, -1)},"title":"${"\u202e".repeat(draw(600))}"}`;
    }
  }
  return result;
}

/** By the word that `--mutate` takes. */
export const DAMAGED_PROGRAMS = {
  texts: ofPrograms(tryText),
  links: ofPrograms(tryLink),
};
