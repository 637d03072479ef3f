/** What this is, and which engine runs it. */

import { useActions, useSession } from "../session/hooks.ts";
import { Dialog } from "../ui/dialog.tsx";

export function AboutDialog() {
  const open = useSession((s) => s.view.dialog === "about");
  const version = useSession((s) => s.engine.version);
  const { view } = useActions();
  return (
    <Dialog open={open} onClose={() => view.set({ dialog: null })} title="About Oriscope">
      <p>
        Oriscope runs the control-flow and redundancy passes of a GPU optimizer on your program, in this page. Step into, over, out of and
        back through every pass, and read why each rewrite happened or did not.
      </p>
      <p>
        The passes are re-implemented from a published reference. Where the reference contradicts itself, the documentation records what we
        decided and why. Nothing you type leaves this page.
      </p>
      <p className="muted">Engine {version}</p>
      <p>
        ELK lays the graphs out, and React Flow shows them. <a href="./THIRD_PARTY_NOTICES.txt">Software by others</a>
      </p>
    </Dialog>
  );
}
