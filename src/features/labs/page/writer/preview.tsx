/** A lab as a student with any seed gets it, next to its text: programs, questions, and what the engine's own answer and none at all are worth. */

import { useEffect, useState } from "react";
import { Button } from "../../../../app/ui/button.tsx";
import { cx } from "../../../../app/ui/cx.ts";
import { messageOf } from "../../../../app/ui/failure.ts";
import { Checkbox } from "../../../../app/ui/field.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { BrokenDeskTask, DeskLab, DeskPart, DeskTask } from "../../engine/desk.ts";
import type { TaskResult } from "../../engine/judge.ts";
import type { DeskClient } from "../desk-client.ts";
import { Line } from "../forms/fields.tsx";
import styles from "../lab.module.css";
import { Tree } from "../tree.tsx";

interface PreviewProps {
  readonly desk: DeskClient;
  readonly lab: DeskLab;
}

interface Previewed {
  readonly seed: number;
  readonly parts: readonly DeskPart[];
  readonly tasks: ReadonlyMap<string, PreviewedTask>;
}

interface PreviewedTask {
  readonly task: DeskTask | BrokenDeskTask;
  readonly solution: unknown;
  /** Of the solution, and of no answer; null: there is no solution. */
  readonly solved: TaskResult | null;
  readonly empty: TaskResult | null;
}

const MOST_SEED = 0xffff_ffff;
const nowhere = (): void => undefined;

export function Preview({ desk, lab }: PreviewProps) {
  const fixed = lab.seed === "fixed";
  const [seed, setSeed] = useState(fixed ? 0 : 1);
  const [variant, setVariant] = useState(0);
  const [told, setTold] = useState(true);
  const [atOnce, setAtOnce] = useState(true);
  const [found, setFound] = useState<Previewed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    setProblem(null);
    previewOf(desk, lab, seed, variant).then(
      (previewed) => {
        if (!gone) setFound(previewed);
      },
      (error: unknown) => {
        if (!gone) setProblem(messageOf(error));
      },
    );
    return () => {
      gone = true;
    };
  }, [desk, lab, seed, variant]);
  return (
    <Stack as="section" gap={3} pad={2} scroll className={cx(styles.preview, "boxed")} aria-label="Preview">
      <h3>As a student sees it</h3>
      <Row wrap gap={2} className={styles.buttons}>
        <Line
          label="Seed"
          short
          numeric
          value={String(seed)}
          locked={fixed}
          onChange={(text) => {
            const next = Number(text);
            if (Number.isInteger(next) && next >= 0 && next <= MOST_SEED) setSeed(next);
          }}
        />
        <Button disabled={fixed} onClick={() => setSeed(seed + 1)}>
          Next student
        </Button>
        <Button disabled={fixed} onClick={() => setVariant(variant + 1)} title="As after “Try another program”">
          Next variant
        </Button>
        <span className="muted">
          {fixed ? "All students have the same programs (seed: fixed)." : variant === 0 ? "" : `Variant ${variant} of each task.`}
        </span>
        <Checkbox checked={told} onChange={setTold}>
          With answers
        </Checkbox>
        <Checkbox checked={atOnce} onChange={setAtOnce}>
          Show reasons at once
        </Checkbox>
      </Row>
      {problem === null ? null : <p role="alert">The preview could not be created: {problem}.</p>}
      {found === null ? <p role="status">Drawing the programs…</p> : <Parts found={found} lab={lab} told={told} atOnce={atOnce} />}
    </Stack>
  );
}

async function previewOf(desk: DeskClient, lab: DeskLab, seed: number, variant: number): Promise<Previewed> {
  const parts = await desk.ask("parts", seed);
  const tasks = new Map<string, PreviewedTask>();
  for (const { id, varies } of lab.tasks) {
    const n = varies ? variant : 0;
    const task = await desk.ask("task", id, seed, n);
    if ("broken" in task) {
      tasks.set(id, { task, solution: null, solved: null, empty: null });
      continue;
    }
    const solution = await desk.ask("solve", id, seed, n);
    const judged = async (answer: unknown): Promise<TaskResult> => (await desk.ask("judge", id, seed, n, answer, 0)).result;
    tasks.set(id, { task, solution, solved: solution === null ? null : await judged(solution), empty: await judged({}) });
  }
  return { seed, parts, tasks };
}

interface PartsProps {
  readonly found: Previewed;
  readonly lab: DeskLab;
  readonly told: boolean;
  readonly atOnce: boolean;
}

function Parts({ found, ...rest }: PartsProps) {
  return found.parts.map((part, index) => <Part key={`${found.seed} ${partKey(part, index)}`} part={part} found={found} {...rest} />);
}

const partKey = (part: DeskPart, index: number): string => (part.kind === "task" ? part.id : String(index));

function Part({ part, found, lab, told, atOnce }: PartsProps & { readonly part: DeskPart }) {
  switch (part.kind) {
    case "text":
      return (
        <Stack gap={2} className={styles.prose}>
          <Tree tree={part.tree} onLink={nowhere} />
        </Stack>
      );
    case "program":
      return (
        <figure className={styles.program}>
          <figcaption>
            {part.name}
            {part.own ? " (drawn)" : ""}
          </figcaption>
          <pre>{part.text}</pre>
        </figure>
      );
    case "moment":
      return <p>[{part.label}]</p>;
    case "task": {
      const info = lab.tasks.find((t) => t.id === part.id);
      const task = found.tasks.get(part.id);
      return info === undefined || task === undefined ? null : (
        <Stack as="article" gap={3} pad={3} className={cx(styles.task, "boxed")} aria-label={`Task ${part.id}`}>
          <p className="muted">
            {part.id} · {info.kind} · {plural(info.points, "point")}
          </p>
          <Asked previewed={task} told={told} atOnce={atOnce} />
        </Stack>
      );
    }
  }
}

function Asked({ previewed, told, atOnce }: { readonly previewed: PreviewedTask } & Pick<PartsProps, "told" | "atOnce">) {
  const { task, solution, solved, empty } = previewed;
  if ("broken" in task) return <p role="alert">It cannot be given: {task.broken}.</p>;
  return (
    <>
      <Stack gap={2} className={styles.prose}>
        <Tree tree={task.ask} onLink={nowhere} />
      </Stack>
      {told ? (
        <>
          {solved === null ? (
            <p>The engine has no answer for this task: a person or a search has to supply one.</p>
          ) : (
            <p>
              The engine’s answer earns {solved.points ?? "what a person awards"} of {solved.max}: <code>{JSON.stringify(solution)}</code>
            </p>
          )}
          {empty === null ? null : (
            <p>
              An empty answer earns: {empty.points ?? "by hand"} of {empty.max}. {atOnce ? empty.reason : "The reason is withheld."}
            </p>
          )}
        </>
      ) : null}
    </>
  );
}
