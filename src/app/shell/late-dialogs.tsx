/** The dialogs, loaded once the page is quiet: nothing of them is in what a first visit waits for. */

import { lazy, Suspense, useEffect, useState } from "react";
import { useSession } from "../session/hooks.ts";

const load = () => import("./dialogs.tsx");
const Dialogs = lazy(async () => ({ default: (await load()).Dialogs }));

export function LateDialogs() {
  const wanted = useSession((s) => s.view.dialog !== null);
  const drawn = useSession((s) => s.position.moment !== null);
  const [mounted, setMounted] = useState(false);
  useEffect(() => {
    if (!drawn) return;
    // Safari has no idle callbacks. What fails here is asked for again when a dialog is opened.
    const idle = window.requestIdleCallback ?? ((work: () => void) => window.setTimeout(work, 500));
    idle(() =>
      load().then(
        () => setMounted(true),
        () => undefined,
      ),
    );
  }, [drawn]);
  useEffect(() => {
    if (wanted) setMounted(true);
  }, [wanted]);
  if (!mounted) return null;
  return (
    <Suspense fallback={null}>
      <Dialogs />
    </Suspense>
  );
}
