/** Tooltips: a name and a shortcut for a control. They never hold what can't be found elsewhere. */

import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./kbd.tsx";
import styles from "./tooltip.module.css";

export interface TipProps {
  readonly text: ReactNode;
  readonly keys?: string | undefined;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly children: ReactElement<Record<string, unknown>>;
}

export function Tip({ text, keys, side = "bottom", children }: TipProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner side={side} sideOffset={4} className={styles.positioner}>
          <Tooltip.Popup className={styles.popup}>
            {text}
            {keys === undefined ? null : (
              <span className={styles.keys}>
                <Kbd keys={keys} />
              </span>
            )}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

export function TipProvider({ children }: { readonly children: ReactNode }) {
  return <Tooltip.Provider delay={500}>{children}</Tooltip.Provider>;
}
