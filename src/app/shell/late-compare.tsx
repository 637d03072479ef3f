/** The comparison, loaded when it is first opened. */

import { lazy } from "react";

export const LateCompare = lazy(async () => ({ default: (await import("../compare/compare.tsx")).Compare }));
