/** One task: its question, the form of its answer, its result. */

import { useEffect, useId } from "react";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { plural } from "../../../app/ui/plural.ts";
import type { DeskTask, DeskTaskInfo } from "../engine/desk.ts";
import type { Status, TaskResult } from "../engine/judge.ts";
import { AnswerForm } from "./answer-form.tsx";
import { fieldOf } from "./forms/form.ts";
import styles from "./lab.module.css";
import type { LabSession } from "./lab-session.ts";
import { Neighbours } from "./neighbours.tsx";
import { Tree } from "./tree.tsx";
import { useLab } from "./use-lab.ts";
import { type TaskWork, workOf } from "./work.ts";

interface TaskCardProps {
  readonly labs: LabSession;
  readonly info: DeskTaskInfo;
  readonly number: number;
  readonly count: number;
  readonly onLink: (href: string) => void;
  /** It is the current task. */
  readonly current: boolean;
}

const points = (n: number): string => `${n} ${n === 1 ? "point" : "points"}`;

export function TaskCard({ labs, info, number, count, onLink, current }: TaskCardProps) {
  const { id } = info;
  const variant = useLab((s) => workOf(s.work, id).variant);
  const entered = useLab((s) => s.entered);
  const heading = useId();
  return (
    <Stack as="section" gap={3} pad={3} className={cx(styles.task, "boxed")} aria-labelledby={heading} data-task={id} data-kind={info.kind}>
      <Row as="header" wrap align="baseline" justify="between" gap={2}>
        <h2 id={heading}>
          Task {number} of {count}
        </h2>
        <span className="muted">
          {info.kind}
          {info.points === 0 ? "" : ` · ${points(info.points)}`}
          {info.again === null ? "" : ` · again, from ${info.again.split("/")[0]}`}
        </span>
      </Row>
      <TaskOfVariant key={`${entered} ${variant}`} labs={labs} info={info} onLink={onLink} current={current} />
    </Stack>
  );
}

/** A task about one program; another program has its own. */
function TaskOfVariant({ labs, info, onLink, current }: Omit<TaskCardProps, "number" | "count">) {
  const { id } = info;
  const task = useLab((s) => s.tasks.get(id));
  const work = useLab((s) => workOf(s.work, id));
  const problem = useLab((s) => s.problems.get(id) ?? null);
  useEffect(() => labs.load(id), [labs, id]);
  const ready = task !== undefined && !("broken" in task) ? task : null;
  const placed = ready !== null && ready.place !== null;
  // The tool follows the current task.
  useEffect(() => {
    if (current && placed) void labs.show(id);
  }, [labs, id, current, placed]);
  if (task === undefined)
    return <p role="status">{problem === null ? "Loading the task…" : `The task could not be loaded: ${problem}.`}</p>;
  if ("broken" in task)
    return <p>This task cannot be given because of an error in the lab: {task.broken}. Its points are given when the lab is graded.</p>;
  return <TaskBody labs={labs} info={info} task={task} work={work} problem={problem} onLink={onLink} />;
}

interface BodyProps {
  readonly labs: LabSession;
  readonly info: DeskTaskInfo;
  readonly task: DeskTask;
  readonly work: TaskWork;
  readonly problem: string | null;
  readonly onLink: (href: string) => void;
}

function TaskBody({ labs, info, task, work, problem, onLink }: BodyProps) {
  const { id } = info;
  const attempts = useLab((s) => s.lab?.attempts ?? null);
  const { result, shown, hints, draft, tries } = work;
  // A prediction is one: after it the step is seen.
  const spent = result !== null && (task.veil !== null || (attempts !== null && tries >= attempts));
  const locked = shown || spent;
  const changed = JSON.stringify(draft) !== JSON.stringify(work.answer);
  return (
    <>
      <Stack gap={2} className={styles.prose}>
        <Tree tree={task.ask} onLink={onLink} />
      </Stack>
      {task.veil !== null && result === null && !shown ? (
        <p className={styles.veil}>The tool shows nothing from this step on until you have answered.</p>
      ) : null}
      <AnswerForm labs={labs} task={task} draft={draft} locked={locked} />
      <Buttons labs={labs} info={info} task={task} work={work} locked={locked} />
      <CodeProgress id={id} />
      <div aria-live="polite" className={styles.hinted}>
        {hints === 0 ? null : (
          <ol className={styles.moves} aria-label="Hints">
            {task.hints.slice(0, hints).map((hint) => (
              <li key={hint.text}>{hint.text}</li>
            ))}
          </ol>
        )}
      </div>
      <Stack gap={1} role="status" className={styles.feedback}>
        {problem === null ? null : <p>The answer could not be graded: {problem}.</p>}
        {result === null ? null : <Said result={result} task={task} tries={tries} shown={shown} />}
        {result !== null && hasGuess(task) ? <Guess draft={work.answer} /> : null}
        {shown ? (
          <p>The answer is shown, so this task earns no more points with this program. You may be able to try another program.</p>
        ) : null}
        {result !== null && changed && !locked ? <p>You have changed the answer since: press Answer again.</p> : null}
      </Stack>
      {task.neighbours && givesReasons(task, tries) && (isMissed(result) || shown) ? <Neighbours labs={labs} id={id} /> : null}
      {result === null || isLater(task) ? null : <Explained id={id} onLink={onLink} />}
    </>
  );
}

interface ButtonsProps extends Pick<BodyProps, "labs" | "info" | "task" | "work"> {
  readonly locked: boolean;
}

function Buttons({ labs, info, task, work, locked }: ButtonsProps) {
  const { id, solvable, varies } = info;
  const judging = useLab((s) => s.judging.has(id));
  const runs = useLab((s) => s.running.has(id));
  const { result, shown, hints, draft } = work;
  const next = task.hints[hints];
  // The prediction comes before the code runs.
  const unguessed = hasGuess(task) && fieldOf(draft, "guess") === undefined;
  return (
    <Row wrap gap={2} className={styles.buttons}>
      <Button variant="primary" disabled={locked || draft === null || judging || unguessed} onClick={() => void labs.answer(id)}>
        {judging ? "Grading…" : "Answer"}
      </Button>
      {runs ? <Button onClick={labs.stopCode}>Stop</Button> : null}
      {task.place === null ? null : (
        <Button onClick={() => void labs.show(id)} title="Open its program in the tool, at the step of this task">
          Show in the tool
        </Button>
      )}
      {next === undefined ? null : (
        <Button onClick={() => labs.hint(id)} data-hint={id}>
          Hint {hints + 1} of {task.hints.length}
          {next.cost > 0 ? ` (costs ${points(next.cost)})` : ""}
        </Button>
      )}
      {solvable && isMissed(result) && result?.status !== "by-hand" && !shown ? (
        <Button onClick={() => void labs.showAnswer(id)}>Show the answer</Button>
      ) : null}
      {varies && isMissed(result) ? <Button onClick={() => labs.another(id)}>Try another program</Button> : null}
      {draft === null || shown ? null : (
        <Button variant="quiet" onClick={() => labs.reset(id)}>
          Reset
        </Button>
      )}
    </Row>
  );
}

function CodeProgress({ id }: { readonly id: string }) {
  const running = useLab((s) => s.running.get(id) ?? null);
  if (running === null) return null;
  const { done, of } = running;
  if (of === 0) return <p className="muted">Starting the sandbox…</p>;
  return (
    <p className="muted">
      <progress max={of} value={done} aria-label="Programs done" /> {done} of {plural(of, "program")}
    </p>
  );
}

const hasGuess = ({ form }: DeskTask): boolean => form.kind === "write" && form.guesses !== null;

const isMissed = (result: TaskResult | null): boolean => result !== null && result.status !== "right";

/** The result is shown after the lab, or never. */
const isLater = ({ show }: DeskTask): boolean => show === "at-end" || show === "never";

/** Tries after which reasons are shown where a lab keeps them back. */
const TRIES = 2;

const givesReasons = ({ show }: DeskTask, tries: number): boolean => show === "at-once" || (show === "after-tries" && tries >= TRIES);

function Guess({ draft }: { readonly draft: unknown }) {
  const guess = fieldOf(draft, "guess");
  return typeof guess === "string" ? <p>You expected: {guess}.</p> : null;
}

function Explained({ id, onLink }: { readonly id: string; readonly onLink: (href: string) => void }) {
  const tree = useLab((s) => s.explains.get(id));
  return tree === undefined ? null : (
    <Stack gap={2} className={styles.prose}>
      <Tree tree={tree} onLink={onLink} />
    </Stack>
  );
}

const WORDS: Readonly<Record<Status, string>> = {
  right: "Right",
  partly: "Partly right",
  wrong: "Not right",
  unanswered: "No answer",
  "by-hand": "Saved; a person will grade it",
  error: "Not graded because of an error in the lab; you get the points",
};

interface SaidProps {
  readonly result: TaskResult;
  readonly task: DeskTask;
  readonly tries: number;
  readonly shown: boolean;
}

function Said({ result, task, tries, shown }: SaidProps) {
  if (isLater(task)) return <p>Your answer is saved. This lab shows the result later.</p>;
  const { status, points: got, max, reason, kind } = result;
  // Code that another browser ran, or that nothing could run.
  const undecided = kind === "write" && status === "by-hand";
  const told = undecided || givesReasons(task, tries) || shown || task.veil !== null;
  return (
    <>
      <p data-status={status}>
        <strong>{undecided ? "Saved; not decided here" : WORDS[status]}</strong>
        {got === null || max === 0 ? "." : `: ${got} of ${points(max)}.`}
      </p>
      {reason === "" || (status === "by-hand" && !undecided) ? null : (
        <p className={cx(styles.reason, "breaks")}>{told ? reason : "The reason is shown after another try."}</p>
      )}
    </>
  );
}
