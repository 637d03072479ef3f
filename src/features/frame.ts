/** The features of a frame in another page: without what only the whole page shows. */

import type { Feature } from "../app/session/feature.ts";
import { BRIL } from "./bril/page/feature.ts";
import { ENGINES } from "./engines/page/feature.ts";
import { EXAMPLE_PROGRAMS } from "./examples/page/feature.ts";
import { FUTURES } from "./futures/page/feature.ts";
import { HANDBOOK } from "./handbook/page/feature.ts";
import { LABS } from "./labs/page/feature.ts";
import { ownPass } from "./ownpass/page/feature.ts";
import { PUBLISH } from "./publish/page/feature.ts";
import { SASS } from "./sass/page/feature.ts";
import { TOUR } from "./tour/page/feature.ts";

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
