/** The course: its labs as cards of the gallery and in the palette, in the order in which it is taken. */

import type { GalleryGroup, PaletteEntry } from "../../../app/session/feature.ts";
import type { Session } from "../../../app/session/session.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import { COURSE } from "./course.generated.ts";
import { openLab } from "./open-lab.ts";

/** A lab of `labs/` with what its front matter says. */
export interface CourseLab {
  readonly file: string;
  readonly id: string;
  readonly title: string;
  readonly minutes: number | null;
  readonly level: string | null;
  readonly objectives: readonly string[];
  readonly load: () => Promise<string>;
}

async function openFromCourse(session: Session, lab: CourseLab): Promise<void> {
  try {
    openLab(session, { text: await lab.load(), title: lab.title, classKey: "", course: lab.file });
  } catch (error) {
    session.actions.notify("error", `The lab could not be loaded: ${messageOf(error)}`);
  }
}

export function courseCards(session: Session): GalleryGroup {
  const cards = COURSE.map((lab) => ({
    id: lab.id,
    title: `${Number(lab.file.slice(0, 2))}. ${lab.title}`,
    about: lab.objectives[0] ?? "",
    more: [lab.level, lab.minutes === null ? null : `about ${lab.minutes} minutes`].filter((part) => part !== null).join(" · "),
    found: `lab course ${lab.title} ${lab.level ?? ""} ${lab.objectives.join(" ")}`,
    open: () => void openFromCourse(session, lab),
  }));
  return { title: "Labs", about: "a course with tasks and points, from the first week on", level: "course", cards };
}

export function courseEntries(session: Session): readonly PaletteEntry[] {
  return COURSE.map((lab) => {
    const found = ["labs", "course", "quiz", "question", "exercise", ...lab.objectives].join(", ");
    return { id: `lab:${lab.id}`, group: "Lab", title: lab.title, found, run: () => void openFromCourse(session, lab) };
  });
}
