/** A choice of one. The browser's own control: it works everywhere, also on a phone and with a screen reader. */

import { cx } from "./cx.ts";
import styles from "./select.module.css";

export interface SelectOption {
  readonly value: string;
  readonly title: string;
}

export interface SelectProps {
  readonly label: string;
  /** The label is only for screen readers. */
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
  readonly title?: string | undefined;
}

export function Select({ label, hideLabel = false, value, options, onChange, title }: SelectProps) {
  return (
    <label className={styles.wrap} title={title}>
      <span className={cx(hideLabel && "visually-hidden")}>{label}</span>
      <select className={styles.select} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}
