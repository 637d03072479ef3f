/** The tab of a pass, with TypeScript: loaded when it opens. */

import { lazy, Suspense } from "react";
import { Boundary } from "../../../../app/ui/boundary.tsx";
import { EmptyState } from "../../../../app/ui/empty-state.tsx";

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
