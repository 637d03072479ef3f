/** The place of the guided minute in the page; what fills it comes when the minute is started. */

import { lazy, Suspense } from "react";
import { useSession } from "../session/hooks.ts";

const Guide = lazy(async () => ({ default: (await import("./guide.tsx")).Guide }));

export function LateGuide() {
  const on = useSession((s) => s.view.tour !== null);
  return on ? (
    <Suspense fallback={null}>
      <Guide />
    </Suspense>
  ) : null;
}
