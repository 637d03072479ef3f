/** A first visit: what this is, in a line, and the way to the tour, in a corner of the picture. The page around it works already. */

import { useEffect, useRef } from "react";
import { useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { Button, IconButton } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Row } from "../../../app/ui/layout.tsx";
import { closeWelcome, startTour } from "./actions.ts";
import styles from "./welcome.module.css";

export function Welcome() {
  // Not over two pictures, nor in front of an audience.
  return useSession(({ view }) => view.welcome && view.open.experiment !== "compare" && view.preset === "study") ? <Invitation /> : null;
}

function Invitation() {
  const session = useSessionObject();
  const since = useSession((s) => s.document.since);
  const edited = useSession((s) => s.document.edited);
  const first = useRef(since);
  // Not needed once the user has begun.
  useEffect(() => {
    if (edited || since !== first.current) closeWelcome(session);
  }, [edited, since, session]);
  return (
    <section className={cx(styles.card, "floating")} aria-label="Welcome">
      <IconButton icon="close" label="Close the welcome" className={styles.close} onClick={() => closeWelcome(session)} />
      <p className={styles.what}>See what a GPU compiler’s optimizer does to a program, step by step, and why.</p>
      <Row wrap gap={2} className={styles.ways}>
        <Button variant="primary" onClick={() => void startTour(session)}>
          One-minute tour
        </Button>
      </Row>
    </section>
  );
}
