/** Writing a lab: the editor is loaded when it is opened. */

import { lazy, Suspense } from "react";
import { useActions, useSession } from "../../../../app/session/hooks.ts";
import { Dialog } from "../../../../app/ui/dialog.tsx";

const Writer = lazy(async () => ({ default: (await import("./writer.tsx")).Writer }));

export function LabWriterDialog() {
  const open = useSession((s) => s.view.dialog === "lab-writer");
  const { view } = useActions();
  return (
    <Dialog open={open} onClose={() => view.set({ dialog: null })} title="Write a lab" wide>
      <Suspense fallback={<p>Loading…</p>}>
        <Writer />
      </Suspense>
    </Dialog>
  );
}
