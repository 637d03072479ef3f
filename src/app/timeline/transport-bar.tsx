/** The transport's buttons, made from the commands. */

import { commandById } from "../commands/commands.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { IconButton } from "../ui/button.tsx";
import type { IconName } from "../ui/icons.tsx";
import styles from "./timeline.module.css";

const MAIN: readonly (readonly [command: string, icon: IconName] | null)[] = [
  ["phase.previous-changed", "previousPhase"],
  ["step.start", "start"],
  null,
  ["step.breakpoint-back", "breakpointPrevious"],
  ["step.change-back", "previousChange"],
  ["step.over-back", "previous"],
  ["step.into-back", "stepBack"],
  null,
  ["step.into", "stepForward"],
  ["step.over", "next"],
  ["step.out", "out"],
  ["step.change", "nextChange"],
  ["step.breakpoint", "breakpointNext"],
  null,
  ["step.end", "end"],
  ["phase.next-changed", "nextPhase"],
];

const SMALL: readonly (readonly [command: string, icon: IconName] | null)[] = [
  ["phase.previous-changed", "previousPhase"],
  ["step.change-back", "previousChange"],
  ["step.into-back", "stepBack"],
  ["step.into", "stepForward"],
  ["step.change", "nextChange"],
  ["phase.next-changed", "nextPhase"],
];

export function TransportBar({ small = false }: { readonly small?: boolean }) {
  return (small ? SMALL : MAIN).map((entry, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
    entry === null ? <span key={`gap-${index}`} className={styles.gap} /> : <CommandButton key={entry[0]} id={entry[0]} icon={entry[1]} />,
  );
}

export function CommandButton({ id, icon }: { readonly id: string; readonly icon: IconName }) {
  const command = commandById(id);
  const session = useSessionObject();
  const enabled = useSession((s) => command?.enabled(s) === true);
  const pressed = useSession((s) => command?.checked?.(s));
  if (command === null) return null;
  return (
    <IconButton
      icon={icon}
      label={command.title}
      keys={command.keys[0]}
      side="top"
      disabled={!enabled}
      pressed={pressed}
      data-command={id}
      onClick={() => command.run(session)}
    />
  );
}
