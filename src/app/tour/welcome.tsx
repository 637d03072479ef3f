/** A first visit: what this is, in a line, and three ways in. The page under it works already. */

import { useEffect, useRef } from "react";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { closeWelcome, startBlank, startTour } from "./actions.ts";
import styles from "./welcome.module.css";

export function Welcome() {
  return useSession((s) => s.view.welcome) ? <WelcomeBand /> : null;
}

function WelcomeBand() {
  const session = useSessionObject();
  const since = useSession((s) => s.document.since);
  const edited = useSession((s) => s.document.edited);
  const first = useRef(since);
  // Whoever has begun needs it no more.
  useEffect(() => {
    if (edited || since !== first.current) closeWelcome(session);
  }, [edited, since, session]);
  return (
    <section className={styles.band} aria-label="Welcome">
      <p className={styles.what}>
        <strong>See what a GPU compiler’s optimizer does to a program</strong>, one step at a time, forwards and backwards, and why it does
        it.
      </p>
      <div className={styles.ways}>
        <Button variant="primary" onClick={() => void startTour(session)}>
          <Icon name="play" size={14} />
          Take the one-minute tour
        </Button>
        <Button
          onClick={() => {
            closeWelcome(session);
            session.actions.view.set({ dialog: "examples" });
          }}
        >
          Open an example
        </Button>
        <Button onClick={() => startBlank(session)}>Paste or drop PTX, SASS or Ori</Button>
        <IconButton icon="close" label="Close the welcome" onClick={() => closeWelcome(session)} />
      </div>
    </section>
  );
}
