/** Getting your code in: what is read, and how everything else becomes PTX. */

import { useEffect, useState } from "react";
import type { WayIn } from "../../engine/api/types.ts";
import { WaySteps } from "../editor/way-steps.tsx";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { Dialog } from "../ui/dialog.tsx";

export function WaysInDialog() {
  const { actions } = useSessionObject();
  const open = useSession((s) => s.view.dialog === "ways-in");
  return (
    <Dialog open={open} onClose={() => actions.view.set({ dialog: null })} title="Getting your code in" wide>
      <WaysIn />
    </Dialog>
  );
}

function WaysIn() {
  const { api, actions } = useSessionObject();
  const [ways, setWays] = useState<readonly WayIn[]>([]);
  useEffect(() => {
    let gone = false;
    api.waysIn().then(
      (found) => {
        if (!gone) setWays(found);
      },
      () => actions.notify("warning", "The engine was restarted: open this dialog again."),
    );
    return () => {
      gone = true;
    };
  }, [api, actions]);
  return (
    <>
      <p>
        Paste a program into the editor, drop its file on the page, or open it from the File menu. Ori, PTX, SASS listings (nvdisasm,
        cuobjdump, Compiler Explorer) and Bril (text and JSON) are read directly, and the format is detected. For any other language,
        compile to PTX first:
      </p>
      {ways.map((way) => (
        <section key={way.id} aria-label={way.what}>
          <h3>{way.what}</h3>
          <WaySteps steps={way.steps} />
        </section>
      ))}
    </>
  );
}
