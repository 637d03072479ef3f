/** What to look at in the open example: it stays over the text, with the controls that it names as links, until it is closed. */

import { useEffect, useMemo, useState } from "react";
import { exampleNamed, examplesOf, openExample } from "../../../app/session/example.ts";
import { useSession, useSessionObject } from "../../../app/session/hooks.ts";
import type { Session } from "../../../app/session/session.ts";
import { Button, IconButton } from "../../../app/ui/button.tsx";
import { Row } from "../../../app/ui/layout.tsx";
import type { PhaseExample } from "./by-phase.ts";
import styles from "./task.module.css";
import { type TaskTarget, taskParts } from "./task-links.ts";

function follow(session: Session, target: TaskTarget): void {
  const { actions } = session;
  switch (target.kind) {
    case "inspector":
      actions.view.open(target.id);
      break;
    case "target":
      actions.run.setOptions({ target: target.value });
      break;
    case "policy":
      actions.run.setOptions({ policy: target.value });
      break;
    case "command": {
      const command = session.command(target.id);
      const state = session.store.getState();
      const why = command?.otherwise?.(state) ?? "";
      if (command?.enabled(state) === true) command.run(session);
      else if (why !== "") actions.notify("info", why);
      break;
    }
    case "example": {
      const example = examplesOf(session).find((e) => e.title === target.title);
      if (example !== undefined) void openExample(session, example);
      break;
    }
  }
}

export function Task() {
  const session = useSessionObject();
  // One invitation at a time: a first visit has its own.
  const id = useSession((s) => (s.view.welcome ? null : s.document.example));
  const [closed, setClosed] = useState<string | null>(null);
  const [ofPhase, setOfPhase] = useState<PhaseExample | null>(null);
  const example = useMemo(() => exampleNamed(session, id ?? "") ?? (ofPhase?.id === id ? ofPhase : null), [session, id, ofPhase]);
  useEffect(() => {
    if (id?.startsWith("fixture:") !== true) return;
    // Fetched with the gallery, and again after a reload. The program does not depend on it.
    import("./by-phase.ts").then(
      ({ PHASE_EXAMPLES }) => setOfPhase(PHASE_EXAMPLES.find((e) => e.id === id) ?? null),
      () => setOfPhase(null),
    );
  }, [id]);
  const parts = useMemo(
    () => taskParts(example === null ? "" : example === ofPhase ? `${example.about} ${example.look}` : example.look),
    [example, ofPhase],
  );
  if (example === null || closed === id) return null;
  return (
    <Row as="section" align="start" gap={2} rigid className={styles.task} aria-label="What to look at">
      <p>
        {parts.map((part, index) =>
          part.target === null ? (
            part.text
          ) : (
            <Button
              // biome-ignore lint/suspicious/noArrayIndexKey: a task never changes
              key={index}
              variant="link"
              onClick={() => part.target !== null && follow(session, part.target)}
            >
              {part.text}
            </Button>
          ),
        )}
      </p>
      <IconButton icon="close" label="Dismiss the task" onClick={() => setClosed(id)} />
    </Row>
  );
}
