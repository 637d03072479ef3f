/** The steps with a toolchain: what to do, and each command with a button that copies it. */

import type { ToolchainStep } from "../../engine/api/types.ts";
import { useSessionObject } from "../session/hooks.ts";
import { copyText } from "../share/clipboard.ts";
import { Button } from "../ui/button.tsx";
import { Row } from "../ui/layout.tsx";
import styles from "./toolchain-hint.module.css";

export function ToolchainSteps({ steps }: { readonly steps: readonly ToolchainStep[] }) {
  return (
    <ul className={styles.steps}>
      {steps.map((step) => (
        <Step key={step.text} step={step} />
      ))}
    </ul>
  );
}

function Step({ step: { text, command } }: { readonly step: ToolchainStep }) {
  const session = useSessionObject();
  const copy = (line: string) => copyText(session, line, "The command was copied.", ": select the command and copy it.");
  return (
    <li>
      {text}
      {command === null ? null : (
        <Row align="start" gap={2} className={styles.command}>
          <code className="boxed grow breaks">{command}</code>
          <Button aria-label={`Copy: ${command}`} onClick={() => void copy(command)}>
            Copy
          </Button>
        </Row>
      )}
    </li>
  );
}
