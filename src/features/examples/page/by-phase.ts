/** The fixtures of the phases as examples: for each rewrite a program where it fires, and for each refusal one where it does not. */

import { readDirectives } from "../../../app/names/directives.ts";
import type { ExampleProgram } from "../../../app/session/example.ts";
import type { PipelineOptions } from "../../../engine/api/types.ts";

const FILES = import.meta.glob<string>("../../../engine/passes/*/fixtures/*.ori", { query: "?raw", import: "default", eager: true });

/** An example that brings its own options: it runs its phase alone, with the knobs it was written for. */
export interface PhaseExample extends ExampleProgram {
  readonly fires: boolean;
  readonly options: Partial<PipelineOptions>;
}

function makeExample(path: string, text: string): PhaseExample {
  const [, family = "", name = ""] = /passes\/([^/]+)\/fixtures\/([^/]+)\.ori$/.exec(path) ?? [];
  const { phase, before, fires, about, options } = readDirectives(text);
  const title = name.replaceAll("-", " ");
  return {
    id: `fixture:${family}/${name}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    group: phase ?? family,
    about: about === "" ? `A program for ${phase ?? family}.` : about,
    look: fires ? "The phase changes it; Why says what it checked." : "The phase leaves it as it is; Why says what failed.",
    phase,
    format: "ori",
    load: () => Promise.resolve(text),
    fires,
    options: { ...options, phases: phase === null ? null : [...before, phase] },
  };
}

/** By phase, then those that fire first. */
export const PHASE_EXAMPLES: readonly PhaseExample[] = Object.entries(FILES)
  .map(([path, text]) => makeExample(path, text))
  .sort((a, b) => a.group.localeCompare(b.group) || Number(b.fires) - Number(a.fires) || a.title.localeCompare(b.title));
