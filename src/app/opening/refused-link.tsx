/** In the middle of a page that was opened with a link it cannot read: why, and what the user can do instead. */

import { useSession, useSessionObject } from "../session/hooks.ts";
import { clearAddress } from "../share/address.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Row } from "../ui/layout.tsx";
import styles from "./refused-link.module.css";
import { useWork } from "./work-context.ts";

export function RefusedLink({ message, source }: { readonly message: string; readonly source: string | null }) {
  const session = useSessionObject();
  const { document } = session.actions;
  const examples = session.command("file.examples");
  const embed = useSession((s) => s.view.embed);
  const work = useWork();
  return (
    <div className={styles.refused} role="alert" data-testid="refused">
      <EmptyState title="This link cannot be opened.">
        <p className={cx(styles.why, "breaks")}>{message}</p>
        {embed ? null : (
          <Row wrap gap={2}>
            {source === null || source === "" ? null : (
              <Button
                onClick={() => {
                  clearAddress();
                  document.openText({ text: source, title: "text of a damaged link" });
                }}
              >
                Open the text that could be read
              </Button>
            )}
            <Button onClick={() => void work.openOwn()}>Open my last work</Button>
            {examples === null ? null : <Button onClick={() => examples.run(session)}>Examples</Button>}
          </Row>
        )}
      </EmptyState>
    </div>
  );
}
