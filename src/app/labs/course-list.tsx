/** The course in the gallery, in the order in which it is taken. */

import type { CourseLab } from "virtual:course";
import styles from "../examples/gallery.module.css";
import { useSessionObject } from "../session/hooks.ts";
import { messageOf } from "../ui/failure.ts";
import { Stack } from "../ui/layout.tsx";
import { openLab } from "./open-lab.ts";

interface CourseListProps {
  readonly course: readonly CourseLab[];
  /** Words that a lab has to hold. */
  readonly words: readonly string[];
  readonly onOpen: () => void;
}

export function CourseList({ course, words, onOpen }: CourseListProps) {
  const session = useSessionObject();
  const found = course.filter(({ title, level, objectives }) => {
    const text = `lab course ${title} ${level ?? ""} ${objectives.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const open = async (lab: CourseLab): Promise<void> => {
    try {
      openLab(session, { text: await lab.load(), title: lab.title, classKey: "", course: lab.file });
      onOpen();
    } catch (error) {
      session.actions.notify("error", `The lab could not be loaded: ${messageOf(error)}`);
    }
  };
  if (found.length === 0) return null;
  return (
    <Stack as="section" gap={2} className={styles.group} aria-label="Labs">
      <h3>
        Labs <span className="muted">a course with tasks and points, from the first week on</span>
      </h3>
      <ul className={styles.list}>
        {found.map((lab) => (
          <li key={lab.file}>
            <button type="button" className={styles.card} data-lab-card={lab.id} onClick={() => void open(lab)}>
              <span className="strong">
                {Number(lab.file.slice(0, 2))}. {lab.title}
              </span>
              <span>{lab.objectives[0] ?? ""}</span>
              <span className="muted">
                {[lab.level, lab.minutes === null ? null : `about ${lab.minutes} minutes`].filter((part) => part !== null).join(" · ")}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
