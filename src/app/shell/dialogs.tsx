/** The dialogs that are not at hand at once: they come together, in the page's first quiet moment or when one of them is opened. */

import { AboutDialog } from "../commands/about-dialog.tsx";
import { BreakpointsDialog } from "../commands/breakpoints-dialog.tsx";
import { ExportDialog } from "../commands/export-dialog.tsx";
import { ShortcutsDialog } from "../commands/shortcuts-dialog.tsx";
import { WaysInDialog } from "../commands/ways-in-dialog.tsx";
import { EmbedDialog } from "../embed/embed-dialog.tsx";
import { EnginesDialog } from "../engines/engines-dialog.tsx";
import { HandbookDialog } from "../handbook/handbook-dialog.tsx";
import { LabWriterDialog } from "../labs/writer/writer-dialog.tsx";
import { RecentDialog } from "../share/recent-dialog.tsx";

export function Dialogs() {
  return (
    <>
      <RecentDialog />
      <LabWriterDialog />
      <ExportDialog />
      <BreakpointsDialog />
      <ShortcutsDialog />
      <EmbedDialog />
      <AboutDialog />
      <WaysInDialog />
      <HandbookDialog />
      <EnginesDialog />
    </>
  );
}
