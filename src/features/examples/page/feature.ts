/** Programs to open with a click, and what to look at in each. */

import { opensDialog } from "../../../app/session/command.ts";
import { examplesOf, openExample } from "../../../app/session/example.ts";
import type { Feature } from "../../../app/session/feature.ts";
import { EXAMPLES } from "./catalogue.ts";
import { DEFAULT_EXAMPLE, openDefault } from "./default-example.ts";

export const EXAMPLE_PROGRAMS: Feature = {
  id: "examples",
  before: "general",
  commands: [
    {
      ...opensDialog("file.examples", "Examples…", "examples", "file", ["Mod+Shift+E"]),
      found: "examples, gallery, samples, programs, kernels, demo, labs",
    },
  ],
  examples: EXAMPLES,
  firstProgram: { phase: DEFAULT_EXAMPLE.phase, open: openDefault },
  palette: async (session) =>
    examplesOf(session).map((example) => ({
      id: `example:${example.id}`,
      group: "Example",
      title: example.title,
      found: `examples, ${example.group}, ${example.about}`,
      run: () => void openExample(session, example),
    })),
};
