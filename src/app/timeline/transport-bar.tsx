/** The transport: the buttons that people use, with their keys, and a menu of every other way to move. */

import { useSession, useSessionObject } from "../session/hooks.ts";
import type { Session } from "../session/session.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Row } from "../ui/layout.tsx";
import { MenuButton, type MenuEntry } from "../ui/menu-button.tsx";
import { Tip } from "../ui/tooltip.tsx";
import styles from "./timeline.module.css";

const MAIN: readonly (readonly [command: string, icon: IconName])[] = [
  ["phase.previous-changed", "previousPhase"],
  ["step.into-back", "stepBack"],
  ["step.into", "stepForward"],
  ["step.change", "nextChange"],
  ["phase.next-changed", "nextPhase"],
];

const SMALL: readonly (readonly [command: string, icon: IconName])[] = [
  ["phase.previous-changed", "previousPhase"],
  ["step.change-back", "previousChange"],
  ["step.into-back", "stepBack"],
  ["step.into", "stepForward"],
  ["step.change", "nextChange"],
  ["phase.next-changed", "nextPhase"],
];

/** For a phone: large targets, the next step under the thumb; every other way to move is in the menu. */
export function TransportRow() {
  return (
    <Row align="stretch" rigid className={cx(styles.row, "line-below")}>
      <MoreMoves />
      {SMALL.map(([id, icon]) => (
        <CommandButton key={id} id={id} icon={icon} keys={false} />
      ))}
    </Row>
  );
}

/** `small`: a frame, without keys. */
export function TransportBar({ small = false }: { readonly small?: boolean }) {
  return (
    <>
      {(small ? SMALL : MAIN).map(([id, icon]) => (
        <CommandButton key={id} id={id} icon={icon} keys={!small} />
      ))}
      {small ? <MoreMoves /> : null}
    </>
  );
}

function MoreMoves() {
  const session = useSessionObject();
  return <MenuButton trigger={<IconButton icon="more" label="More ways to move" side="top" />} entries={() => movesOf(session)} />;
}

/** Every command that moves, the menu bar's Step and Phase together. */
function movesOf(session: Session): readonly MenuEntry[] {
  const state = session.store.getState();
  return session.commands
    .filter((c) => c.id.startsWith("step.") || c.id.startsWith("phase."))
    .flatMap((c): readonly MenuEntry[] => {
      const item = {
        kind: "item",
        id: c.id,
        title: c.title,
        keys: c.keys[0],
        disabled: !c.enabled(state),
        run: () => c.run(session),
      } as const;
      return c.separated === true || c.id === "phase.next-changed" ? [{ kind: "separator", id: `${c.id}-separator` }, item] : [item];
    });
}

interface CommandButtonProps {
  readonly id: string;
  readonly icon: IconName;
  /** Shows the key next to the icon. */
  readonly keys: boolean;
}

function CommandButton({ id, icon, keys }: CommandButtonProps) {
  const session = useSessionObject();
  const command = session.command(id);
  const enabled = useSession((s) => command?.enabled(s) === true);
  const singleKeys = useSession((s) => s.view.singleKeys);
  if (command === null) return null;
  const key = singleKeys ? command.keys[0] : undefined;
  const common = { "data-command": id, disabled: !enabled, onClick: () => command.run(session) } as const;
  if (!keys || key === undefined) return <IconButton {...common} icon={icon} label={command.title} keys={command.keys[0]} side="top" />;
  return (
    <Tip text={command.title} keys={key} side="top">
      <Button {...common} variant="quiet" aria-label={command.title} className={styles.move}>
        <Icon name={icon} />
        <Kbd keys={key} />
      </Button>
    </Tip>
  );
}
