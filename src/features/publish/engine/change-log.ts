/** The changes of a trace as Markdown: for each phase what it did, then each step that changed the program with its sentence and its lines. */

import { blockDiffs } from "./block-diff.ts";
import { applyChanges, type TraceDocument, type TracePhase } from "./trace-document.ts";

export function changeLog({ header, phases }: TraceDocument): string {
  const parts = [`# ${escapeText(header.title)}: what changed`, "", about(header), ""];
  for (const phase of phases) parts.push(...phaseSection(phase));
  return `${parts.join("\n").trimEnd()}\n`;
}

function about({ function: name, target, level, generator }: TraceDocument["header"]): string {
  const how = [target, level === undefined ? undefined : `-O${level}`].filter((word) => word !== undefined).join(", ");
  return `Function \`${name}\`${how === "" ? "" : `, ${how}`}; recorded by ${escapeText(generator)}.`;
}

function phaseSection(phase: TracePhase): string[] {
  const changing = phase.steps.filter((step) => step.program).length;
  const number = phase.number === null ? "" : ` (phase ${phase.number})`;
  const out = [`## ${escapeText(phase.name)}${number}`, ""];
  if (phase.summary !== "") out.push(`${escapeText(phase.summary)}.`.replace(/([.?!])\.$/, "$1"), "");
  const steps = `${phase.steps.length} ${phase.steps.length === 1 ? "step" : "steps"}`;
  out.push(changing === 0 ? `${steps}; none changed the program.` : `${steps}; ${changing} changed the program.`, "");
  let state = phase.input;
  phase.steps.forEach((step, i) => {
    const before = state;
    state = applyChanges(state, step.changes);
    if (!step.program) return;
    out.push(`### Step ${i + 1}: ${step.kind}`, "", escapeText(step.sentence), "");
    for (const { label, what, lines } of blockDiffs(before, state)) {
      const fence = lines.some(({ text }) => text.includes("```")) ? "````" : "```";
      out.push(`${fence}diff`, `@@ ${label}${what === "changed" ? "" : ` (${what})`} @@`);
      for (const { mark, text } of lines) out.push(`${mark} ${text}`);
      out.push(fence, "");
    }
  });
  if (phase.cut) out.push(`The trace was cut after step ${phase.steps.length}: later changes are not listed.`, "");
  return out;
}

/** Sentences are plain text: what Markdown would read as markup is escaped. */
function escapeText(text: string): string {
  return text.replace(/[\\`*[\]<>#|]|(?<!\w)_|_(?!\w)/g, "\\$&");
}
