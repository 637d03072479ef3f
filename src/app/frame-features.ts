/** The features of a frame in another page: without what only the whole page shows. */

import { BRIL } from "./bril/feature.ts";
import { ENGINES } from "./engines/feature.ts";
import { EXAMPLE_PROGRAMS } from "./examples/feature.ts";
import { FUTURES } from "./futures/feature.ts";
import { HANDBOOK } from "./handbook/feature.ts";
import { LABS } from "./labs/feature.ts";
import { ownPass } from "./ownpass/feature.ts";
import { PUBLISH } from "./publish/feature.ts";
import { SASS } from "./sass/feature.ts";
import type { Feature } from "./session/feature.ts";
import { TOUR } from "./tour/feature.ts";

export const FRAME_FEATURES: readonly Feature[] = [
  BRIL,
  ENGINES,
  FUTURES,
  ownPass(),
  EXAMPLE_PROGRAMS,
  SASS,
  TOUR,
  PUBLISH,
  LABS,
  HANDBOOK,
];
