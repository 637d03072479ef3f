/** The page: the session around the shell. */

import { type ReactNode, useEffect } from "react";
import { listenForShortcuts } from "./commands/shortcuts-listener.ts";
import { SessionProvider } from "./session/hooks.ts";
import type { Session } from "./session/session.ts";
import type { Opening } from "./share/startup.ts";
import { WorkProvider } from "./share/work-context.ts";
import { Boundary } from "./ui/boundary.tsx";

interface AppProps {
  readonly session: Session;
  readonly work: Opening;
  readonly children: ReactNode;
}

export function App({ session, work, children }: AppProps) {
  useEffect(() => listenForShortcuts(session), [session]);
  return (
    <SessionProvider value={session}>
      <WorkProvider value={work}>
        <Boundary name="The page">{children}</Boundary>
      </WorkProvider>
    </SessionProvider>
  );
}
