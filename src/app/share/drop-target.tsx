/** The whole window takes dropped files. */

import { useEffect, useState } from "react";
import { useSessionObject } from "../session/hooks.ts";
import { formatsOf } from "../session/language.ts";
import { cx } from "../ui/cx.ts";
import { Row } from "../ui/layout.tsx";
import styles from "./drop-target.module.css";
import { openFile } from "./files.ts";

export function DropTarget() {
  const session = useSessionObject();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      setOver(false);
      // A place that takes files itself.
      if (event.target instanceof Element && event.target.closest("[data-takes-drops]") !== null) return;
      event.preventDefault();
      event.stopPropagation();
      const [file, ...others] = event.dataTransfer?.files ?? [];
      if (file === undefined) return;
      void openFile(session, file);
      if (others.length > 0) session.actions.notify("info", `Only ${file.name} was opened: drop one file at a time.`);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragover", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop, true);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragover", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop, true);
    };
  }, [session]);
  return over ? (
    <Row justify="center" className={cx(styles.over, "large")}>
      Drop a program (
      {formatsOf(session)
        .map((id) => `.${id}`)
        .join(", ")}
      ), a saved case (.json) or a recorded trace (.jsonl, .html, ion.json)
    </Row>
  ) : null;
}
