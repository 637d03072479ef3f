/** What a family's fixtures become, to be compared with what they become when an entry of a structure is wrong. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { printFunc } from "../../text/printer.ts";
import { runFixture } from "./run-fixture.ts";

export function resultsOf(family: string): readonly string[] {
  const folder = join(family, "fixtures");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ori"))
    .map((file) => {
      const run = runFixture(readFileSync(join(folder, file), "utf8"));
      if (typeof run === "string") throw new Error(run);
      return printFunc(run.run.after);
    });
}
