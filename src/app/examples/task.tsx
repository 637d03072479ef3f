/** What to look at in the open example: it stays over the text, with the controls that it names as links, until it is put away. */

import { useMemo, useState } from "react";
import { commandById } from "../commands/commands.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import type { Session } from "../session/session.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { EXAMPLES } from "./catalogue.ts";
import { openExample } from "./open-example.ts";
import styles from "./task.module.css";
import { type TaskTarget, taskParts } from "./task-links.ts";

function follow(session: Session, target: TaskTarget): void {
  const { actions } = session;
  switch (target.kind) {
    case "inspector":
      actions.view.openInspector("top", target.id);
      actions.view.openInspector("bottom", target.id);
      actions.view.showPane("inspectors");
      break;
    case "target":
      actions.run.setOptions({ target: target.value });
      break;
    case "policy":
      actions.run.setOptions({ policy: target.value });
      break;
    case "command": {
      const command = commandById(target.id);
      const state = session.store.getState();
      if (command?.enabled(state) === true) command.run(session);
      else if (command?.otherwise !== undefined) actions.notify("info", command.otherwise(state));
      break;
    }
    case "example": {
      const example = EXAMPLES.find((e) => e.title === target.title);
      if (example !== undefined) void openExample(session, example);
      break;
    }
  }
}

export function Task() {
  const session = useSessionObject();
  const id = useSession((s) => s.document.example);
  const [closed, setClosed] = useState<string | null>(null);
  const example = useMemo(() => EXAMPLES.find((e) => e.id === id) ?? null, [id]);
  const parts = useMemo(() => taskParts(example?.look ?? ""), [example]);
  if (example === null || closed === id) return null;
  return (
    <section className={styles.task} aria-label="What to look at">
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
    </section>
  );
}
