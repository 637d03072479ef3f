/** What a step did to the text of blocks: removed and added lines, a table a block. */

import { diffLines } from "../engine/block-diff.ts";
import type { PlayerData, PlayerPhase } from "../engine/html/data.ts";
import { el } from "./dom.ts";
import type { States } from "./states.ts";

export function changesOf(data: PlayerData, states: States): HTMLElement[] {
  return states.replaced().flatMap(([card, before]) => {
    const now = states.now[card] ?? -1;
    const lines = diffLines(linesOf(data, states.phase, before), linesOf(data, states.phase, now));
    if (lines.every((line) => line.mark === " ")) return [];
    const what = before < 0 ? " (new)" : now < 0 ? " (removed)" : "";
    const rows = lines.map(({ mark, text }) =>
      el("span", { class: mark === "+" ? "added" : mark === "-" ? "removed" : "same" }, `${mark} ${text}\n`),
    );
    return [el("h3", {}, `${states.phase.cards[card]?.label ?? "?"}${what}`), el("pre", { tabindex: 0 }, ...rows)];
  });
}

function linesOf(data: PlayerData, phase: PlayerPhase, version: number): string[] {
  const found = phase.versions[version];
  if (found === undefined) return [];
  const succs = found.succs.map(([card, kind]) => `${phase.cards[card]?.label ?? "?"}${kind === "jump" ? "" : ` (${kind})`}`);
  return [...found.insts.map((inst) => data.insts[inst]?.[1] ?? ""), `→ ${succs.length === 0 ? "nothing" : succs.join(", ")}`];
}
