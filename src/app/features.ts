/** The features of the page. The rest works without any of them. */

import { ALIGN } from "./align/feature.ts";
import { ENGINES_PAGE } from "./engines/page.ts";
import { EXAMPLES_PAGE } from "./examples/page.ts";
import { FUTURES_PAGE } from "./futures/page.ts";
import { HANDBOOK } from "./handbook/feature.ts";
import { LABS_PAGE } from "./labs/page.ts";
import { OWN_PASS_PAGE } from "./ownpass/page.ts";
import { PUBLISH } from "./publish/feature.ts";
import type { Feature } from "./session/feature.ts";
import { TOUR_PAGE } from "./tour/page.ts";

export const FEATURES: readonly Feature[] = [
  ALIGN,
  ENGINES_PAGE,
  FUTURES_PAGE,
  OWN_PASS_PAGE,
  LABS_PAGE,
  EXAMPLES_PAGE,
  TOUR_PAGE,
  PUBLISH,
  HANDBOOK,
];
