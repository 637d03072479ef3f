/** After the engine ended by itself: what happened, and the case as a file. */

import { commandById } from "../commands/commands.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import styles from "./shell.module.css";

export function CrashBanner() {
  const session = useSessionObject();
  const crash = useSession((s) => s.engine.crash);
  const { view } = useActions();
  if (crash === null) return null;
  return (
    <div className={styles.banner} role="alert" data-testid="crash">
      <Icon name="warning" />
      <p>The engine ended and was started again: {crash} Your text, options and place are kept.</p>
      <Button onClick={() => commandById("file.save-case")?.run(session)}>Save the case as a file</Button>
      <Button onClick={() => session.actions.document.refresh()}>Run again</Button>
      <IconButton icon="close" label="Dismiss" onClick={view.dismissCrash} />
    </div>
  );
}
