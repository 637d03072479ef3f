/** Where a phase declined PHIs: what can be done about them, and the button that does it. */

import { useActions, useSession } from "../../session/hooks.ts";
import { selectPhase, selectStale } from "../../session/selectors.ts";
import type { SessionState } from "../../session/state.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/plural.ts";
import panel from "./panel.module.css";

/** PHIs that the open phase declined to run with; 0: it did not. */
export const selectDeclinedPhis = (s: SessionState): number => selectPhase(s)?.figures.phis ?? 0;

export function PhiOffer() {
  const phis = useSession(selectDeclinedPhis);
  const name = useSession((s) => selectPhase(s)?.name ?? "");
  if (phis === 0) return null;
  return (
    <section className={panel.pad} aria-label="PHIs in the way">
      <p>
        {name} wants a program without PHIs, and this one has {plural(phis, "PHI")}. Each can become copies on the ways into its block: at
        the end of a predecessor that goes nowhere else, or in a new block on a way out of a branch. All copies of a way read their values
        before any is overwritten, through a fresh register where two of them swap.
      </p>
      <p>
        <PhiButton />
      </p>
      <p className="muted">This rewrites the text in the editor; undo there brings the PHIs back.</p>
    </section>
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
      Take PHIs out and run again
    </Button>
  );
}
