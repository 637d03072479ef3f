/** Examples and labs as the palette lists them: fetched when it opens, as the gallery does. */

import { EXAMPLES } from "../examples/catalogue.ts";
import { openExample } from "../examples/open-example.ts";
import { openLab } from "../labs/open-lab.ts";
import type { Session } from "../session/session.ts";
import { messageOf } from "../ui/failure.ts";

export interface ProgramEntry {
  readonly id: string;
  readonly group: "Example" | "Lab";
  readonly title: string;
  readonly found: string;
  readonly run: () => void;
}

export async function programEntries(session: Session): Promise<readonly ProgramEntry[]> {
  const { COURSE } = await import("virtual:course");
  const labs = COURSE.map((lab): ProgramEntry => {
    const open = async (): Promise<void> => {
      try {
        openLab(session, { text: await lab.load(), title: lab.title, classKey: "", course: lab.file });
      } catch (error) {
        session.actions.notify("error", `The lab could not be loaded: ${messageOf(error)}`);
      }
    };
    const found = ["labs", "course", "quiz", "question", "exercise", ...lab.objectives].join(", ");
    return { id: `lab:${lab.id}`, group: "Lab", title: lab.title, found, run: () => void open() };
  });
  const examples = EXAMPLES.map(
    (example): ProgramEntry => ({
      id: `example:${example.id}`,
      group: "Example",
      title: example.title,
      found: `examples, ${example.group}, ${example.about}`,
      run: () => void openExample(session, example),
    }),
  );
  return [...labs, ...examples];
}
