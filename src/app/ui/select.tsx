/** A choice of one. The browser's own control: it works everywhere, also on a phone and with a screen reader. */

import { useId } from "react";
import { cx } from "./cx.ts";
import styles from "./select.module.css";

export interface SelectOption {
  readonly value: string;
  readonly title: string;
  readonly disabled?: boolean;
}

export interface SelectProps {
  readonly label: string;
  /** The label is only for screen readers. */
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
  readonly title?: string | undefined;
  /** Without a frame until it is pointed at. */
  readonly quiet?: boolean;
}

export function Select({ label, hideLabel = false, value, options, onChange, title, quiet = false }: SelectProps) {
  const id = useId();
  return (
    <span className={styles.wrap} title={title}>
      <label htmlFor={id} className={cx(hideLabel && "visually-hidden")}>
        {label}
      </label>
      <select id={id} className={cx(styles.select, quiet && styles.quiet)} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.title}
          </option>
        ))}
      </select>
    </span>
  );
}
