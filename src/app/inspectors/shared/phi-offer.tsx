/** Where a phase declined PHIs: what can be done about them, and the button that does it. */

import { useActions, useSession } from "../../session/hooks.ts";
import { selectPhase, selectStale } from "../../session/selectors.ts";
import type { SessionState } from "../../session/state.ts";
import { Button } from "../../ui/button.tsx";
import { Stack } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";

/** PHIs that the open phase declined to run with; 0: it did not. */
export const selectDeclinedPhis = (s: SessionState): number => selectPhase(s)?.figures.phis ?? 0;

export function PhiOffer() {
  const phis = useSession(selectDeclinedPhis);
  const name = useSession((s) => selectPhase(s)?.name ?? "");
  const embed = useSession((s) => s.view.embed);
  if (phis === 0 || embed) return null;
  return (
    <Stack as="section" align="start" gap={2} aria-label="PHIs in the way">
      <p>
        {name} does not accept PHIs, and this program has {plural(phis, "PHI")}. Each can be replaced with copies in the predecessors. The
        copies of one edge read all values before they overwrite any, and critical edges are split.
      </p>
      <PhiButton />
      <p className="muted">This rewrites the text; undo in the editor restores the PHIs.</p>
    </Stack>
  );
}

/** The button alone; nothing where no PHIs are in the way, or where the text may not be changed. */
export function PhiButton({ link = false }: { readonly link?: boolean }) {
  const phis = useSession(selectDeclinedPhis);
  const stale = useSession(selectStale);
  const embed = useSession((s) => s.view.embed);
  const { document } = useActions();
  if (phis === 0 || embed) return null;
  return (
    <Button variant={link ? "link" : "plain"} disabled={stale} onClick={() => void document.takePhisOut()}>
      Replace PHIs with copies and run again
    </Button>
  );
}
