/** The controls of the page: tooltips that show keys, and menus that need no loading. */

import { Tooltip } from "@base-ui/react/tooltip";
import { type ReactNode, useMemo } from "react";
import { ControlsContext } from "./controls.ts";
import { cx } from "./cx.ts";
import { Kbd } from "./kbd.tsx";
import { MenuButton } from "./menu.tsx";
import styles from "./tooltip.module.css";
import type { TipProps } from "./tooltip.tsx";

/** One tooltip for all controls: one each takes a sixth of the time that the page needs to appear. */
const tooltip = Tooltip.createHandle<Omit<TipProps, "children">>();

function Tip({ text, keys, side = "bottom", children }: TipProps) {
  const payload = useMemo(() => ({ text, keys, side }), [text, keys, side]);
  return <Tooltip.Trigger handle={tooltip} payload={payload} render={children} />;
}

const CONTROLS = { Tip, MenuButton };

export function PageControls({ children }: { readonly children: ReactNode }) {
  return (
    <ControlsContext value={CONTROLS}>
      <Tooltip.Provider delay={500}>
        {children}
        <Tooltip.Root handle={tooltip}>
          {({ payload }) => (
            <Tooltip.Portal>
              <Tooltip.Positioner side={payload?.side ?? "bottom"} sideOffset={4} className={styles.positioner}>
                <Tooltip.Popup className={cx(styles.popup, "floating")}>
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
    </ControlsContext>
  );
}
