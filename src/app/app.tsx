/** The page: the session around the shell. */

import { useEffect } from "react";
import { listenForShortcuts } from "./commands/shortcuts-listener.ts";
import { SessionProvider } from "./session/hooks.ts";
import type { Session } from "./session/session.ts";
import type { Opening } from "./share/startup.ts";
import { WorkProvider } from "./share/work-context.ts";
import { Boundary } from "./shell/boundary.tsx";
import { Shell } from "./shell/shell.tsx";
import { TipProvider } from "./ui/tooltip.tsx";

export function App({ session, work }: { readonly session: Session; readonly work: Opening }) {
  useEffect(() => listenForShortcuts(session), [session]);
  return (
    <SessionProvider value={session}>
      <WorkProvider value={work}>
        <TipProvider>
          <Boundary name="The page">
            <Shell />
          </Boundary>
        </TipProvider>
      </WorkProvider>
    </SessionProvider>
  );
}
