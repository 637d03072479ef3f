/** Which instructions of a long block its card shows. */

import type { BlockView } from "../../../engine/api/types.ts";
import type { NodeFace } from "../face/faces.ts";
import { CARD } from "../model/metrics.ts";

/** The instructions shown of a block with more than fit: the first ones, or those around what is marked. */
export function instWindow(
  block: BlockView,
  face: Pick<NodeFace, "marks" | "selectedInst">,
): { readonly from: number; readonly to: number } {
  const { insts } = block;
  if (insts.length <= CARD.maxLines) return { from: 0, to: insts.length };
  const room = CARD.maxLines - 2;
  const marked = insts.findIndex((i) => face.marks.has(i.id));
  const at = marked >= 0 ? marked : insts.findIndex((i) => i.id === face.selectedInst);
  if (at < room) return { from: 0, to: room + 1 };
  const from = Math.min(insts.length - room, at - (room >> 1));
  return { from, to: from + room };
}
