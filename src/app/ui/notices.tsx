/** Notices in the corner: informative ones leave by themselves, the others wait to be closed. */

import { useEffect } from "react";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import { Icon } from "./icons.tsx";
import { Row, Stack } from "./layout.tsx";
import styles from "./notices.module.css";

export interface Notice {
  readonly id: number;
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
  /** Label and command id of one thing to do about it. */
  readonly action: { readonly label: string; readonly command: string } | null;
}

const STAY_MS = 6_000;

export interface NoticesProps {
  readonly notices: readonly Notice[];
  readonly onDismiss: (id: number) => void;
  readonly onAction: (command: string) => void;
}

export function Notices({ notices, onDismiss, onAction }: NoticesProps) {
  return (
    <Stack as="section" gap={2} className={styles.stack} aria-label="Notices" aria-live="polite">
      {notices.map((notice) => (
        <OneNotice key={notice.id} notice={notice} onDismiss={onDismiss} onAction={onAction} />
      ))}
    </Stack>
  );
}

function OneNotice({ notice, onDismiss, onAction }: { readonly notice: Notice } & Omit<NoticesProps, "notices">) {
  const { id, severity, text, action } = notice;
  useEffect(() => {
    if (severity !== "info") return;
    const timer = setTimeout(() => onDismiss(id), STAY_MS);
    return () => clearTimeout(timer);
  }, [id, severity, onDismiss]);
  return (
    <Row align="start" gap={2} pad={2} className={cx(styles.notice, styles[severity], "floating")}>
      <span className={styles.mark}>
        <Icon name={severity} />
      </span>
      <p className={cx(styles.text, "grow breaks")}>{text}</p>
      {action === null ? null : (
        <Button
          onClick={() => {
            onAction(action.command);
            onDismiss(id);
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => onDismiss(id)} />
    </Row>
  );
}
