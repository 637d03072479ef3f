/** The notices of the session, in the corner of the panes: the strip, the transport and the step's sentence are never covered. */

import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { Notices } from "../ui/notices.tsx";

export function NoticeStack() {
  const session = useSessionObject();
  const notices = useSession((s) => s.notices);
  const { view } = useActions();
  return <Notices notices={notices} onDismiss={view.dismiss} onAction={(id) => session.command(id)?.run(session)} />;
}
