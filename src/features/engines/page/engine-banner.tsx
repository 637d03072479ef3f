/** While an engine answers that is not the page's own: which one, and the way back. */

import { useSession, useSessionObject } from "../../../app/session/hooks.ts";
import styles from "../../../app/shell/shell.module.css";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Row } from "../../../app/ui/layout.tsx";
import { engineTitle } from "./engine-title.ts";

export function EngineBanner() {
  const session = useSessionObject();
  const chosen = useSession((s) => s.engine.chosen);
  if (chosen === null) return null;
  return (
    <Row wrap gap={2} pad={[1, 3]} className={cx(styles.banner, "line-below")} role="status" data-testid="engine">
      <p>Stepping with engine {engineTitle(chosen)}, which made the link you opened.</p>
      <Button onClick={() => session.goOnWith(null)}>Use this page's engine</Button>
    </Row>
  );
}
