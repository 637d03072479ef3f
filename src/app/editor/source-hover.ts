/** The hover of a place in PTX or SASS: the instruction, what it became and where, the name's definitions and uses. Markdown, from plain data. */

import type { KernelInfo, SourceNote } from "../../engine/api/types.ts";
import { FLAG_BITS } from "../names/record-fields.ts";
import type { MomentState } from "../session/moment.ts";
import { type PlacedInst, shownLine, sourceIndex } from "../session/source-lines.ts";
import { inlineCode, plainText } from "./markdown.ts";

const MAX_LISTED = 8;

export interface HoverContext {
  readonly note: SourceNote;
  /** The line pointed at. */
  readonly line: number;
  readonly lines: readonly string[];
  readonly moment: MomentState | null;
  readonly kernels: readonly KernelInfo[];
}

export function sourceHover(context: HoverContext): string {
  const { note } = context;
  const parts: string[] = [];
  if (note.name !== null) parts.push(namePart(context, note.name, note.registers));
  if (note.instruction !== null) {
    const { opcode, meaning } = note.instruction;
    parts.push(
      `**${plainText(opcode)}** · ${meaning ?? "an opcode without an entry in our table"}`,
      becamePart(context, note.instruction.line),
    );
  } else if (note.name?.kind === "label") {
    const block = blockOfLabel(context, note.name.definitions[0] ?? 0);
    if (block !== null) parts.push(block);
  }
  return parts.join("\n\n");
}

function namePart({ lines }: HoverContext, name: NonNullable<SourceNote["name"]>, registers: readonly string[]): string {
  const about = [plainText(name.about), registers.length > 0 ? `${registers.join(", ")} in Ori` : ""].filter((w) => w !== "");
  const head = [`**${plainText(name.name)}**`, ...about].join(" · ");
  if (name.kind === "special") return `${head}\n\nread: ${listed(name.uses, lines)}`;
  const [defined, used] =
    name.kind === "register" ? ["defined", "used"] : name.kind === "label" ? ["comes before", "targeted by"] : ["declared", "used"];
  return `${head}\n\n${defined}: ${listed(name.definitions, lines)}\n\n${used}: ${listed(name.uses, lines)}`;
}

function listed(found: readonly number[], lines: readonly string[]): string {
  if (found.length === 0) return "nowhere";
  const shown = found.slice(0, MAX_LISTED).map((l) => `line ${l}: ${inlineCode(shownLine(lines[l - 1] ?? ""))}`);
  const more = found.length > MAX_LISTED ? [`and ${found.length - MAX_LISTED} more`] : [];
  return ["", ...shown, ...more].join("\n- ");
}

/** The instructions of a line at this moment, by block. */
function becamePart({ moment, kernels, line: at }: HoverContext, line: number): string {
  if (moment === null) return "";
  const index = sourceIndex(moment);
  const insts = index.lines.get(line) ?? index.lines.get(at) ?? [];
  if (insts.length === 0) {
    const kernel = kernels.findLast((k) => k.line <= line);
    if (kernel !== undefined && kernel.name !== moment.name) return `Part of ${inlineCode(kernel.name)}, which is not the one shown.`;
    return "Nothing of it is left at this step: it was removed or merged into other instructions.";
  }
  const byBlock = new Map<number, PlacedInst[]>();
  for (const placed of insts) byBlock.set(placed.block.id, [...(byBlock.get(placed.block.id) ?? []), placed]);
  const parts = [...byBlock.values()].map((group) => {
    const shown = group.slice(0, MAX_LISTED).map(({ inst }) => inlineCode(inst.text));
    const more = group.length > MAX_LISTED ? [`and ${group.length - MAX_LISTED} more`] : [];
    return [`in Ori, ${blockWords(group[0]?.block)}:`, ...shown, ...more].join("\n- ");
  });
  return parts.join("\n\n");
}

function blockOfLabel({ moment }: HoverContext, line: number): string | null {
  if (moment === null) return null;
  const index = sourceIndex(moment);
  const block = index.blocks.get(line) ?? index.lines.get(line)?.[0]?.block;
  if (block === undefined) return null;
  const names = (ids: readonly number[]): string =>
    ids.map((id) => plainText(moment.blocks.get(id)?.label ?? `#${id}`)).join(", ") || "none";
  return `in Ori, ${blockWords(block)}\n\npredecessors: ${names(block.preds)}\n\nsuccessors: ${names(block.succs)}`;
}

function blockWords(block: PlacedInst["block"] | undefined): string {
  if (block === undefined) return "";
  const flags = FLAG_BITS.filter((b) => (block.flags & b.mask) !== 0).map((b) => b.name);
  return `block **${plainText(block.label)}** (${block.rpo > 0 ? `rpo ${block.rpo}` : "no rpo number yet"}; flags ${flags.join(", ") || "none"})`;
}
