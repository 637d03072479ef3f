/** Why: what happened to the selection, here and in other phases; without a selection, why this phase did what it did. */

import { useState } from "react";
import type { HistoryItem } from "../../../engine/api/types.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { selectMoment, selectPhase, selectSelected } from "../../session/selectors.ts";
import { subjectKey, subjectTitle } from "../../session/subject.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox } from "../../ui/field.tsx";
import type { Inspector } from "../inspector.ts";
import { KindMark } from "../shared/kind-mark.tsx";
import panel from "../shared/panel.module.css";
import { Verdict } from "../shared/verdict.tsx";
import { WhyPhase } from "./why-phase.tsx";

function Why() {
  const selected = useSession(selectSelected);
  const moment = useSession(selectMoment);
  const run = useSession((s) => s.position.run);
  const tracing = useSession((s) => s.position.tracing);
  const [everywhere, setEverywhere] = useState(false);
  const { selection } = useActions();
  const key = selected === null || run < 0 || tracing ? null : `${subjectKey(selected)}|${everywhere ? "all" : run}`;
  const { data, fresh } = useEngineQuery(key, (api) => {
    if (selected === null) throw new Error("nothing is selected");
    return api.history(everywhere ? null : run, selected);
  });
  if (selected === null) return <WhyPhase />;
  const items = data?.items ?? [];
  return (
    <>
      <div className={panel.bar}>
        <span className={cx(panel.title, panel.ellipsis, "mono")}>{subjectTitle(selected, moment)}</span>
        <Checkbox checked={everywhere} onChange={setEverywhere}>
          all phases
        </Checkbox>
        {fresh ? null : <Badge>looking…</Badge>}
        <IconButton icon="close" label="Clear the selection" onClick={() => selection.select(null)} />
      </div>
      <div className={panel.scroll} aria-busy={!fresh}>
        {fresh && items.length === 0 ? (
          <EmptyState title={everywhere ? "No phase touched it." : "This phase never touched it."}>
            {everywhere ? null : (
              <Button variant="link" onClick={() => setEverywhere(true)}>
                Look through all phases
              </Button>
            )}
          </EmptyState>
        ) : (
          <ol>
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an event may be listed twice, for two reasons
              <li key={`${item.run}/${item.step}/${index}`}>
                <Item item={item} everywhere={everywhere} first={items[index - 1]?.run !== item.run} />
              </li>
            ))}
          </ol>
        )}
        {(data?.notes ?? []).map((note) => (
          <p key={note} className={cx(panel.pad, "muted")}>
            {note}
          </p>
        ))}
      </div>
    </>
  );
}

function Item({ item, everywhere, first }: { readonly item: HistoryItem; readonly everywhere: boolean; readonly first: boolean }) {
  const current = useSession((s) => s.position.run === item.run && s.position.step === item.step);
  const { position } = useActions();
  return (
    <>
      {everywhere && first ? (
        <div className={panel.bar}>
          <Badge tone="accent">{item.phase}</Badge>
        </div>
      ) : null}
      <button
        type="button"
        className={cx(panel.row, current && panel.current)}
        aria-current={current ? "step" : undefined}
        onClick={() => position.goTo(item.run, item.step)}
      >
        <span className={panel.step}>{item.step + 1}</span>
        <KindMark kind={item.kind} />
        <span className={panel.text}>{item.sentence}</span>
        <Verdict facts={item.facts} />
      </button>
    </>
  );
}

export const WHY: Inspector = {
  id: "why",
  title: "Why",
  dock: "bottom",
  relevant: (s) => selectPhase(s) !== null,
  component: Why,
};
