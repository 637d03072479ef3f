/** Getting your code in: what is read, and how everything else becomes PTX. */

import { useEffect, useState } from "react";
import { FORMAT_NAMES } from "../../base/formats.ts";
import type { Toolchain } from "../../engine/api/types.ts";
import { ToolchainSteps } from "../editor/toolchain-steps.tsx";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { languagesOf } from "../session/language.ts";
import { Dialog } from "../ui/dialog.tsx";

export function ToolchainsDialog() {
  const { actions } = useSessionObject();
  const open = useSession((s) => s.view.dialog === "toolchains");
  return (
    <Dialog open={open} onClose={() => actions.view.set({ dialog: null })} title="Getting your code in" wide>
      <Toolchains />
    </Dialog>
  );
}

function Toolchains() {
  const session = useSessionObject();
  const { api, actions } = session;
  const brought = languagesOf(session).map(({ id, about }) => `${FORMAT_NAMES[id]} (${about})`);
  const [toolchains, setToolchains] = useState<readonly Toolchain[]>([]);
  useEffect(() => {
    let gone = false;
    api.waysIn().then(
      (found) => {
        if (!gone) setToolchains(found);
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
        Paste a program into the editor, drop its file on the page, or open it from the File menu. These are read directly, and the format
        is detected: {["Ori", "PTX", ...brought].join("; ")}. For any other language, compile to PTX first:
      </p>
      {toolchains.map((toolchain) => (
        <section key={toolchain.id} aria-label={toolchain.what}>
          <h3>{toolchain.what}</h3>
          <ToolchainSteps steps={toolchain.steps} />
        </section>
      ))}
    </>
  );
}
