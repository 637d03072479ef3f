/** One of a few views, a button each, in one frame. */

import { cx } from "./cx.ts";
import styles from "./view-buttons.module.css";

interface ViewButtonsProps<View extends string> {
  readonly label: string;
  readonly views: readonly (readonly [view: View, name: string, about?: string])[];
  readonly shown: View;
  readonly onShow: (view: View) => void;
  /** As wide as the room, without a frame: over what it switches. */
  readonly wide?: boolean;
}

export function ViewButtons<View extends string>({ label, views, shown, onShow, wide = false }: ViewButtonsProps<View>) {
  return (
    <fieldset className={cx(styles.views, wide && styles.wide)} aria-label={label}>
      {views.map(([view, name, about]) => (
        <button key={view} type="button" title={about} aria-pressed={shown === view} onClick={() => onShow(view)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
