/** A choice of one. The browser's own control: it works everywhere, also on a phone and with a screen reader. */

import { useId } from "react";
import { cx } from "./cx.ts";
import styles from "./select.module.css";

export interface SelectOption<V extends string = string> {
  readonly value: V;
  readonly title: string;
  /** What the title is short for. */
  readonly whole?: string | undefined;
  readonly disabled?: boolean;
}

export interface SelectProps<V extends string> {
  readonly label: string;
  /** The label is only for screen readers. */
  readonly hideLabel?: boolean;
  readonly value: V;
  readonly options: readonly SelectOption<V>[];
  readonly onChange: (value: V) => void;
  readonly title?: string | undefined;
  /** Without a frame until it is pointed at. */
  readonly quiet?: boolean;
  readonly disabled?: boolean;
}

export function Select<V extends string>(props: SelectProps<V>) {
  const { label, hideLabel = false, value, options, onChange, title, quiet = false, disabled = false } = props;
  const id = useId();
  const chosen = options.find((option) => option.value === value);
  const choose = (index: number): void => {
    const option = options[index];
    if (option !== undefined) onChange(option.value);
  };
  return (
    <span className={styles.wrap} title={title ?? chosen?.whole ?? chosen?.title}>
      <label htmlFor={id} className={cx(hideLabel && "visually-hidden")}>
        {label}
      </label>
      <select
        id={id}
        className={cx(styles.select, quiet && styles.quiet)}
        value={value}
        disabled={disabled}
        onChange={(event) => choose(event.target.selectedIndex)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} title={option.whole}>
            {option.title}
          </option>
        ))}
      </select>
    </span>
  );
}
