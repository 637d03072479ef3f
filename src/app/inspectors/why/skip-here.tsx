/** What can be done about the rewrite that a step belongs to: the program without it, or with all before it. */

import { commandById } from "../../commands/commands.ts";
import { rewriteHere } from "../../futures/rewrites.ts";
import { useSession, useSessionObject } from "../../session/hooks.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./why.module.css";

/** Short beside the rewrite's number: both fit a narrow pane's line. */
const OFFERED = [
  ["future.skip", "Skip"],
  ["future.stop-before", "Stop before"],
] as const;

export function SkipHere() {
  const session = useSessionObject();
  const n = useSession((s) => {
    const here = s.view.embed ? null : rewriteHere(s);
    return here === null || here.refused ? null : here.n;
  });
  if (n === null) return null;
  return (
    <div className={styles.offers}>
      <span className="muted">Rewrite {n} of this phase</span>
      <span className={styles.pair}>
        {OFFERED.map(([id, title]) => {
          const command = commandById(id);
          return command === null ? null : (
            <Button key={id} aria-label={command.title} title={command.title} onClick={() => command.run(session)}>
              {title}
            </Button>
          );
        })}
      </span>
    </div>
  );
}
