/** The place of the guided tour in the page; what fills it is loaded when the tour starts. */

import { lazy, Suspense } from "react";
import { useSession } from "../../../app/session/hooks.ts";

const Guide = lazy(async () => ({ default: (await import("./guide.tsx")).Guide }));

export function LateGuide() {
  const on = useSession((s) => s.tour.mark !== null);
  return on ? (
    <Suspense fallback={null}>
      <Guide />
    </Suspense>
  ) : null;
}
