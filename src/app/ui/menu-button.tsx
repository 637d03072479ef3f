/** A menu that opens from a control of the caller's. */

import { cloneElement, lazy, type ReactElement, Suspense, useContext, useState } from "react";
import { ControlsContext } from "./controls.ts";

export type MenuEntry =
  | { readonly kind: "separator"; readonly id: string }
  /** A submenu. */
  | { readonly kind: "menu"; readonly id: string; readonly title: string; readonly entries: () => readonly MenuEntry[] }
  /** What the entries after it are about. */
  | { readonly kind: "heading"; readonly id: string; readonly title: string }
  | {
      readonly kind: "item";
      readonly id: string;
      readonly title: string;
      readonly keys?: string | undefined;
      readonly disabled?: boolean;
      /** Under the title: why it is disabled, or what it comes with. */
      readonly note?: string | undefined;
      /** Shown with a tick when true; an item without it is no choice. */
      readonly checked?: boolean | undefined;
      readonly run: () => void;
    };

export interface MenuButtonProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly entries: () => readonly MenuEntry[];
  /** Opens as it appears. */
  readonly defaultOpen?: boolean;
}

const Loaded = lazy(async () => ({ default: (await import("./menu.tsx")).MenuButton }));

export function MenuButton(props: MenuButtonProps) {
  const controls = useContext(ControlsContext);
  const [asked, setAsked] = useState(false);
  if (controls !== null) return <controls.MenuButton {...props} />;
  const plain = cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => setAsked(true),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setAsked(true);
    },
  });
  if (!asked) return plain;
  return (
    <Suspense fallback={plain}>
      <Loaded {...props} defaultOpen />
    </Suspense>
  );
}
