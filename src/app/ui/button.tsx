/** Buttons: plain, primary, quiet, link-like, and with an icon alone (named by a tooltip). */

import type { ComponentProps } from "react";
import styles from "./button.module.css";
import { cx } from "./cx.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Tip } from "./tooltip.tsx";

export interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  readonly variant?: "plain" | "primary" | "quiet" | "link";
  readonly disabled?: boolean | undefined;
  /** A toggle: pressed or not. */
  readonly pressed?: boolean | undefined;
}

/** Disabled buttons keep the focus and their tooltip: they only do nothing. */
export function Button({ variant = "plain", disabled = false, pressed, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={disabled || undefined}
      aria-pressed={pressed}
      className={cx(
        styles.button,
        variant === "primary" && styles.primary,
        variant === "quiet" && styles.quiet,
        variant === "link" && styles.link,
        pressed === true && styles.pressed,
        className,
      )}
      onClick={(event) => {
        if (!disabled) onClick?.(event);
      }}
    />
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "children"> {
  readonly icon: IconName;
  readonly label: string;
  /** Shown in the tooltip after the label. */
  readonly keys?: string | undefined;
  readonly side?: "top" | "bottom" | "left" | "right";
}

export function IconButton({ icon, label, keys, side = "bottom", className, variant = "quiet", ...rest }: IconButtonProps) {
  return (
    <Tip text={label} keys={keys} side={side}>
      <Button variant={variant} {...rest} aria-label={label} className={cx(styles.icon, className)}>
        <Icon name={icon} />
      </Button>
    </Tip>
  );
}
