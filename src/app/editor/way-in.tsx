/** What to do with a text that is not read here, but becomes PTX by a command: shown under it, each command with a button that copies it. */

import type { WayInStep } from "../../engine/api/types.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { Button } from "../ui/button.tsx";
import styles from "./way-in.module.css";

export function WayIn() {
  const way = useSession((s) => s.document.open?.wayIn ?? null);
  const title = useSession((s) => s.document.open?.diagnostics[0]?.message ?? "");
  if (way === null) return null;
  return (
    <section className={styles.panel} aria-label="How to open this text" data-testid="way-in">
      <h3 className={styles.title}>{title}</h3>
      <ol className={styles.steps}>
        {way.steps.map((step) => (
          <Step key={step.text} step={step} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step: { text, command } }: { readonly step: WayInStep }) {
  const { actions } = useSessionObject();
  const copy = async (line: string) => {
    try {
      await navigator.clipboard.writeText(line);
      actions.notify("info", "The command is copied.");
    } catch {
      actions.notify("warning", "The clipboard cannot be reached: select the command and copy it.");
    }
  };
  return (
    <li>
      {text}
      {command === null ? null : (
        <div className={styles.command}>
          <code>{command}</code>
          <Button aria-label={`Copy: ${command}`} onClick={() => void copy(command)}>
            Copy
          </Button>
        </div>
      )}
    </li>
  );
}
