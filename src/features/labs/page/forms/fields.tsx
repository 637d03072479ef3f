/** Rows of the forms: check boxes and radio buttons in a group, a field in a row, a text of lines. */

import { useId, useState } from "react";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import styles from "../lab.module.css";

export interface Option {
  readonly value: string;
  readonly title: string;
}

interface OptionsProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onToggle: (value: string) => void;
  readonly many: boolean;
  readonly locked: boolean;
  /** Short names side by side, not one below the other. */
  readonly inline?: boolean;
  readonly mono?: boolean;
}

export function Options({ label, options, chosen, onToggle, many, locked, inline = false, mono = false }: OptionsProps) {
  const name = useId();
  return (
    <fieldset className={styles.options} data-inline={inline || undefined} data-mono={mono || undefined} disabled={locked}>
      <legend>{label}</legend>
      {options.map(({ value, title }) => (
        <Row as="label" gap={2} key={value} className={styles.option}>
          <input
            type={many ? "checkbox" : "radio"}
            name={name}
            value={value}
            checked={chosen.includes(value)}
            onChange={() => onToggle(value)}
          />
          <span>{title}</span>
        </Row>
      ))}
    </fieldset>
  );
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter?: () => void;
  readonly locked: boolean;
  readonly numeric?: boolean;
  readonly short?: boolean;
  readonly hint?: string;
}

export function Line({ label, value, onChange, onEnter, locked, numeric = false, short = false, hint }: LineProps) {
  const id = useId();
  return (
    <Stack gap="hair" className={styles.line} data-short={short || undefined}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={numeric ? "numeric" : "text"}
        value={value}
        readOnly={locked}
        placeholder={hint}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && onEnter !== undefined) {
            event.preventDefault();
            onEnter();
          }
        }}
      />
    </Stack>
  );
}

interface NumberLineProps {
  readonly label: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly locked: boolean;
  readonly short?: boolean;
}

/** What is typed is unchanged until it is a number. */
export function NumberLine({ label, value, onChange, locked, short = false }: NumberLineProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && (numberIn(typed) === value || (numberIn(typed) === null && value === null)) ? typed : textOfNumber(value);
  return (
    <Line
      label={label}
      numeric
      short={short}
      locked={locked}
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(numberIn(text));
      }}
    />
  );
}

const textOfNumber = (value: number | null): string => (value === null ? "" : String(value));

function numberIn(text: string): number | null {
  const plain = text.trim().replace(",", ".");
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : null;
}

interface AreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly locked: boolean;
  readonly rows: number;
  readonly mono?: boolean;
  readonly hint?: string;
}

export function Area({ label, value, onChange, locked, rows, mono = false, hint }: AreaProps) {
  const id = useId();
  return (
    <Stack gap="hair" className={styles.area}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        readOnly={locked}
        placeholder={hint}
        spellCheck={!mono}
        className={mono ? "mono" : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </Stack>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly locked: boolean;
  readonly none?: string;
  readonly short?: boolean;
}

export function Choice({ label, value, options, onChange, locked, none = "choose …", short = false }: ChoiceProps) {
  const id = useId();
  return (
    <Stack gap="hair" className={styles.line} data-short={short || undefined}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} disabled={locked} onChange={(event) => onChange(event.target.value)}>
        <option value="">{none}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </Stack>
  );
}
