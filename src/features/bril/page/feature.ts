/** Bril: the IR of compiler courses, as text and JSON. */

import { onShown } from "../../../app/session/command.ts";
import { exampleOf, fileOf } from "../../../app/session/example.ts";
import type { Feature } from "../../../app/session/feature.ts";
import { formatOf } from "../../../app/session/source-lines.ts";
import { downloadStep } from "../../../app/share/files.ts";
import { ROWS } from "./examples.ts";

const files = import.meta.glob<string>("./programs/*.bril", { query: "?raw", import: "default" });

export const BRIL: Feature = {
  id: "bril",
  language: {
    id: "bril",
    about: "text or JSON, as used in compiler courses",
    tokens: async () => (await import("./tokens.ts")).TOKENS,
    input: {
      // Several threads would print into one buffer.
      threads: "1",
      hint: "Write values as Bril does. The program's output is shown first.",
      first: { int: "7", float: "1.5", bool: "true", char: "a" },
    },
  },
  examples: ROWS.map((row) =>
    exampleOf(row, { id: `bril-${row[0]}`, group: "First programs", format: "bril", load: fileOf(files, `./programs/${row[0]}.bril`) }),
  ),
  commands: [
    onShown({
      id: "export.bril",
      title: "Export the program at this step as Bril",
      menu: null,
      keys: [],
      enabled: (state) => state.run.result !== null && formatOf(state) === "bril",
      run: (session) =>
        void downloadStep(session, "bril", async (moment) => {
          const bril = await session.api.brilAt(moment);
          if (bril !== null && bril.text !== "") return bril.text;
          const why = bril === null ? "the source is not a Bril program" : bril.problems.slice(0, 3).join("; ");
          session.actions.notify("error", `The program at this step cannot be written as Bril: ${why}.`);
          return null;
        }),
    }),
  ],
};
