/** The tab of a pass, with TypeScript: loaded when it opens. */

import { lazy, Suspense } from "react";
import { Boundary } from "../../ui/boundary.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

const PassTab = lazy(async () => ({ default: (await import("./pass-tab.tsx")).PassTab }));

export function LatePassTab() {
  return (
    <Boundary name="The pass">
      <Suspense fallback={<EmptyState title="Loading the pass editor…" />}>
        <PassTab />
      </Suspense>
    </Boundary>
  );
}
