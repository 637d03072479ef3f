/** A place in a program as a link has it: what the page opens, what the site's pages lead to, and what the test runs are one and the same. */

import { readDirectives } from "../../../app/names/directives.ts";
import { EMPTY_LINK, type LinkData } from "../../../links/link-data.ts";
import type { Entry } from "./entry.ts";
import type { OpcodeProgram } from "./opcode-programs.ts";
import type { Shown } from "./shown-by.ts";

/** `textOf` has the programs by their names; null: the page has no program, or it is not there. */
export function linkOfEntry({ example }: Entry, textOf: (program: string) => string | null): LinkData | null {
  if (example === null) return null;
  if (example.kind === "opcode") return linkOfOpcode(example.name, example.program);
  const source = textOf(example.shown.program);
  return source === null ? null : linkOfShown(example.shown, source);
}

/** `text`: that of the program. */
export function linkOfShown(shown: Shown, text: string): LinkData {
  const { phase: own, before, options } = readDirectives(text);
  const phase = shown.phase ?? own;
  const { policy } = options;
  const future = shown.future === undefined ? null : shown.future;
  return {
    ...EMPTY_LINK,
    ...options,
    knobs: [...options.knobs],
    noPhases: [...options.noPhases],
    source: text,
    title: shown.program.slice(shown.program.lastIndexOf("/") + 1).replaceAll("-", " "),
    format: "ori",
    policy: shown.policy === "measured" || shown.policy === "notes" ? shown.policy : policy,
    phases: phase === null ? null : [...before, phase],
    phase,
    step: shown.step ?? -1,
    ...(future === null
      ? {}
      : {
          futures: [
            { name: null, parent: 0, pinned: true, interventions: [{ kind: "knob" as const, assignment: future, from: "r0", to: null }] },
          ],
          future: 1,
        }),
  };
}

/** The function before the first modelled phase of ptxas, with the instruction selected. */
function linkOfOpcode(name: string, { text, inst }: OpcodeProgram): LinkData {
  const selection = { kind: "inst" as const, id: inst };
  return { ...EMPTY_LINK, source: text, title: name, format: "ori", phase: FIRST_PHASE, step: -1, selection };
}

const FIRST_PHASE = "general-optimize-early";
