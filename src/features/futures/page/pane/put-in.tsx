/** Inserts another phase next to the open one, with what that breaks. */

import { useState } from "react";
import { inPlainNames, plainName } from "../../../../app/names/phases.ts";
import { useEngineQuery, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { selectPhases } from "../../../../app/session/selectors.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { Select } from "../../../../app/ui/select.tsx";
import type { Intervention, PhaseRun } from "../../../../engine/api/types.ts";
import { isLeftOut } from "../carry/places.ts";
import { forkBeside } from "../compare-future.ts";
import styles from "../futures.module.css";

const SIDES = [
  { value: "after", title: "after it" },
  { value: "before", title: "before it" },
] as const;
type Side = (typeof SIDES)[number]["value"];

export function PutIn({ phase }: { readonly phase: PhaseRun }) {
  const session = useSessionObject();
  const rows = useSession((s) => s.engine.phases).filter((row) => row.modelled);
  const phases = useSession(selectPhases).filter((one) => one.modelled && !isLeftOut(one));
  const [wanted, setWanted] = useState("");
  const [side, setSide] = useState<Side>("after");
  const id = rows.some((row) => row.id === wanted) ? wanted : (rows[0]?.id ?? "");
  const now = phases.map((one) => one.id);
  const at = phases.findIndex((one) => one.run === phase.run) + (side === "after" ? 1 : 0);
  const then = [...now.slice(0, at), id, ...now.slice(at)];
  const { data } = useEngineQuery(`breaks ${now.join(" ")} | ${then.join(" ")}`, (api) => api.orderBreaks(now, [then]));
  const intervention: Intervention = { kind: "insert", id, at: { side, run: phase.address } };
  return (
    <Stack as="section" gap={2} aria-label={`Insert another phase next to ${plainName(phase)}`} className={styles.form}>
      <Row wrap gap={2}>
        <Select
          label="Insert"
          value={id}
          options={rows.map((row) => ({ value: row.id, title: `${row.number ?? row.group} ${plainName(row)}` }))}
          onChange={setWanted}
        />
        <Select label="Where" hideLabel value={side} options={SIDES} onChange={setSide} />
        <Button onClick={() => forkBeside(session, [intervention])}>Insert it</Button>
      </Row>
      <Breaks sentences={data?.[0] ?? []} />
    </Stack>
  );
}

/** What an order breaks, a sentence each. */
export function Breaks({ sentences }: { readonly sentences: readonly string[] }) {
  const phases = useSession((s) => s.engine.phases);
  return sentences.map((sentence) => (
    <p key={sentence} className="tone-warn">
      {inPlainNames(sentence, phases)}
    </p>
  ));
}
