/** Text fields and check boxes with their labels. */

import { type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import styles from "./field.module.css";
import { Stack } from "./layout.tsx";

export interface TextFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit?: () => void;
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly mono?: boolean;
  readonly type?: "text" | "number" | "search";
  readonly autoFocus?: boolean;
  /** Takes the room that is left in its row. */
  readonly grow?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel = false, value, onChange, onSubmit, error = null, placeholder, mono = false, type = "text" } = props;
  const id = useId();
  return (
    <Stack gap="hair" grow={props.grow} className={styles.field}>
      <label htmlFor={id} className={cx(hideLabel && "visually-hidden")}>
        {label}
      </label>
      {/* Above the field, which stays in line with the buttons after it. */}
      {error === null ? null : (
        <span id={`${id}-error`} className="tone-error" role="alert">
          {error}
        </span>
      )}
      <input
        id={id}
        type={type}
        className={cx("input", mono && "mono")}
        value={value}
        placeholder={placeholder}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null ? undefined : `${id}-error`}
        // biome-ignore lint/a11y/noAutofocus: only in dialogs, whose first field is the next one to fill
        autoFocus={props.autoFocus}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onSubmit?.();
        }}
      />
    </Stack>
  );
}

export function Checkbox({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  );
}
