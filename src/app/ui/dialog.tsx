/** Modal dialogs. */

import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import { Boundary } from "./boundary.tsx";
import { Button } from "./button.tsx";
import { cx } from "./cx.ts";
import styles from "./dialog.module.css";
import { Icon } from "./icons.tsx";
import { Row, Stack } from "./layout.tsx";

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly wide?: boolean;
  /** No padding and no title bar: the content is the whole dialog (the title is still announced). */
  readonly bare?: boolean;
  /** What has the focus first, as a selector; else the first field, else the content. */
  readonly first?: string;
  readonly children: ReactNode;
}

/** A dialog never begins at its Close: what is read first scrolls by the arrow keys, what is filled in is typed into. */
const FIELD = "input:not([type='hidden']), select, textarea";

export function Dialog({ open, onClose, title, wide = false, bare = false, first, children }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const from = useFocusBefore(open);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={cx(styles.backdrop)} />
        <Base.Popup
          ref={popup}
          className={cx(styles.popup, wide && styles.wide, "floating")}
          finalFocus={() => {
            const { activeElement, body: page } = document;
            // The chosen action has already moved the focus to where the user continues.
            const moved = activeElement !== null && activeElement !== page && popup.current?.contains(activeElement) !== true;
            return moved ? false : (from() ?? true);
          }}
          initialFocus={() => popup.current?.querySelector<HTMLElement>(first ?? FIELD) ?? (bare ? true : body.current)}
        >
          {bare ? (
            <Base.Title className="visually-hidden">{title}</Base.Title>
          ) : (
            <Row gap={2} className={cx(styles.head, "line-below")}>
              <Base.Title className="grow large strong">{title}</Base.Title>
              {/* Without a tooltip: Escape should close the dialog, not the tooltip of what has the focus. */}
              <Button variant="quiet" aria-label="Close" title="Close" onClick={onClose}>
                <Icon name="close" />
              </Button>
            </Row>
          )}
          {/* Long contents scroll: without a tab stop the keyboard could not. */}
          <Stack
            ref={body}
            gap={bare ? 0 : 3}
            className={cx(styles.body, bare && styles.bare)}
            {...(bare ? {} : { tabIndex: 0, role: "group", "aria-label": title })}
          >
            <Boundary name={title}>{children}</Boundary>
          </Stack>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** What had the focus before a dialog opened: read while it is drawn for the first time, before one of its fields takes the focus. */
function useFocusBefore(open: boolean): () => HTMLElement | null {
  const before = useRef<{ readonly open: boolean; readonly element: Element | null }>({ open: false, element: null });
  if (before.current.open !== open) before.current = { open, element: open ? document.activeElement : before.current.element };
  return () => {
    const { element } = before.current;
    return element instanceof HTMLElement && element.isConnected && element !== document.body ? element : null;
  };
}
