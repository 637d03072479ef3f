/** The features of the page. The rest works without any of them. */

import type { Feature } from "../app/session/feature.ts";
import { BRIL } from "./bril/page/feature.ts";
import { ENGINES_PAGE } from "./engines/page/page.ts";
import { EXAMPLES_PAGE } from "./examples/page/page.ts";
import { FUTURES_PAGE } from "./futures/page/page.ts";
import { HANDBOOK } from "./handbook/page/feature.ts";
import { LABS_PAGE } from "./labs/page/page.ts";
import { OWN_PASS_PAGE } from "./ownpass/page/page.ts";
import { PUBLISH } from "./publish/page/feature.ts";
import { SASS_PAGE } from "./sass/page/page.ts";
import { TOUR_PAGE } from "./tour/page/page.ts";

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
