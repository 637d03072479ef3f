/** Tails: branch folding at this step, from candidates over a pair and its gates to the shared tail, with the check that the graph stays reducible. */

import type { ComponentType } from "react";
import { useActions, useSession } from "../../session/hooks.ts";
import type { MirroredStructure } from "../../session/moment.ts";
import { selectEvent, selectMoment, selectPhase, selectSelected } from "../../session/selectors.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel, Stack } from "../../ui/layout.tsx";
import { PhiOffer, selectDeclinedPhis } from "../shared/phi-offer.tsx";
import { objectCell, showCell } from "../structures/cells.ts";
import { CandidatesView, ReservedView, TailLiveInsView, WalkView } from "../structures/named/tails.tsx";
import { GatesView } from "../structures/named/verdicts.tsx";
import type { StructureViewProps } from "../structures/view.ts";
import { ReducibilityCheck } from "./reducibility-check.tsx";
import styles from "./tails.module.css";

export function Tails() {
  const phis = useSession(selectDeclinedPhis);
  const reason = useSession((s) => selectPhase(s)?.reason ?? null);
  const began = useSession((s) => (selectMoment(s)?.structures.size ?? 0) > 0);
  return (
    <>
      <ReducibilityCheck />
      <Panel>
        {phis > 0 ? (
          <Stack gap={2} pad={[2, 3]}>
            <p>{reason}</p>
            <PhiOffer />
          </Stack>
        ) : began ? (
          <Sections />
        ) : (
          <EmptyState title={reason === null ? "Nothing has been examined yet." : "Nothing was merged."}>
            {reason ?? "Step forwards: candidates, pairs and gates appear as the phase reaches them."}
          </EmptyState>
        )}
      </Panel>
    </>
  );
}

function Sections() {
  const pair = useSession((s) => {
    const walk = selectMoment(s)?.structures.get("tail-walk");
    const meta = walk === undefined ? null : objectCell(walk.cells, "meta");
    return meta === null ? null : `${showCell(meta.a)} + ${showCell(meta.b)}`;
  });
  return (
    <div className={styles.sections}>
      <Section name="merge-candidates" view={CandidatesView} />
      <Section name="tail-walk" view={WalkView} />
      {pair === null ? null : <Section name="merge-gates" view={GatesView} only={[pair, reversed(pair)]} />}
      <Section name="tail-live-ins" view={TailLiveInsView} />
      <Section name="reserved-registers" view={ReservedView} />
    </div>
  );
}

/** The gates name the pair with the block that is kept first. */
const reversed = (pair: string): string => pair.split(" + ").toReversed().join(" + ");

/** One structure of the moment; `only`: with these cells. */
function Section({
  name,
  view: View,
  only,
}: {
  readonly name: string;
  readonly view: ComponentType<StructureViewProps>;
  readonly only?: readonly string[];
}) {
  const structure = useSession((s) => selectMoment(s)?.structures.get(name) ?? null);
  const event = useSession(selectEvent);
  const selection = useSession(selectSelected);
  const actions = useActions();
  if (structure === null) return null;
  const prefix = `${name}/`;
  const shown: MirroredStructure =
    only === undefined ? structure : { ...structure, cells: new Map([...structure.cells].filter(([key]) => only.includes(key))) };
  if (shown.cells.size === 0) return null;
  return (
    <section aria-label={structure.title}>
      <View
        structure={shown}
        focused={new Set((event?.focus.nodes ?? []).filter((n) => n.startsWith(prefix)).map((n) => n.slice(prefix.length)))}
        selected={selection?.kind === "node" && selection.name.startsWith(prefix) ? selection.name.slice(prefix.length) : null}
        onSelect={(key) => actions.selection.select({ kind: "node", name: prefix + key })}
      />
    </section>
  );
}
