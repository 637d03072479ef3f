/** The gallery: every program that a click opens, and what to look at in it. */

import { DEFAULT_EXAMPLE } from "./default-example.ts";
import type { Example, OriRow } from "./example.ts";
import { generateKernel } from "./generate.ts";
import { BRANCHES } from "./rows/branches.ts";
import { COMPILERS, CUDA, phaseOf, SASS } from "./rows/cuda.ts";
import { BRIL, FROM_C } from "./rows/first.ts";
import { LOOPS } from "./rows/loops.ts";
import { REDUNDANCY } from "./rows/redundancy.ts";
import { SWITCHES } from "./rows/switches.ts";
import { TAILS } from "./rows/tails.ts";

const oriFiles = import.meta.glob<string>(["./ori/*.ori", "!./ori/sum-positive.ori"], { query: "?raw", import: "default" });
const ptxFiles = import.meta.glob<string>("./ptx/*.ptx", { query: "?raw", import: "default" });

const brilFiles = import.meta.glob<string>("./bril/*.bril", { query: "?raw", import: "default" });
const cFiles = import.meta.glob<string>("./c/*.ptx", { query: "?raw", import: "default" });

// `.sass` alone would be a style sheet to the bundler.
const sassFiles = import.meta.glob<string>("./sass/*.sass.txt", { query: "?raw", import: "default" });

function file(files: Record<string, () => Promise<string>>, path: string): () => Promise<string> {
  return async () => {
    const load = files[path];
    if (load === undefined) throw new Error(`There is no file ${path}.`);
    return await load();
  };
}

const FIVE_BLOCKS: OriRow = [
  "five-blocks",
  "Five blocks",
  null,
  "The smallest program with a loop, a branch and a join.",
  "Small enough to predict every step before taking it.",
];

const ORI: readonly (readonly [group: Example["group"], rows: readonly OriRow[]])[] = [
  ["Loops", LOOPS],
  ["Branches", BRANCHES],
  ["Switches", SWITCHES],
  ["Redundancy", REDUNDANCY],
  ["Tails and layout", TAILS],
  ["Sizes", [FIVE_BLOCKS]],
];

export const EXAMPLES: readonly Example[] = [
  ...BRIL.map(
    ([id, title, phase, about, look, kernel]): Example => ({
      id: `bril-${id}`,
      title,
      group: "First programs",
      about,
      look,
      phase,
      format: "bril",
      kernel,
      load: file(brilFiles, `./bril/${id}.bril`),
    }),
  ),
  ...FROM_C.map(
    ([id, title, phase, about, look]): Example => ({
      id: `c-${id}`,
      title,
      group: "From C",
      about,
      look,
      phase,
      format: "ptx",
      load: file(cFiles, `./c/${id}.ptx`),
    }),
  ),
  ...ORI.flatMap(([group, rows]) =>
    rows.map(
      ([id, title, phase, about, look]): Example => ({
        id,
        title,
        group,
        about,
        look,
        phase,
        format: "ori",
        load: id === DEFAULT_EXAMPLE.id ? async () => DEFAULT_EXAMPLE.text : file(oriFiles, `./ori/${id}.ori`),
      }),
    ),
  ),
  ...([50, 500] as const).map(
    (size): Example => ({
      id: `generated-${size}`,
      title: `About ${size} blocks`,
      group: "Sizes",
      about: "Generated: nested loops and conditions.",
      look: size === 50 ? "Large enough that the outline and search matter." : "Collapse loops, search, and step by object.",
      phase: size === 50 ? "ori-do-predication" : "general-optimize-early",
      format: "ori",
      load: async () => generateKernel(`generated_${size}`, size, size),
    }),
  ),
  ...CUDA.flatMap(([name, title, phase]) =>
    COMPILERS.map(
      ([suffix, compiler]): Example => ({
        id: `${name}.${suffix}`,
        title: `${title} · ${compiler}`,
        group: "From CUDA",
        about: `PTX for ${name.slice(3)}.cu from ${compiler.split(",")[0]}.`,
        look: "The import reports what it could not map; the control flow is complete.",
        phase: phaseOf(phase, suffix),
        format: "ptx",
        load: file(ptxFiles, `./ptx/${name}.${suffix}.ptx`),
      }),
    ),
  ),
  ...SASS.map(
    ([name, title, tool, look]): Example => ({
      id: `${name}.sass`,
      title: `${title} · SASS (${tool})`,
      group: "From CUDA",
      about: `ptxas 13.0's output for ${name.slice(3, name.indexOf("."))}.cu, disassembled.`,
      look,
      phase: null,
      format: "sass",
      load: file(sassFiles, `./sass/${name}.sass.txt`),
    }),
  ),
];
