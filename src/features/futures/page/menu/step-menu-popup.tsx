/** The menu of a step or phase as it opens. */

import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { MenuAt, MenuEntries } from "../../../../app/ui/menu.tsx";
import { entriesAt } from "./entries.ts";
import type { MenuTarget } from "./target.ts";

interface StepMenuPopupProps {
  /** null: closed. */
  readonly target: MenuTarget | null;
  readonly label: string;
  readonly onClose: () => void;
}

export function StepMenuPopup({ target, label, onClose }: StepMenuPopupProps) {
  return (
    <MenuAt at={target === null ? null : { ...target, label }} onClose={onClose}>
      {target === null ? null : <Live target={target} />}
    </MenuAt>
  );
}

/** Rebuilt while it is open: the step's state may arrive after the click. */
function Live({ target: { area, subject } }: { readonly target: MenuTarget }) {
  const session = useSessionObject();
  const state = useSession((s) => s);
  return <MenuEntries entries={() => entriesAt(area, subject, session, state)} />;
}
