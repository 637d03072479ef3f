/** The page: the session around the shell. */

import { useEffect } from "react";
import { listenForShortcuts } from "./commands/shortcuts-listener.ts";
import { SessionProvider } from "./session/hooks.ts";
import type { Session } from "./session/session.ts";
import { Boundary } from "./shell/boundary.tsx";
import { Shell } from "./shell/shell.tsx";
import { TipProvider } from "./ui/tooltip.tsx";

export function App({ session }: { readonly session: Session }) {
  useEffect(() => listenForShortcuts(session), [session]);
  return (
    <SessionProvider value={session}>
      <TipProvider>
        <Boundary name="The page">
          <Shell />
        </Boundary>
      </TipProvider>
    </SessionProvider>
  );
}
