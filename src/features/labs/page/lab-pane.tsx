/** The lab next to the tool: its text, its tasks one by one, progress and points. Loaded when a lab opens. */

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useSessionObject } from "../../../app/session/hooks.ts";
import { Button, IconButton } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { EmptyState } from "../../../app/ui/empty-state.tsx";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { plural } from "../../../app/ui/plural.ts";
import type { DeskLab, DeskPart } from "../engine/desk.ts";
import { deliver } from "./deliver.ts";
import styles from "./lab.module.css";
import { createLabSession, type LabSession } from "./lab-session.ts";
import { followLink } from "./links.ts";
import { closeLab, uncover } from "./open-lab.ts";
import { packedLab } from "./packed.ts";
import { type Section, sectionsOf } from "./sections.ts";
import type { LabSource } from "./state.ts";
import { StudentCard } from "./student-card.tsx";
import { TaskCard } from "./task-card.tsx";
import { Tree } from "./tree.tsx";
import { useLab } from "./use-lab.ts";
import { totalOf, workedOn, workOf } from "./work.ts";

export function LabPane({ source }: { readonly source: LabSource }) {
  const session = useSessionObject();
  const [labs, setLabs] = useState<LabSession | null>(null);
  useEffect(() => {
    const opened = createLabSession(session, source, packedLab()?.id);
    const stop = deliver(opened);
    setLabs(opened);
    return () => {
      stop();
      opened.dispose();
      uncover(session);
    };
  }, [session, source]);
  return labs === null ? <EmptyState title="Opening the lab…" /> : <OpenLab labs={labs} source={source} />;
}

function OpenLab({ labs, source }: { readonly labs: LabSession; readonly source: LabSource }) {
  const session = useSessionObject();
  const status = useLab((s) => s.status);
  const lab = useLab((s) => s.lab);
  if (status === "refused") return <Refused source={source} />;
  if (status === "loading" || lab === null) return <EmptyState title="Reading the lab…" />;
  return (
    <Stack fill data-lab={lab.id}>
      <Row as="header" gap={2} pad={[1, 3]} rigid className={cx(styles.bar, "line-below")}>
        <h1 className="grow large">{lab.title}</h1>
        <IconButton icon="close" label="Close the lab; your work is kept" onClick={() => closeLab(session)} />
      </Row>
      <Sections labs={labs} lab={lab} source={source} />
    </Stack>
  );
}

function Refused({ source }: { readonly source: LabSource }) {
  const session = useSessionObject();
  const diagnostics = useLab((s) => s.diagnostics);
  const message = useLab((s) => s.message);
  return (
    <Stack fill>
      <Row as="header" gap={2} pad={[1, 3]} rigid className={cx(styles.bar, "line-below")}>
        <h1 className="grow large">{source.title}</h1>
        <IconButton icon="close" label="Close the lab" onClick={() => closeLab(session)} />
      </Row>
      <Stack gap={3} pad={3} grow scroll className={styles.body}>
        <p role="alert">This lab has errors{message === null ? ":" : `: ${message}.`}</p>
        <Stack as="ul" gap="hair" className={styles.items} aria-label="What is wrong with it">
          {diagnostics.map(({ line, column, code, message: said, severity }) => (
            <li key={`${line}:${column} ${code} ${said}`}>
              Line {line}, column {column}: {severity}: {said} <span className="muted">{code}</span>
            </li>
          ))}
        </Stack>
      </Stack>
    </Stack>
  );
}

function Sections({ labs, lab, source }: { readonly labs: LabSession; readonly lab: DeskLab; readonly source: LabSource }) {
  const session = useSessionObject();
  const parts = useLab((s) => s.parts);
  const whole = useLab((s) => s.whole);
  const section = useLab((s) => s.section);
  const sections = useMemo(() => sectionsOf(parts), [parts]);
  const body = useRef<HTMLDivElement>(null);
  // Without points there is nothing to hand in: the last section is the end.
  const ends = lab.max === 0 ? Math.max(0, sections.length - 1) : sections.length;
  const at = Math.min(section, ends);
  // Opened by a key, it has the focus.
  useEffect(() => {
    if (document.activeElement === document.body) body.current?.focus();
  }, []);
  const go = (to: number): void => {
    if (to < 0 || to > ends) return;
    labs.go(to);
    body.current?.scrollTo({ top: 0 });
    body.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "n" && !whole) go(at + 1);
    else if (event.key === "p" && !whole) go(at - 1);
    else if (event.key === "?") {
      const hint = body.current?.querySelector<HTMLElement>("[data-hint]");
      if (hint === null || hint === undefined) return;
      hint.click();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onLink = (href: string): void => followLink(session, labs, href);
  const shown = whole ? sections : sections.slice(at, at + 1);
  return (
    <>
      <Progress labs={labs} lab={lab} sections={sections} at={at} go={go} />
      <Stack
        as="section"
        ref={body}
        gap={3}
        pad={3}
        grow
        scroll
        className={styles.body}
        aria-label="Lab"
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {at === 0 || whole ? <Front labs={labs} lab={lab} source={source} /> : null}
        {shown.map((each) => (
          <SectionBody key={each.task ?? "end"} labs={labs} lab={lab} section={each} current={!whole} onLink={onLink} />
        ))}
        {whole || at === ends ? lab.max === 0 ? <Onwards /> : <StudentCard labs={labs} lab={lab} source={source} end /> : null}
      </Stack>
      {whole ? null : (
        <Row as="footer" justify="between" gap={2} pad={[1, 3]} rigid className={cx(styles.bar, "line-above")}>
          <Button disabled={at === 0} onClick={() => go(at - 1)}>
            Previous
          </Button>
          <span className="muted">
            {at + 1} of {ends + 1}
          </span>
          <Button variant="primary" disabled={at === ends} onClick={() => go(at + 1)}>
            {at === ends - 1 && lab.max > 0 ? "Next: hand in" : "Next"}
          </Button>
        </Row>
      )}
    </>
  );
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement &&
  (target.matches("textarea, select, [contenteditable]") || (target instanceof HTMLInputElement && target.type === "text"));

function Front({ labs, lab, source }: { readonly labs: LabSession; readonly lab: DeskLab; readonly source: LabSource }) {
  const facts = [
    lab.minutes === null ? null : `about ${lab.minutes} minutes`,
    lab.level,
    lab.max === 0 ? null : `${plural(lab.tasks.length, "task")}, ${plural(lab.max, "point")}`,
    lab.due === null ? null : `due ${lab.due}`,
  ].filter((fact) => fact !== null);
  return (
    <Stack gap={2}>
      <p className="muted">{facts.join(" · ")}</p>
      {lab.objectives.length === 0 ? null : (
        <>
          <p>After this lab you can</p>
          <ul className={styles.objectives}>
            {lab.objectives.map((objective) => (
              <li key={objective}>{objective}</li>
            ))}
          </ul>
        </>
      )}
      <Earlier labs={labs} lab={lab} />
      {lab.max === 0 ? null : <StudentCard labs={labs} lab={lab} source={source} end={false} />}
    </Stack>
  );
}

/** Work on another version is neither taken over nor lost. */
function Earlier({ labs, lab }: { readonly labs: LabSession; readonly lab: DeskLab }) {
  const [latest] = useLab((s) => s.earlier);
  if (latest === undefined) return null;
  return (
    <Stack align="start" gap={2} pad={[2, 3]} className={styles.earlier} role="note">
      <p>
        You worked on version {latest.version} of this lab. This is version {lab.version}, with different tasks or programs, so you start
        again. Your earlier work is kept.
      </p>
      <Button onClick={() => labs.downloadEarlier(latest)}>Download the hand-in of version {latest.version}</Button>
    </Stack>
  );
}

/** After a lab that was no work. */
function Onwards() {
  const session = useSessionObject();
  return (
    <Row wrap gap={2} className={styles.buttons}>
      <Button variant="primary" onClick={() => session.command("file.examples")?.run(session)}>
        Examples and labs
      </Button>
      <Button onClick={() => closeLab(session)}>Close</Button>
    </Row>
  );
}

interface ProgressProps {
  readonly labs: LabSession;
  readonly lab: DeskLab;
  readonly sections: readonly Section[];
  readonly at: number;
  readonly go: (section: number) => void;
}

function Progress({ labs, lab, sections, at, go }: ProgressProps) {
  const work = useLab((s) => s.work);
  const whole = useLab((s) => s.whole);
  const undo = useLab((s) => s.undo);
  const [replaced] = work.replaced ?? [];
  const kept = useLab((s) => s.kept);
  const course = useLab((s) => s.course);
  const covered = useLab((s) => s.covered);
  const veiling = covered === null ? null : workOf(work, covered);
  const { points, answered, open } = totalOf(lab, work);
  const title = (section: Section, index: number): string => {
    if (section.task === null) return "What follows";
    const number = lab.tasks.findIndex((t) => t.id === section.task) + 1;
    const status = workOf(work, section.task).result?.status;
    const mark = status === undefined ? "" : status === "right" ? " ✓" : status === "by-hand" ? " · by hand" : ` · ${status}`;
    return `${index + 1}. Task ${number}: ${section.task}${mark}`;
  };
  return (
    <Row wrap gap={2} pad={[1, 3]} rigid className={cx(styles.bar, styles.progress, "line-below")}>
      <progress max={lab.tasks.length} value={answered} aria-label={`${answered} of ${lab.tasks.length} tasks answered`} />
      <span data-testid="lab-points">
        {lab.max === 0
          ? `${answered} of ${lab.tasks.length} done`
          : `${points} of ${plural(lab.max, "point")}${open > 0 ? `, ${open} by hand` : ""}`}
      </span>
      <select aria-label="Go to" value={at} disabled={whole} onChange={(event) => go(Number(event.target.value))}>
        {sections.map((section, index) => (
          <option key={section.task ?? "end"} value={index}>
            {title(section, index)}
          </option>
        ))}
        {lab.max === 0 ? null : <option value={sections.length}>Hand in</option>}
      </select>
      <Button variant="quiet" pressed={whole} onClick={() => labs.setWhole(!whole)}>
        Show all tasks
      </Button>
      {undo === null ? null : (
        <Button onClick={labs.undo} title={`Restores ${undo.what}`}>
          Undo the reset
        </Button>
      )}
      {replaced === undefined ? null : (
        <Button onClick={labs.restore} title={`${plural(workedOn(replaced.work).length, "task")} with work. What you see now is kept.`}>
          Restore {replaced.what}
        </Button>
      )}
      {course === null ? null : (
        <Row as="p" justify="between" role="status" className={styles.course}>
          {course.line}
          {course.submit === null ? null : (
            <Button
              variant="quiet"
              onClick={course.submit}
              title={course.label === undefined ? "Tell the course that you have finished" : undefined}
            >
              {course.label ?? "Submit to the course"}
            </Button>
          )}
        </Row>
      )}
      {veiling === null || veiling.result !== null || veiling.shown ? null : (
        <p role="status" className={styles.covered}>
          The tool hides what comes next until you have answered task {lab.tasks.findIndex((t) => t.id === covered) + 1} about this program.
        </p>
      )}
      {kept ? null : <p role="alert">The browser does not save your work: download the hand-in before you leave.</p>}
    </Row>
  );
}

interface SectionProps {
  readonly labs: LabSession;
  readonly lab: DeskLab;
  readonly section: Section;
  readonly current: boolean;
  readonly onLink: (href: string) => void;
}

function SectionBody({ labs, lab, section, current, onLink }: SectionProps) {
  return (
    <>
      {section.parts.map((part, index) => (
        <PartBody key={`${part.kind} ${partKey(part, index)}`} labs={labs} lab={lab} part={part} current={current} onLink={onLink} />
      ))}
    </>
  );
}

const partKey = (part: DeskPart, index: number): string => (part.kind === "task" ? part.id : String(index));

interface PartProps extends Omit<SectionProps, "section"> {
  readonly part: DeskPart;
}

function PartBody({ labs, lab, part, current, onLink }: PartProps) {
  switch (part.kind) {
    case "text":
      return (
        <Stack gap={2} className={styles.prose}>
          <Tree tree={part.tree} onLink={onLink} />
        </Stack>
      );
    case "program":
      return (
        <figure className={styles.program}>
          <figcaption>
            <span>
              {part.name}
              {part.own ? " (your own)" : ""}
            </span>
            <Button variant="quiet" onClick={() => void labs.showAddress(part.name)}>
              Show in the tool
            </Button>
          </figcaption>
          <pre>{part.text}</pre>
        </figure>
      );
    case "moment":
      return (
        <p>
          <Button onClick={() => void labs.showAddress(part.address)}>{part.label}</Button>
        </p>
      );
    case "task": {
      const index = lab.tasks.findIndex((t) => t.id === part.id);
      const info = lab.tasks[index];
      return info === undefined ? null : (
        <TaskCard labs={labs} info={info} number={index + 1} count={lab.tasks.length} onLink={onLink} current={current} />
      );
    }
  }
}
