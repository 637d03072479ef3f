/** The passes to begin with: each as an exercise with a hole, and whole. */

import { useEffect, useState } from "react";
import { useActions, useSessionObject } from "../../../../app/session/hooks.ts";
import { Badge } from "../../../../app/ui/badge.tsx";
import { Button } from "../../../../app/ui/button.tsx";
import { cx } from "../../../../app/ui/cx.ts";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import type { PassTemplate } from "../../engine/check/templates.ts";
import { openPassFile } from "../files.ts";
import styles from "./pane.module.css";

const LEVELS = { 1: "about an hour", 2: "about an afternoon", 3: "an assignment" } as const;

export function TemplateList() {
  const session = useSessionObject();
  const { ownpass, notify } = useActions();
  const [list, setList] = useState<readonly PassTemplate[]>([]);
  useEffect(() => {
    let gone = false;
    import("../../engine/check/templates.ts").then(
      ({ PASS_TEMPLATES }) => {
        if (!gone) setList(PASS_TEMPLATES);
      },
      () => notify("warning", "The templates could not be loaded. Is the page offline?"),
    );
    return () => {
      gone = true;
    };
  }, [notify]);
  return (
    <>
      <Stack as="ul" gap={2} aria-label="Templates">
        {list.map(({ id, title, kind, level, about, solution, exercise }) => (
          <li key={id} className={cx(styles.template, "line-below")} data-template={id}>
            <Row gap={2} className={styles.forms}>
              {exercise === null ? null : (
                <Button aria-label={`${title}: exercise`} onClick={() => ownpass.open({ source: exercise, title: id, template: true })}>
                  Exercise
                </Button>
              )}
              <Button
                aria-label={`${title}: ${exercise === null ? "open" : "solution"}`}
                onClick={() => ownpass.open({ source: solution, title: id, template: true })}
              >
                {exercise === null ? "Open" : "Solution"}
              </Button>
            </Row>
            <Row wrap gap={2}>
              <strong>{title}</strong> <Badge>{LEVELS[level]}</Badge>
              {kind === "analysis" ? <Badge tone="accent">analysis</Badge> : null}
            </Row>
            <p>{about}</p>
          </li>
        ))}
      </Stack>
      <Row wrap gap={2}>
        <Button onClick={() => void openPassFile(session)}>Open a file…</Button>
      </Row>
    </>
  );
}
