/** The page's own dialogs that are not loaded at startup. */

import { AboutDialog } from "../commands/about-dialog.tsx";
import { BreakpointsDialog } from "../commands/breakpoints-dialog.tsx";
import { ExportDialog } from "../commands/export-dialog.tsx";
import { ShortcutsDialog } from "../commands/shortcuts-dialog.tsx";
import { ToolchainsDialog } from "../commands/toolchains-dialog.tsx";
import { RecentDialog } from "../opening/recent-dialog.tsx";

export function Dialogs() {
  return (
    <>
      <RecentDialog />
      <ExportDialog />
      <BreakpointsDialog />
      <ShortcutsDialog />
      <AboutDialog />
      <ToolchainsDialog />
    </>
  );
}
