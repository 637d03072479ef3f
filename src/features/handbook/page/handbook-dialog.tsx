/** The handbook: a page for every phase, structure, field, condition, opcode and knob. What draws it comes when it is opened. */

import { lazy, Suspense } from "react";
import { useActions, useSession } from "../../../app/session/hooks.ts";
import { Dialog } from "../../../app/ui/dialog.tsx";
import { HANDBOOK_DIALOG } from "./open-handbook.ts";

const HandbookBody = lazy(async () => ({ default: (await import("./handbook.tsx")).HandbookBody }));

export function HandbookDialog() {
  const open = useSession((s) => s.view.dialog === HANDBOOK_DIALOG);
  const { view } = useActions();
  return (
    <Dialog open={open} onClose={() => view.set({ dialog: null })} title="Handbook" wide bare>
      <Suspense fallback={<p role="status">Opening the handbook…</p>}>
        <HandbookBody />
      </Suspense>
    </Dialog>
  );
}
