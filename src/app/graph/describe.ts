/** A card in words, for the live region that follows the keyboard. */

import { plural } from "../ui/plural.ts";
import type { NodeFace } from "./face/faces.ts";
import type { DrawnNode } from "./model/drawing.ts";
import { flagBadges } from "./node/flags.ts";

const KIND_WORDS = { taken: "taken", else: "else", fall: "falls through", jump: "jumps", table: "table", default: "default" } as const;

export function describeNode(node: DrawnNode, face: NodeFace | null, labels: ReadonlyMap<number, string>): string {
  switch (node.kind) {
    case "table":
      return face?.table == null
        ? "Jump table that does not exist at this step."
        : `Jump table ${face.table.name}, ${plural(face.table.entries.length, "case")}.`;
    case "region":
      return `${node.title}: ${plural(node.blocks.length, "block")} in one card. Enter expands it.`;
    case "stub":
      return `Leads to ${labels.get(node.blocks[0] ?? -1) ?? "a block"}, outside the shown part. Enter goes there.`;
    case "block": {
      const block = face?.block ?? null;
      if (block === null) return `${node.title}, which does not exist at this step.`;
      const flags = flagBadges(block, face?.unreachable ?? false, true).map((b) => b.text);
      const to = block.succs.map((id, i) => `${labels.get(id) ?? id} (${KIND_WORDS[block.succKinds[i] ?? "jump"]})`);
      return [
        `${block.label}, ${block.rpo > 0 ? `number ${block.rpo}` : "no number"}, ${plural(block.insts.length, "instruction")}`,
        ...(flags.length > 0 ? [flags.join(", ")] : []),
        ...(face?.focus === true ? ["subject of the step"] : []),
        ...(face?.changed === true ? ["changed by the step"] : []),
        to.length > 0 ? `successors ${to.join(", ")}` : "no successors",
      ].join("; ");
    }
  }
}
