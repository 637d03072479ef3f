/** The place of an open lab in the window; what fills it comes when one is opened. */

import { lazy, Suspense } from "react";
import { useSession } from "../../../app/session/hooks.ts";
import { Boundary } from "../../../app/ui/boundary.tsx";
import { EmptyState } from "../../../app/ui/empty-state.tsx";

const LabPane = lazy(async () => ({ default: (await import("./lab-pane.tsx")).LabPane }));

export function LabDock() {
  const source = useSession((s) => s.lab.source);
  return source === null ? null : (
    <Boundary name="The lab">
      <Suspense fallback={<EmptyState title="Loading the lab…" />}>
        <LabPane source={source} />
      </Suspense>
    </Boundary>
  );
}
