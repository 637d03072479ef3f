/** After the engine ended by itself: what happened, and the case as a file. */

import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Icon } from "../ui/icons.tsx";
import { Row } from "../ui/layout.tsx";
import styles from "./shell.module.css";

export function CrashBanner() {
  const session = useSessionObject();
  const crash = useSession((s) => s.engine.crash);
  const failed = useSession((s) => s.engine.status === "failed");
  const { view } = useActions();
  if (crash === null) return null;
  if (failed)
    return (
      <Row wrap gap={2} pad={[1, 3]} className={cx(styles.banner, "line-below")} role="alert" data-testid="crash">
        <Icon name="error" />
        <p>
          The engine could not be loaded, after several tries: the connection failed, or the site has been updated. Reload the page; your
          text, options and place are kept. <span className="muted">({crash})</span>
        </p>
        <Button onClick={() => window.location.reload()}>Reload the page</Button>
        <Button onClick={() => session.restartEngine("restarted on request")}>Try again</Button>
      </Row>
    );
  return (
    <Row wrap gap={2} pad={[1, 3]} className={cx(styles.banner, "line-below")} role="alert" data-testid="crash">
      <Icon name="warning" />
      <p>The engine stopped and was restarted: {crash.replace(/[.!?]?$/, ".")} Your text, options and place are kept.</p>
      <Button onClick={() => session.command("file.save-case")?.run(session)}>Save the case as a file</Button>
      <Button onClick={() => session.askAgain()}>Run again</Button>
      <IconButton icon="close" label="Dismiss" onClick={view.dismissCrash} />
    </Row>
  );
}
