/** The fixtures of the phases as examples: for each rewrite a program where it fires, and for each refusal one where it does not. */

import type { PipelineOptions } from "../../engine/api/types.ts";
import type { Example } from "./example.ts";

const FILES = import.meta.glob<string>("../../engine/passes/*/fixtures/*.ori", { query: "?raw", import: "default", eager: true });

/** An example that brings its own options: it runs its phase alone, with the knobs it was written for. */
export interface PhaseExample extends Omit<Example, "group"> {
  readonly group: string;
  readonly fires: boolean;
  readonly options: Partial<PipelineOptions>;
}

/** What a program says about itself in its leading comments: `// phase: gvn-cse`, `// knob: 402=1`, and sentences. */
interface Directives {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly about: string;
}

const KEYS = new Set(["phase", "before", "knob", "target", "level", "policy", "expect", "inputs", "threads", "no-phase"]);

function readDirectives(text: string): Directives {
  const values = new Map<string, string[]>();
  const about: string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("//")) break;
    const content = line.slice(2).trim();
    const [, key = "", value = ""] = /^([a-z-]+):\s*(.*)$/.exec(content) ?? [];
    if (KEYS.has(key)) values.set(key, [...(values.get(key) ?? []), value.trim()]);
    else about.push(content);
  }
  return { values, about: about.join(" ") };
}

function makeExample(path: string, text: string): PhaseExample {
  const [, family = "", name = ""] = /passes\/([^/]+)\/fixtures\/([^/]+)\.ori$/.exec(path) ?? [];
  const { values, about } = readDirectives(text);
  const one = (key: string): string | null => values.get(key)?.[0] ?? null;
  const phase = one("phase");
  const fires = one("expect") !== "does not fire";
  const before = (one("before") ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean);
  const title = name.replaceAll("-", " ");
  return {
    id: `fixture:${family}/${name}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    group: phase ?? family,
    about: about === "" ? `A program for ${phase ?? family}.` : about,
    look: fires ? "It fires." : "It does not fire: see why.",
    phase,
    format: "ori",
    load: () => Promise.resolve(text),
    fires,
    options: {
      phases: phase === null ? null : [...before, phase],
      knobs: values.get("knob") ?? [],
      noPhases: values.get("no-phase") ?? [],
      target: one("target"),
      level: Number(one("level") ?? 3),
      policy: one("policy") === "measured" ? "measured" : "notes",
    },
  };
}

/** By phase, then those that fire first. */
export const PHASE_EXAMPLES: readonly PhaseExample[] = Object.entries(FILES)
  .map(([path, text]) => makeExample(path, text))
  .sort((a, b) => a.group.localeCompare(b.group) || Number(b.fires) - Number(a.fires) || a.title.localeCompare(b.title));
