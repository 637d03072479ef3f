/** What is printed: the place, the step's sentence, the graph and the program at this step. Made when the browser asks for it. */

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { momentLines } from "../editor/moment-lines.ts";
import { graphOf } from "../graph/controller.ts";
import { numberedName } from "../names/phase-status.ts";
import { whyNotShown } from "../session/command.ts";
import { useSessionObject } from "../session/hooks.ts";
import { selectPhase, selectSentence } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import styles from "./print-sheet.module.css";

interface Sheet {
  readonly title: string;
  readonly where: string;
  readonly sentence: string;
  /** A block's lines in each. */
  readonly parts: readonly string[];
  /** An SVG document; null where no graph is shown. */
  readonly picture: string | null;
}

export function PrintSheet() {
  const session = useSessionObject();
  const [sheet, setSheet] = useState<Sheet | null>(null);
  useEffect(() => {
    const { dataset } = document.documentElement;
    let theme = dataset.theme;
    const before = () => {
      theme = dataset.theme;
      // Paper is light, and the picture takes its colours from the page.
      dataset.theme = "light";
      flushSync(() => setSheet(sheetOf(session)));
    };
    const after = () => {
      if (theme !== undefined) dataset.theme = theme;
      setSheet(null);
    };
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
      window.removeEventListener("beforeprint", before);
      window.removeEventListener("afterprint", after);
    };
  }, [session]);
  // Beside the page's root, which is not printed.
  return sheet === null ? null : createPortal(<Paper sheet={sheet} />, document.body);
}

function Paper({ sheet }: { readonly sheet: Sheet }) {
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (sheet.picture === null || frame.current === null) return;
    const { documentElement } = new DOMParser().parseFromString(sheet.picture, "image/svg+xml");
    frame.current.replaceChildren(document.importNode(documentElement, true));
  }, [sheet]);
  return (
    <article className={styles.sheet} data-testid="print-sheet">
      <h1>{sheet.title}</h1>
      <p className={styles.where}>{sheet.where}</p>
      <p className={styles.sentence}>{sheet.sentence}</p>
      {sheet.picture === null ? null : <figure ref={frame} className={styles.picture} />}
      <div className={styles.text}>
        {sheet.parts.map((part) => (
          <pre key={part}>{part}</pre>
        ))}
      </div>
    </article>
  );
}

function sheetOf(session: Session): Sheet {
  const state = session.store.getState();
  const why = whyNotShown(state);
  if (why !== null) return { title: state.document.title, where: "", sentence: why, parts: [], picture: null };
  const phase = selectPhase(state);
  const { moment, trace, step } = state.position;
  const place = trace === null || trace.steps === 0 ? "" : `, ${step < 0 ? "input" : `step ${step + 1}`} of ${trace.steps}`;
  const parts: string[] = [];
  for (const line of moment === null ? [] : momentLines(moment)) {
    if (line.kind === "inst") parts.push(`${parts.pop() ?? ""}\n    ${line.inst.text}`);
    else parts.push(line.kind === "block" ? `${line.block.label}:` : line.text);
  }
  return {
    title: state.document.title,
    where: phase === null ? "" : `${numberedName(phase)} (${phase.name})${place}, ${state.run.result?.target ?? ""}`,
    sentence: selectSentence(state),
    parts,
    picture: graphOf(session)?.picture() ?? null,
  };
}
