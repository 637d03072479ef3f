/** The texts of the programs that show something: loaded when one is opened. */

import { fileOfProgram } from "./program-files.ts";

const FILES = import.meta.glob<string>(["../../../engine/passes/*/{fixtures,witnesses,regressions}/*.ori"], {
  query: "?raw",
  import: "default",
  eager: true,
});

export const textOfProgram = (id: string): string | null => FILES[`../../../engine/passes/${fileOfProgram(id)}`] ?? null;

/** As `Shown` names them. */
export const PROGRAMS: readonly string[] = Object.keys(FILES).map((file) =>
  file
    .replace(/^.*\/passes\//, "")
    .replace("/fixtures/", "/")
    .replace(/\.ori$/, ""),
);
