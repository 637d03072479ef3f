/** While an engine answers that is not the page's own: which one, and the way back. */

import { useSession, useSessionObject } from "../session/hooks.ts";
import styles from "../shell/shell.module.css";
import { Button } from "../ui/button.tsx";
import { engineTitle } from "./engine-title.ts";

export function EngineBanner() {
  const session = useSessionObject();
  const chosen = useSession((s) => s.engine.chosen);
  if (chosen === null) return null;
  return (
    <div className={styles.banner} role="status" data-testid="engine">
      <p>Stepping with engine {engineTitle(chosen)}, which made the link you opened.</p>
      <Button onClick={() => session.goOnWith(null)}>Use this page's engine</Button>
    </div>
  );
}
