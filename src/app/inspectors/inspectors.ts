/** The one list of inspectors, in the order of their tabs. Adding one: a folder, and a line here. */

import { FUTURES } from "../futures/pane/pane.tsx";
import { ALIGN } from "./align/inspector.ts";
import { EVENTS } from "./events/events.tsx";
import type { Inspector } from "./inspector.ts";
import { KNOBS } from "./knobs/inspector.ts";
import { PSEUDOCODE } from "./pseudocode/pseudocode.tsx";
import { RECORD } from "./record/inspector.ts";
import { RULE } from "./rule/inspector.ts";
import { RUN } from "./run/inspector.ts";
import { STRUCTURES } from "./structures/structures.tsx";
import { SWITCHES } from "./switches/inspector.ts";
import { TAILS } from "./tails/inspector.ts";
import { VALUES } from "./values/inspector.ts";
import { WHY } from "./why/why.tsx";

export const INSPECTORS: readonly Inspector[] = [
  PSEUDOCODE,
  EVENTS,
  KNOBS,
  RUN,
  WHY,
  RULE,
  RECORD,
  STRUCTURES,
  SWITCHES,
  TAILS,
  VALUES,
  ALIGN,
  FUTURES,
];
