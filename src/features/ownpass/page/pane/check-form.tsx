/** The questions of Check and Compare: which programs, and their progress. */

import type { ReactNode } from "react";
import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { Checkbox, TextField } from "../../../../app/ui/field.tsx";
import { Row } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import { cancelCheck, programCount, setSettings } from "../check/run-check.ts";
import styles from "./pane.module.css";

interface CheckFormProps {
  readonly kind: "check" | "compare";
  readonly action: string;
  readonly onRun: () => void;
  readonly children?: ReactNode;
}

export function CheckForm({ kind, action, onRun, children }: CheckFormProps) {
  const session = useSessionObject();
  const settings = useSession((s) => s.passCheck.settings);
  const running = useSession((s) => s.passCheck.running);
  const error = useSession((s) => s.passCheck.error);
  const title = useSession((s) => s.document.title);
  return (
    <>
      <Row wrap gap={2}>
        <Button variant="primary" disabled={running !== null} onClick={onRun}>
          {action}
        </Button>
        {running === null ? null : (
          <Row as="span" gap={2} className={styles.progress}>
            <progress max={Math.max(1, running.of)} value={running.done} aria-label={`${action}: programs done`} />
            <span data-testid="check-progress">
              {running.cancelled
                ? "ending…"
                : `${running.done} of ${plural(running.of, "program")}${running.kind === "check" ? `, ${plural(running.failures, "failure")}` : ""}`}
            </span>
            <Button onClick={() => cancelCheck(session)} disabled={running.cancelled}>
              Cancel
            </Button>
          </Row>
        )}
        {running !== null && running.kind !== kind ? (
          <span className="muted">{running.kind === "check" ? "Check" : "Compare"} is running.</span>
        ) : null}
      </Row>
      <Row wrap gap={[2, 3]}>
        {children}
        <span className={styles.number}>
          <TextField
            label="Random programs"
            type="number"
            value={String(settings.count)}
            onChange={(value) => setSettings(session, { count: programCount(Number(value)) })}
            onSubmit={onRun}
          />
        </span>
        <span className={styles.number}>
          <TextField
            label="from seed"
            type="number"
            value={String(settings.seed)}
            onChange={(value) => setSettings(session, { seed: Math.max(1, programCount(Number(value))) })}
            onSubmit={onRun}
          />
        </span>
        <Checkbox checked={settings.current} onChange={(current) => setSettings(session, { current })}>
          the open program ({title})
        </Checkbox>
        <Checkbox checked={settings.examples} onChange={(examples) => setSettings(session, { examples })}>
          the examples
        </Checkbox>
      </Row>
      {error === null ? null : (
        <p role="alert" className="tone-error">
          {error}
        </p>
      )}
    </>
  );
}
