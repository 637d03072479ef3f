/** Everything that can be saved as a file of another kind: the program at this step, the steps of phases. */

import { whyNotShown } from "../session/command.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Stack } from "../ui/layout.tsx";

export function ExportDialog() {
  const open = useSession((s) => s.view.dialog === "export");
  const { view } = useActions();
  return (
    <Dialog open={open} onClose={() => view.set({ dialog: null })} title="Export">
      <Choices />
    </Dialog>
  );
}

function Choices() {
  const session = useSessionObject();
  const state = useSession((s) => s);
  const why = whyNotShown(state);
  return (
    <Stack align="start" gap={1}>
      {why === null ? null : <p>{why}</p>}
      {session.commands
        .filter((c) => c.id.startsWith("export."))
        .map((command) => (
          <Button
            key={command.id}
            disabled={!command.enabled(state)}
            onClick={() => {
              session.actions.view.set({ dialog: null });
              command.run(session);
            }}
          >
            {command.title}
          </Button>
        ))}
    </Stack>
  );
}
