/** Tooltips: a name and a shortcut for a control. They never hold what can't be found elsewhere. */

import { Tooltip } from "@base-ui/react/tooltip";
import { type ReactElement, type ReactNode, useMemo } from "react";
import { Kbd } from "./kbd.tsx";
import styles from "./tooltip.module.css";

interface Shown {
  readonly text: ReactNode;
  readonly keys?: string | undefined;
  readonly side?: "top" | "bottom" | "left" | "right";
}

export interface TipProps extends Shown {
  readonly children: ReactElement<Record<string, unknown>>;
}

/** One tooltip for all controls: one each takes a sixth of the time that the page needs to appear. */
const tooltip = Tooltip.createHandle<Shown>();

export function Tip({ text, keys, side = "bottom", children }: TipProps) {
  const payload = useMemo(() => ({ text, keys, side }), [text, keys, side]);
  return <Tooltip.Trigger handle={tooltip} payload={payload} render={children} />;
}

export function TipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Tooltip.Provider delay={500}>
      {children}
      <Tooltip.Root handle={tooltip}>
        {({ payload }) => (
          <Tooltip.Portal>
            <Tooltip.Positioner side={payload?.side ?? "bottom"} sideOffset={4} className={styles.positioner}>
              <Tooltip.Popup className={styles.popup}>
                {payload?.text}
                {payload?.keys === undefined ? null : (
                  <span className={styles.keys}>
                    <Kbd keys={payload.keys} />
                  </span>
                )}
              </Tooltip.Popup>
            </Tooltip.Positioner>
          </Tooltip.Portal>
        )}
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
