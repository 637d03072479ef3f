/** The form that fits a task's answer, and marking on the graph where the answer is marks. */

import { useEffect, useState } from "react";
import { useSessionObject } from "../../../app/session/hooks.ts";
import { blockOfInst } from "../../../app/session/moment.ts";
import { sameSubject } from "../../../app/session/subject.ts";
import { Button } from "../../../app/ui/button.tsx";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import type { DeskTask } from "../engine/desk.ts";
import type { Form } from "../engine/forms.ts";
import type { FormProps } from "./forms/form.ts";
import { EdgesForm, LinesForm, NumbersForm, ParentsForm, SetForm } from "./forms/mark-forms.tsx";
import { cardMarks, MARKABLE, marked, pressedOf } from "./forms/marks.ts";
import { CellsForm, ChoiceForm, NumberForm, PredictForm, TextForm } from "./forms/plain.tsx";
import { OriForm, PlanForm, TestsForm, WrongForm } from "./forms/program-forms.tsx";
import { MovesForm, OrderForm } from "./forms/step-forms.tsx";
import { WriteForm } from "./forms/write-form.tsx";
import styles from "./lab.module.css";
import type { LabSession } from "./lab-session.ts";
import { workOf } from "./work.ts";

interface AnswerFormProps {
  readonly labs: LabSession;
  readonly task: DeskTask;
  readonly draft: unknown;
  readonly locked: boolean;
}

export function AnswerForm({ labs, task, draft, locked }: AnswerFormProps) {
  const { form, id } = task;
  const onDraft = (next: unknown): void => labs.draft(id, next);
  return (
    <Stack gap={2}>
      {MARKABLE.has(form.kind) && task.place !== null ? <GraphMarks labs={labs} task={task} draft={draft} locked={locked} /> : null}
      {formElement(form, { draft, onDraft, labs, task: id, locked })}
    </Stack>
  );
}

function formElement(form: Form, props: Omit<FormProps<Form>, "form">): React.ReactNode {
  switch (form.kind) {
    case "choice":
      return <ChoiceForm form={form} {...props} />;
    case "number":
      return <NumberForm form={form} {...props} />;
    case "text":
      return <TextForm form={form} {...props} />;
    case "blocks":
      return <SetForm label="Blocks" field="blocks" names={form.labels} {...props} />;
    case "edges":
      return <EdgesForm form={form} {...props} />;
    case "registers":
      return <SetForm label="Registers" field="registers" names={form.names} {...props} />;
    case "lines":
      return <LinesForm form={form} {...props} />;
    case "numbers":
      return <NumbersForm form={form} {...props} />;
    case "parents":
      return <ParentsForm form={form} {...props} />;
    case "cells":
      return <CellsForm form={form} {...props} />;
    case "predict":
      return <PredictForm form={form} {...props} />;
    case "moves":
      return <MovesForm form={form} {...props} />;
    case "order":
      return <OrderForm form={form} {...props} />;
    case "ori":
      return <OriForm form={form} {...props} />;
    case "plan":
      return <PlanForm form={form} {...props} />;
    case "wrong":
      return <WrongForm form={form} {...props} />;
    case "tests":
      return <TestsForm form={form} {...props} />;
    case "write":
      return <WriteForm form={form} {...props} />;
  }
}

/** While it is on, what is selected on the graph goes into the answer, and the cards show the answer. */
function GraphMarks({ labs, task, draft, locked }: AnswerFormProps) {
  const session = useSessionObject();
  const [on, setOn] = useState(false);
  const [pending, setPending] = useState<string | null>(null);
  const { form, id } = task;
  const active = on && !locked;
  useEffect(() => {
    if (!active) return;
    let waiting: string | null = null;
    const stop = session.store.subscribe((state, before) => {
      const { selected } = state.selection;
      if (selected === null || sameSubject(selected, before.selection.selected)) return;
      const label = (block: number): string | null => state.position.moment?.blocks.get(block)?.label ?? null;
      const { moment } = state.position;
      const blockOf = (inst: number): string | null => (moment === null ? null : (blockOfInst(moment, inst)?.label ?? null));
      const pressed = pressedOf(selected, label, blockOf);
      if (pressed === null) return;
      const next = marked(form, workOf(labs.get().work, id).draft, waiting, pressed);
      waiting = next.pending;
      setPending(waiting);
      labs.draft(id, next.draft);
      // Pressing the same block again removes its mark.
      session.actions.selection.select(null);
    });
    return () => {
      stop();
      setPending(null);
    };
  }, [active, session, labs, form, id]);
  useEffect(() => {
    if (!active) return;
    session.patch("graph", { marks: cardMarks(form, draft, pending) });
    return () => session.patch("graph", { marks: null });
  }, [active, session, form, draft, pending]);
  return (
    <Row wrap gap={2} className={styles.buttons}>
      <Button pressed={active} disabled={locked} onClick={() => setOn(!on)}>
        Mark on the graph
      </Button>
      {active ? (
        <span className="muted">Press {form.kind === "registers" ? "registers" : "blocks"} on the graph, or Enter on them.</span>
      ) : null}
    </Row>
  );
}
