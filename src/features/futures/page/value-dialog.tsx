/** A future with a different value of a knob from here: which knob, which value, and whether only for this phase. */

import { useState } from "react";
import { useActions, useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { Button } from "../../../app/ui/button.tsx";
import { Dialog } from "../../../app/ui/dialog.tsx";
import { messageOf } from "../../../app/ui/failure.ts";
import { Checkbox, TextField } from "../../../app/ui/field.tsx";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { Select } from "../../../app/ui/select.tsx";
import type { KnobRow } from "../../../engine/api/types.ts";
import styles from "./futures.module.css";
import type { ValueHere } from "./futures-view.ts";

export function ValueDialog() {
  const session = useSessionObject();
  const value = useSession(({ futuresView }) => futuresView.value);
  return (
    <Dialog
      open={value !== null}
      onClose={() => session.patch("futuresView", { value: null })}
      title={value === null ? "Change a knob" : `Change a knob from ${value.title} on`}
      first="select"
    >
      {value === null ? null : <Choosing here={value} />}
    </Dialog>
  );
}

function Choosing({ here }: { readonly here: ValueHere }) {
  const session = useSessionObject();
  const { futures } = useActions();
  const rows = useSession((s) => s.engine.knobs);
  const readers = [here.id, here.title];
  const own = rows.filter((row) => row.readBy.some((reader) => readers.includes(reader)));
  const [all, setAll] = useState(false);
  const shown = all || own.length === 0 ? rows : own;
  const [key, setKey] = useState("");
  const row = shown.find((one) => one.key === key) ?? shown[0];
  const [value, setValue] = useState("");
  const [only, setOnly] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const goOn = async (): Promise<void> => {
    if (row === undefined) return;
    const assignment = `${row.key}=${value.trim()}`;
    try {
      const wrong = value.trim() === "" ? "Enter a value." : await session.api.checkKnob(assignment);
      setProblem(wrong);
      if (wrong !== null || session.store.getState().futuresView.value !== here) return;
      session.patch("futuresView", { value: null });
      futures.fork([{ kind: "knob", assignment, from: here.run, to: only ? here.run : null }]);
    } catch (error) {
      setProblem(`The value could not be read: ${messageOf(error)}`);
    }
  };
  const write = (next: string): void => {
    setValue(next);
    setProblem(null);
  };
  if (row === undefined) return <p>There are no knobs.</p>;
  return (
    <Stack gap={2} className={styles.form} data-handbook={`knob:${row.key}`}>
      {own.length === 0 ? (
        <p>{here.title} reads no knob; phases after it may.</p>
      ) : (
        <Checkbox checked={all} onChange={setAll}>
          knobs of all phases
        </Checkbox>
      )}
      <Select
        label="Knob"
        value={row.key}
        options={shown.map((one) => ({ value: one.key, title: one.name }))}
        onChange={(next) => {
          setKey(next);
          write("");
        }}
      />
      <p className="muted">
        {row.doc} Default: {row.default}.
      </p>
      <ValueField row={row} value={value} problem={problem} onChange={write} onSubmit={() => void goOn()} />
      <Checkbox checked={only} onChange={setOnly}>
        in {here.title} only
      </Checkbox>
      <Row wrap gap={2}>
        <Button variant="primary" onClick={() => void goOn()}>
          Continue with this value
        </Button>
      </Row>
    </Stack>
  );
}

interface ValueFieldProps {
  readonly row: KnobRow;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
}

function ValueField({ row, value, problem, onChange, onSubmit }: ValueFieldProps) {
  if (row.type !== "flag")
    return <TextField label="Value" mono value={value} placeholder={row.default} error={problem} onChange={onChange} onSubmit={onSubmit} />;
  return (
    <>
      <Select
        label="Value"
        value={value}
        options={[
          { value: "", title: "choose" },
          { value: "1", title: "on" },
          { value: "0", title: "off" },
        ]}
        onChange={onChange}
      />
      {problem === null ? null : <p role="alert">{problem}</p>}
    </>
  );
}
