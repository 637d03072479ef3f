/** A lab's text with its right options and dropped conditions veiled: everything else is unchanged, to the character. */

import type { Lab, Place } from "./lab.ts";
import { veilDrop, veilRight } from "./veil.ts";

export interface VeiledText {
  readonly text: string;
  /** What was veiled: `t1: drop`. */
  readonly veiled: readonly string[];
  /** What a reader can still find out. */
  readonly told: readonly string[];
}

interface Change {
  readonly place: Place;
  readonly text: string;
}

/** `salt` gives hexadecimal digits, others each time. */
export function veilText(text: string, lab: Lab, salt: () => string): VeiledText {
  const changes: Change[] = [];
  const veiled: string[] = [];
  const told: string[] = [];
  for (const { id, spec, place } of lab.tasks) {
    const { drop, against, options } = spec as {
      readonly drop?: unknown;
      readonly against?: readonly unknown[];
      readonly options?: readonly { readonly text: string; readonly right: boolean; readonly because?: string }[];
    };
    if (typeof drop === "string") {
      changes.push({ place: place(["drop"]), text: `"${veilDrop(drop, salt())}"` });
      veiled.push(`${id}: drop`);
    }
    for (const [i, each] of (against ?? []).entries()) {
      if (typeof each !== "string") continue;
      changes.push({ place: place(["against", i]), text: `"${veilDrop(each, salt())}"` });
      veiled.push(`${id}: against`);
    }
    if (options === undefined) continue;
    for (const [i, { text: said, right }] of options.entries()) changes.push(rightOf(place, i, said, right, salt()));
    veiled.push(`${id}: options`);
    if (options.some((option) => option.because !== undefined))
      told.push(`${id}: because: stands with wrong options only, and so tells them`);
  }
  return { text: put(text, changes), veiled: [...new Set(veiled)], told };
}

/** Replaces the existing text, or comes after the option's text. */
function rightOf(place: Lab["tasks"][number]["place"], index: number, said: string, right: boolean, salt: string): Change {
  const written = place(["options", index, "right"]);
  const whole = place(["options", index]);
  const value = `"${veilRight(said, right, salt)}"`;
  // Without its own `right`, the position is that of the option.
  if (written.line !== whole.line || written.column !== whole.column || written.length !== whole.length)
    return { place: written, text: value };
  const text = place(["options", index, "text"]);
  return { place: { line: text.line, column: text.column, length: -text.length }, text: value };
}

/** From the end on, so that earlier places stay where they are. A length below 0: after so many characters. */
function put(source: string, changes: readonly Change[]): string {
  const starts = lineStarts(source);
  const at = ({ line, column }: Place): number => (starts[line - 1] ?? 0) + column - 1;
  let text = source;
  for (const { place, text: value } of [...changes].sort((a, b) => at(b.place) - at(a.place))) {
    const from = at(place);
    text =
      place.length >= 0
        ? text.slice(0, from) + value + text.slice(from + place.length)
        : inserted(text, from - place.length, lineIndent(text, from), value);
  }
  return text;
}

/** After a text within braces a field follows a comma; in a list of lines it is its own line. */
function inserted(text: string, at: number, indent: number, value: string): string {
  const end = text.slice(0, at).trimEnd().length;
  const lineStart = text.lastIndexOf("\n", end - 1) + 1;
  const flow = /^\s*- \{/.test(text.slice(lineStart)) || /^\s*options:\s*\[/.test(text.slice(lineStart));
  return `${text.slice(0, end)}${flow ? `, right: ${value}` : `\n${" ".repeat(indent)}right: ${value}`}${text.slice(end)}`;
}

/** Where the fields of the option on this line begin: after its dash. */
function lineIndent(text: string, at: number): number {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  return (/^[\s-]*/.exec(text.slice(lineStart))?.[0] ?? "").length;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
