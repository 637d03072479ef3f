/** What to do with a text that is not read here, but becomes PTX by a command: shown under it. */

import { useSession } from "../session/hooks.ts";
import { cx } from "../ui/cx.ts";
import { Stack } from "../ui/layout.tsx";
import styles from "./toolchain-hint.module.css";
import { ToolchainSteps } from "./toolchain-steps.tsx";

export function ToolchainHint() {
  const toolchain = useSession((s) => s.document.open?.wayIn ?? null);
  const title = useSession((s) => s.document.open?.diagnostics[0]?.message ?? "");
  if (toolchain === null) return null;
  return (
    <Stack as="section" gap={1} className={cx(styles.panel, "line-above")} aria-label="How to open this text" data-testid="toolchain">
      <h3>{title}</h3>
      <ToolchainSteps steps={toolchain.steps} />
    </Stack>
  );
}
