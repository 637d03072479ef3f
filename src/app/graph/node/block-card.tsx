/** A block's card in full: label and number, flags, instructions, overlay chips. */

import type { BlockView } from "../../../engine/api/types.ts";
import { cx } from "../../ui/cx.ts";
import type { NodeFace } from "../face/faces.ts";
import type { DrawnNode } from "../model/drawing.ts";
import type { NodeOverlay } from "../overlay/overlay.ts";
import styles from "./card.module.css";
import { flagBadges } from "./flags.ts";
import { InstLine } from "./inst-line.tsx";
import { instWindow } from "./inst-window.ts";

/** What happened to the block, in one word: never by colour alone. */
const DIFF_WORDS = { added: "+ added", removed: "− removed", changed: "≠ changed" } as const;

export interface BlockCardProps {
  readonly node: DrawnNode;
  readonly face: NodeFace;
  readonly ghost: string;
}

export function BlockCard({ node, face, ghost }: BlockCardProps) {
  const { block } = face;
  return (
    <>
      {face.overlay === null ? null : <Chips overlay={face.overlay} place="top" />}
      <div className={styles.head}>
        <span className={cx(styles.label, "ellipsis")}>{block?.label ?? node.title}</span>
        {face.changed ? (
          <span className={styles.changedMark} title="Changed by this step">
            ✎
          </span>
        ) : null}
        <div className={styles.flags}>
          {face.diff === "same" ? null : <span className={styles.diff}>{DIFF_WORDS[face.diff]}</span>}
          {block === null ? (
            <span className={styles.word} title={ghost}>
              {ghost}
            </span>
          ) : (
            flagBadges(block, face.unreachable && face.diff !== "removed", face.numbers).map((badge) => (
              <span key={badge.id} className={cx(styles.badge, badge.alarm ? "soft-error" : "soft-plain")} title={badge.title}>
                <span aria-hidden="true">{badge.mark}</span>
                {/* Beside the word of a comparison there is room for their marks. */}
                <span className={face.diff === "same" ? undefined : "visually-hidden"}>{badge.text}</span>
              </span>
            ))
          )}
          {block === null || !face.numbers ? null : (
            <span className={styles.word} title={block.rpo > 0 ? "Reverse postorder number" : "No reverse postorder number yet"}>
              {block.rpo > 0 ? `rpo ${block.rpo}` : "rpo –"}
            </span>
          )}
        </div>
      </div>
      {block === null ? null : <Instructions block={block} face={face} />}
      {face.overlay === null ? null : <Chips overlay={face.overlay} place="bottom" />}
    </>
  );
}

function Instructions({ block, face }: { readonly block: BlockView; readonly face: NodeFace }) {
  const { insts } = block;
  const { from, to } = instWindow(block, face);
  return (
    <div className={styles.insts}>
      {from > 0 ? <div className={styles.more}>… {from} above</div> : null}
      {insts.slice(from, to).map((inst) => (
        <InstLine
          key={inst.id}
          inst={inst}
          mark={face.marks.get(inst.id) ?? null}
          selected={face.selectedInst === inst.id}
          hovered={face.hoveredInst === inst.id || (face.hoveredLine > 0 && face.hoveredLine === inst.line)}
          reg={face.reg}
          hoveredReg={face.hoveredReg}
          value={face.values?.get(inst.id) ?? null}
        />
      ))}
      {to < insts.length ? <div className={styles.more}>… {insts.length - to} more</div> : null}
    </div>
  );
}

function Chips({ overlay, place }: { readonly overlay: NodeOverlay; readonly place: "top" | "bottom" }) {
  const chips = overlay.chips.filter((c) => c.place === place);
  if (chips.length === 0) return null;
  return (
    <div className={cx(styles.chips, place === "bottom" && styles.chipsBottom)}>
      {chips.map((chip) => (
        <span key={chip.text} className={styles.chip} title={chip.title}>
          {chip.text}
        </span>
      ))}
    </div>
  );
}
