/** The source text: first a plain text field, then Monaco as soon as it is loaded. */

import { useEffect, useRef, useState } from "react";
import { FeatureSlot } from "../session/feature-slot.tsx";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { Stack } from "../ui/layout.tsx";
import { whenQuiet } from "../ui/when-quiet.ts";
import { Blank, OtherWays } from "./blank.tsx";
import styles from "./editor.module.css";
import { loadMonaco } from "./load-monaco.ts";
import "./monaco.css";
import { PlainText } from "./plain-text.tsx";
import { Problems } from "./problems.tsx";
import { ToolchainHint } from "./toolchain-hint.tsx";

/** How long the editor waits for a graph that is not drawn: the outline is shown, it failed, or it is large. */
const PATIENCE_MS = 1_000;

export function SourceTab() {
  const session = useSessionObject();
  // Errors leave nothing to run, and neither does a text without a kernel.
  const ran = useSession(
    ({ position, document: { open } }) => position.moment !== null || (open !== null && !(open.ok && open.kernels.length > 0)),
  );
  const ready = useGraphFirst(ran);
  const host = useRef<HTMLDivElement>(null);
  const [mounted, setMounted] = useState(false);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    // The graph comes first: Monaco is the largest chunk of all.
    if (!ready) return;
    let dispose: (() => void) | undefined;
    let gone = false;
    const start = () => {
      loadMonaco().then(
        (monaco) => {
          if (gone || host.current === null) return;
          // A user who is typing in the plain field continues in the editor.
          const typing = host.current.parentElement?.contains(document.activeElement) === true;
          dispose = monaco.mountSourceEditor(host.current, session);
          if (typing) host.current.querySelector<HTMLElement>('[role="textbox"], textarea')?.focus();
          setMounted(true);
        },
        () => {
          setFailed(true);
          session.actions.notify("warning", "The editor could not be loaded; use the plain text field instead.");
        },
      );
    };
    const cancel = whenQuiet(start, 1500);
    return () => {
      gone = true;
      cancel();
      dispose?.();
      setMounted(false);
    };
  }, [ready, session]);

  return (
    <Stack fill className={styles.pane}>
      <FeatureSlot of="overText" />
      <div className={styles.host} data-editor={mounted ? "monaco" : "plain"}>
        <div ref={host} className={styles.text} />
        {mounted ? null : <Plain failed={failed} />}
        <Blank />
      </div>
      <OtherWays />
      <ToolchainHint />
      <Problems />
    </Stack>
  );
}

/** True once the graph is drawn, or would have been: Monaco then no longer delays it. */
function useGraphFirst(ran: boolean): boolean {
  const drawn = useSession((s) => s.graph.drawn);
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    if (!ran) return;
    const timer = setTimeout(() => setWaited(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [ran]);
  // Once there, the editor stays, even if the graph fails.
  const [ready, setReady] = useState(false);
  if (!ready && ran && (drawn || waited)) setReady(true);
  return ready;
}

function Plain({ failed }: { readonly failed: boolean }) {
  const session = useSessionObject();
  const text = useSession((s) => s.document.text);
  const embed = useSession((s) => s.view.embed);
  return <PlainText label="Source text" text={text} readOnly={embed} failed={failed} onChange={session.actions.document.setText} />;
}
