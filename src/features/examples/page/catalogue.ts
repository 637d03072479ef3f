/** The programs of the examples, and what to look at in each. Other features bring theirs (`Feature.examples`). */

import { type ExampleProgram, type ExampleRow, exampleOf, fileOf } from "../../../app/session/example.ts";
import { DEFAULT_EXAMPLE } from "./default-example.ts";
import { BRANCHES } from "./rows/branches.ts";
import { COMPILERS, CUDA, phaseOf } from "./rows/cuda.ts";
import { FROM_C } from "./rows/first.ts";
import { LOOPS } from "./rows/loops.ts";
import { REDUNDANCY } from "./rows/redundancy.ts";
import { SWITCHES } from "./rows/switches.ts";
import { TAILS } from "./rows/tails.ts";

const oriFiles = import.meta.glob<string>(["./ori/*.ori", "!./ori/sum-positive.ori"], { query: "?raw", import: "default" });
const ptxFiles = import.meta.glob<string>("./ptx/*.ptx", { query: "?raw", import: "default" });
const cFiles = import.meta.glob<string>("./c/*.ptx", { query: "?raw", import: "default" });

const FIVE_BLOCKS: ExampleRow = [
  "five-blocks",
  "Five blocks",
  null,
  "The smallest program with a loop, a branch and a join.",
  "Small enough to predict every step before taking it.",
];

const ORI: readonly (readonly [group: string, rows: readonly ExampleRow[]])[] = [
  ["Loops", LOOPS],
  ["Branches", BRANCHES],
  ["Switches", SWITCHES],
  ["Redundancy", REDUNDANCY],
  ["Tails and layout", TAILS],
  ["Sizes", [FIVE_BLOCKS]],
];

export const EXAMPLES: readonly ExampleProgram[] = [
  ...FROM_C.map((row) => exampleOf(row, { id: `c-${row[0]}`, group: "From C", format: "ptx", load: fileOf(cFiles, `./c/${row[0]}.ptx`) })),
  ...ORI.flatMap(([group, rows]) =>
    rows.map((row) => {
      const [id] = row;
      const load = id === DEFAULT_EXAMPLE.id ? async () => DEFAULT_EXAMPLE.text : fileOf(oriFiles, `./ori/${id}.ori`);
      return exampleOf(row, { id, group, format: "ori", load });
    }),
  ),
  ...([50, 500] as const).map(
    (size): ExampleProgram => ({
      id: `generated-${size}`,
      title: `About ${size} blocks`,
      group: "Sizes",
      about: "Generated: nested loops and conditions.",
      look: size === 50 ? "Large enough that the outline and search matter." : "Collapse loops, search, and step by object.",
      phase: size === 50 ? "ori-do-predication" : "general-optimize-early",
      format: "ori",
      load: async () => (await import("./generate.ts")).generateKernel(`generated_${size}`, size, size),
    }),
  ),
  ...CUDA.flatMap(([name, title, phase]) =>
    COMPILERS.map(
      ([suffix, compiler]): ExampleProgram => ({
        id: `${name}.${suffix}`,
        title: `${title} · ${compiler}`,
        group: "From CUDA",
        about: `PTX for ${name.slice(3)}.cu from ${compiler.split(",")[0]}.`,
        look: "The import reports what it could not map; the control flow is complete.",
        phase: phaseOf(phase, suffix),
        format: "ptx",
        load: fileOf(ptxFiles, `./ptx/${name}.${suffix}.ptx`),
      }),
    ),
  ),
];
