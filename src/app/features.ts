/** The features of the page. The rest works without any of them. */

import { BRIL } from "./bril/feature.ts";
import { ENGINES_PAGE } from "./engines/page.ts";
import { EXAMPLES_PAGE } from "./examples/page.ts";
import { FUTURES_PAGE } from "./futures/page.ts";
import { HANDBOOK } from "./handbook/feature.ts";
import { LABS_PAGE } from "./labs/page.ts";
import { OWN_PASS_PAGE } from "./ownpass/page.ts";
import { PUBLISH } from "./publish/feature.ts";
import { SASS_PAGE } from "./sass/page.ts";
import type { Feature } from "./session/feature.ts";
import { TOUR_PAGE } from "./tour/page.ts";

export const FEATURES: readonly Feature[] = [
  BRIL,
  ENGINES_PAGE,
  FUTURES_PAGE,
  OWN_PASS_PAGE,
  LABS_PAGE,
  EXAMPLES_PAGE,
  SASS_PAGE,
  TOUR_PAGE,
  PUBLISH,
  HANDBOOK,
];
