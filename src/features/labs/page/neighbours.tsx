/** After a wrong answer: a smaller program with the same decision, and a twin with the other. Both open in the tool, without a veil. */

import { useState } from "react";
import { Button } from "../../../app/ui/button.tsx";
import { messageOf } from "../../../app/ui/failure.ts";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import type { DeskNeighbour } from "../engine/desk.ts";
import type { NeighbourName } from "../engine/neighbours.ts";
import styles from "./lab.module.css";
import type { LabSession } from "./lab-session.ts";

interface NeighboursProps {
  readonly labs: LabSession;
  readonly id: string;
}

type Found = { readonly which: NeighbourName; readonly program: DeskNeighbour | null };

const TITLES: Readonly<Record<NeighbourName, string>> = {
  smaller: "A smaller program for which the phase makes the same decision for the same reason",
  twin: "A program that differs in one line and for which the phase decides the other way",
};

export function Neighbours({ labs, id }: NeighboursProps) {
  const [found, setFound] = useState<Found | null>(null);
  const [busy, setBusy] = useState<NeighbourName | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const look = async (which: NeighbourName): Promise<void> => {
    setBusy(which);
    setProblem(null);
    try {
      setFound({ which, program: await labs.neighbour(id, which) });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(null);
    }
  };
  return (
    <>
      <Row wrap gap={2} className={styles.buttons}>
        {(["smaller", "twin"] as const).map((which) => (
          <Button key={which} disabled={busy !== null} onClick={() => void look(which)} title={TITLES[which]}>
            {which === "smaller" ? "Smaller" : "Twin"}
          </Button>
        ))}
      </Row>
      <Stack gap={1} role="status" className={styles.feedback}>
        {busy === null ? null : <p className="muted">Searching…</p>}
        {problem === null ? null : <p>The search failed: {problem}.</p>}
        {found === null || busy !== null ? null : <Shown labs={labs} found={found} />}
      </Stack>
    </>
  );
}

function Shown({ labs, found: { which, program } }: { readonly labs: LabSession; readonly found: Found }) {
  if (program === null) return <p>No {which === "smaller" ? "smaller program" : "twin"} was found for this decision.</p>;
  const { place, sentence, differs } = program;
  return (
    <>
      <p>
        {TITLES[which]}. {sentence}
      </p>
      {differs === null ? null : (
        <p>
          {differs[1] === null ? null : <code>{differs[1]}</code>}
          {differs[1] === null ? "Without " : " here replaces "}
          <code>{differs[0]}</code>.
        </p>
      )}
      <figure className={styles.program}>
        <figcaption>
          <span>{which}</span>
          <Button variant="quiet" onClick={() => labs.showNeighbour(place)}>
            Show in the tool
          </Button>
        </figcaption>
        <pre>{place.text}</pre>
      </figure>
    </>
  );
}
