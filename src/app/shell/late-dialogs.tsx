/** The dialogs, loaded once the page is quiet: nothing of them is in what a first visit waits for. */

import { useEffect, useState } from "react";
import type { Shown } from "../session/feature.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import type { Session } from "../session/session.ts";
import { messageOf } from "../ui/failure.ts";
import { whenQuiet } from "../ui/when-quiet.ts";

/** The page's own and those of features. */
async function load({ features }: Session): Promise<Shown> {
  return Object.assign({}, ...(await Promise.all([import("./dialogs.tsx"), ...features.map((feature) => feature.dialogs?.())])));
}

export function LateDialogs() {
  // The palette is there from the start.
  const wanted = useSession((s) => s.view.dialog !== null && s.view.dialog !== "palette");
  const drawn = useSession((s) => s.position.moment !== null);
  const session = useSessionObject();
  const [dialogs, setDialogs] = useState<Shown | null>(null);
  useEffect(() => {
    if (!drawn) return undefined;
    // What fails here is requested again when a dialog is opened.
    return whenQuiet(() => load(session).then(setDialogs, () => undefined));
  }, [drawn, session]);
  const missing = wanted && dialogs === null;
  useEffect(() => {
    if (!missing) return;
    const { view, notify } = session.actions;
    load(session).then(setDialogs, (error) => {
      // An open dialog has all keys, and opening it a second time would change nothing.
      view.set({ dialog: null });
      notify("error", `The dialog could not be loaded: ${messageOf(error)}`);
    });
  }, [missing, session]);
  return Object.entries<Shown[string]>(dialogs ?? {}).map(([name, One]) => <One key={name} />);
}
