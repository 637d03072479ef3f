/** The tab of the inspector; what it draws comes when it is opened. */

import { selectTrace } from "../../session/selectors.ts";
import { VALUE_STRUCTURE } from "../../session/value-numbers.ts";
import type { Inspector } from "../inspector.ts";
import { late } from "../late.tsx";

export const VALUES: Inspector = {
  id: "values",
  title: "Values",
  about: "value numbers, leaders, classes, modes",
  dock: "bottom",
  relevant: (s) => selectTrace(s)?.structures.some((t) => t.name === VALUE_STRUCTURE) === true,
  component: late(async () => (await import("./values.tsx")).Values),
};
