/** What other engines show in the page. */

import type { Feature } from "../../../app/session/feature.ts";
import { EngineBanner } from "./engine-banner.tsx";
import { ENGINES } from "./feature.ts";

export const ENGINES_PAGE: Feature = { ...ENGINES, banners: { EngineBanner } };
