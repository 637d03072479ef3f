/** What the tour shows in the page. */

import type { Feature } from "../../../app/session/feature.ts";
import { TOUR } from "./feature.ts";
import { LateGuide } from "./late-guide.tsx";
import { Welcome } from "./welcome.tsx";

export const TOUR_PAGE: Feature = { ...TOUR, overlays: { LateGuide }, onPicture: { Welcome } };
