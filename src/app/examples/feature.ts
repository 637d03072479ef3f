/** Programs to open with a click, and what to look at in each. */

import type { Feature } from "../session/feature.ts";
import { EXAMPLES } from "./catalogue.ts";
import { openExample } from "./open-example.ts";

export const EXAMPLE_PROGRAMS: Feature = {
  id: "examples",
  before: "general",
  commands: [
    {
      id: "file.examples",
      title: "Examples…",
      menu: "file",
      keys: ["Mod+Shift+E"],
      separated: false,
      enabled: () => true,
      run: (session) => session.actions.view.set({ dialog: "examples" }),
    },
  ],
  example: (id) => EXAMPLES.find((example) => example.id === id)?.load() ?? null,
  palette: async (session) =>
    EXAMPLES.map((example) => ({
      id: `example:${example.id}`,
      group: "Example",
      title: example.title,
      found: `examples, ${example.group}, ${example.about}`,
      run: () => void openExample(session, example),
    })),
};
