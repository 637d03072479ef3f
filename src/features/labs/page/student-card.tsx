/** Who works, and what can be done with the work: name and number, hand-in, report, reset. */

import { useId, useState } from "react";
import { useSessionObject } from "../../../app/session/hooks.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Checkbox } from "../../../app/ui/field.tsx";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { plural } from "../../../app/ui/plural.ts";
import type { DeskLab } from "../engine/desk.ts";
import { copyLabLink } from "./copy-link.ts";
import { Area, Line } from "./forms/fields.tsx";
import styles from "./lab.module.css";
import type { LabSession } from "./lab-session.ts";
import type { LabSource } from "./state.ts";
import { useLab } from "./use-lab.ts";
import { workOf } from "./work.ts";

interface StudentCardProps {
  readonly labs: LabSession;
  readonly lab: DeskLab;
  readonly source: LabSource;
  /** At the end the work is handed in; at the beginning the student enters a name. */
  readonly end: boolean;
}

export function StudentCard({ labs, lab, source, end }: StudentCardProps) {
  const { name, number } = useLab((s) => s.work);
  const known = [name, number].filter((part) => part !== "").join(", ");
  if (end)
    return (
      <Stack as="section" gap={3} pad={3} className={cx(styles.task, "boxed")} aria-label="Hand in">
        <h2>Hand in</h2>
        <Who labs={labs} lab={lab} end />
        <HandIn labs={labs} lab={lab} source={source} />
      </Stack>
    );
  return (
    <details className={styles.who}>
      <summary>
        {known === "" ? "Your name and number" : known}
        {lab.seed === "per-student" && number === "" ? ": your programs depend on the number" : null}
      </summary>
      <Stack as="section" gap={3} pad={3} className={cx(styles.task, "boxed")} aria-label="Student">
        <Who labs={labs} lab={lab} end={false} />
      </Stack>
    </details>
  );
}

function Who({ labs, lab, end }: Omit<StudentCardProps, "source">) {
  const work = useLab((s) => s.work);
  const [name, setName] = useState<string | null>(null);
  const [number, setNumber] = useState<string | null>(null);
  const [asName, asNumber] = [name ?? work.name, number ?? work.number];
  const same = asName === work.name && asNumber === work.number;
  const put = (): void => {
    if (same) return;
    setName(null);
    setNumber(null);
    void labs.setStudent(asName.trim(), asNumber.trim());
  };
  return (
    <>
      <Row wrap align="end" gap={2} className={styles.pair}>
        <Line label="Name (optional)" value={asName} onChange={setName} onEnter={put} locked={false} />
        <Line label="Student number (optional)" value={asNumber} onChange={setNumber} onEnter={put} locked={false} />
        <Button disabled={same} onClick={put}>
          Set
        </Button>
      </Row>
      <p className="muted">
        {lab.seed === "per-student" ? "Your programs depend on the number; work under another number is kept separately." : null}
        {lab.seed === "attempt" ? "The programs were drawn for this attempt; 'Reset the whole lab' draws new ones. " : null}
        {lab.seed === "per-student" ? null : "Work under another number is kept separately."}
        {end ? "" : " Everything stays in this browser until you download it."}
      </p>
    </>
  );
}

function HandIn({ labs, lab, source }: Omit<StudentCardProps, "end">) {
  const session = useSessionObject();
  const work = useLab((s) => s.work);
  const [log, setLog] = useState(true);
  const [shown, setShown] = useState(false);
  const id = useId();
  const unsent = lab.tasks.filter((t) => {
    const { draft, answer, shown: given } = workOf(work, t.id);
    return !given && draft !== null && JSON.stringify(draft) !== JSON.stringify(answer);
  });
  return (
    <>
      {unsent.length === 0 ? null : (
        <p role="alert">
          {plural(unsent.length, "answer")} entered but not submitted: {unsent.map((t) => t.id).join(", ")}. Only answers for which you
          pressed Answer are handed in.
        </p>
      )}
      {lab.declare === null ? null : <Area label={lab.declare} rows={3} value={work.declare} onChange={labs.setDeclare} locked={false} />}
      {lab.log === "off" ? null : (
        <Checkbox checked={log} onChange={setLog}>
          {lab.log === "full"
            ? "Include the times of my answers, hints and resets"
            : "Include the times of my first and last answers and of hints"}
        </Checkbox>
      )}
      <Row wrap gap={2} className={styles.buttons}>
        <Button variant="primary" onClick={() => labs.download(log)}>
          Download the hand-in
        </Button>
        <Button onClick={() => void labs.report()}>Printable report</Button>
        <Button aria-expanded={shown} aria-controls={id} onClick={() => setShown(!shown)}>
          Contents of the hand-in
        </Button>
        <Button onClick={() => void labs.importHandIn()}>Open a hand-in</Button>
        <Button onClick={() => void copyLabLink(session, source)}>Copy a link to this lab</Button>
      </Row>
      <div id={id} className={styles.program} hidden={!shown}>
        {shown ? <pre>{labs.handIn(log)}</pre> : null}
      </div>
      <Row wrap gap={2} className={styles.buttons}>
        <Button onClick={() => labs.reset(null)}>Reset the whole lab</Button>
        <Button onClick={labs.forget}>Remove my work from this computer</Button>
      </Row>
    </>
  );
}
