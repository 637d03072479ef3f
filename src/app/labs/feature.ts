/** Labs beside the tool, and writing them. */

import type { Feature } from "../session/feature.ts";
import { messageOf } from "../ui/failure.ts";
import { openLab } from "./open-lab.ts";
import { NO_LAB } from "./state.ts";
import { LAB_COMMANDS } from "./writer/commands.ts";

export const LABS: Feature = {
  id: "labs",
  slices: { lab: NO_LAB },
  commands: LAB_COMMANDS,
  dialogs: () => import("./writer/writer-dialog.tsx"),
  async palette(session) {
    const { COURSE } = await import("virtual:course");
    return COURSE.map((lab) => {
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
  },
};
