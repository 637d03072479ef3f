/** The list of all shortcuts, made from the commands. */

import { useSession, useSessionObject } from "../session/hooks.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { isApple, Kbd } from "../ui/kbd.tsx";

export function ShortcutsDialog() {
  const open = useSession((s) => s.view.dialog === "shortcuts");
  const { actions, commands } = useSessionObject();
  return (
    <Dialog open={open} onClose={() => actions.view.set({ dialog: null })} title="Keyboard shortcuts">
      <p className="muted">
        Single-letter shortcuts work outside text fields and can be switched off in the View menu. The arrow keys move in lists, tabs and
        the timeline. Tab leaves the editor; after <Kbd keys={isApple ? "Ctrl+Shift+M" : "Ctrl+M"} /> it indents.
      </p>
      <DataTable
        untitled
        rows={commands.filter(({ keys }) => keys.length > 0)}
        rowKey={({ id }) => id}
        columns={[
          { title: "Command", cell: ({ title }) => title },
          {
            title: "Keys",
            cell: ({ keys }) =>
              keys.map((k, i) => (
                <span key={k}>
                  {i > 0 ? " or " : ""}
                  <Kbd keys={k} />
                </span>
              )),
          },
        ]}
      />
    </Dialog>
  );
}
