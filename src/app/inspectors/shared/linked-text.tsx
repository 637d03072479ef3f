/** A sentence in which the names of blocks and registers can be pressed to select them. */

import { useMemo } from "react";
import { useActions, useSession } from "../../session/hooks.ts";
import type { MomentState } from "../../session/moment.ts";
import { selectMoment } from "../../session/selectors.ts";
import styles from "./linked-text.module.css";

const REGISTER = /^(?:R|RD|P|UR|UP|B)\d+$/;
const labelCache = new WeakMap<MomentState["blocks"], ReadonlyMap<string, number>>();

function labelsOf(blocks: MomentState["blocks"]): ReadonlyMap<string, number> {
  const known = labelCache.get(blocks);
  if (known !== undefined) return known;
  const labels = new Map([...blocks.values()].map((b) => [b.label, b.id]));
  labelCache.set(blocks, labels);
  return labels;
}

export function LinkedText({ text }: { readonly text: string }) {
  const blocks = useSession((s) => selectMoment(s)?.blocks ?? null);
  const { selection } = useActions();
  const parts = useMemo(() => {
    const labels = blocks === null ? new Map<string, number>() : labelsOf(blocks);
    return text.split(/([A-Za-z_$.][A-Za-z0-9_$.]*)/).map((part, i) => {
      const word = i % 2 === 1 ? part.replace(/\.$/, "") : "";
      const id = labels.get(word);
      const subject =
        id !== undefined ? ({ kind: "block", id } as const) : REGISTER.test(word) ? ({ kind: "reg", name: word } as const) : null;
      return { key: `${i}`, part, word, subject };
    });
  }, [text, blocks]);
  return parts.map(({ key, part, word, subject }) =>
    subject === null ? (
      part
    ) : (
      <span key={key}>
        <button
          type="button"
          tabIndex={-1}
          className={styles.link}
          onClick={(event) => {
            event.stopPropagation();
            selection.select(subject);
          }}
          onPointerEnter={() => selection.hover(subject)}
          onPointerLeave={() => selection.hover(null)}
        >
          {word}
        </button>
        {part.slice(word.length)}
      </span>
    ),
  );
}
