/** SASS: listings of the real compiler, as programs. */

import { type ExampleProgram, exampleNamed, fileOf } from "../../../app/session/example.ts";
import type { Feature } from "../../../app/session/feature.ts";
import type { Session } from "../../../app/session/session.ts";
import { ROWS } from "./examples.ts";

// `.sass` alone would be a style sheet to the bundler.
const files = import.meta.glob<string>("./listings/*.sass.txt", { query: "?raw", import: "default" });

const LISTINGS: readonly ExampleProgram[] = ROWS.map(([name, title, tool, look]) => ({
  id: `${name}.sass`,
  title: `${title} · SASS (${tool})`,
  group: "From CUDA",
  about: `ptxas 13.0's output for ${name.slice(3, name.indexOf("."))}.cu, disassembled.`,
  look,
  phase: null,
  format: "sass",
  load: fileOf(files, `./listings/${name}.sass.txt`),
}));

/** `01_switch_dense` of `01_switch_dense.sm_90`. */
const sourceName = (id: string): string => id.slice(0, id.indexOf("."));

/** Those of a kernel in CUDA that is open as PTX. */
export const listingsOf = (page: Pick<Session, "features">, id: string): readonly ExampleProgram[] =>
  exampleNamed(page, id)?.format === "ptx" ? LISTINGS.filter((listing) => sourceName(listing.id) === sourceName(id)) : [];

export const SASS: Feature = {
  id: "sass",
  language: {
    id: "sass",
    about: "listings of nvdisasm, cuobjdump, Compiler Explorer",
    command: "cuobjdump -sass kernel.cubin",
    tokens: async () => (await import("./tokens.ts")).TOKENS,
  },
  examples: LISTINGS,
};
