/** What a program of a phase's folder says about itself in its leading comments: `// phase: gvn-cse`, `// knob: 402=1`, and sentences. */

import type { PipelineOptions } from "../../engine/api/types.ts";

export interface Directives {
  readonly phase: string | null;
  /** Phases that run before it, in order. */
  readonly before: readonly string[];
  readonly fires: boolean;
  /** Its sentences. */
  readonly about: string;
  /** What it is run with, but for the list of phases. */
  readonly options: Pick<PipelineOptions, "target" | "level" | "policy" | "knobs" | "noPhases">;
}

const KEYS = new Set(["phase", "before", "knob", "target", "level", "policy", "expect", "inputs", "threads", "no-phase", "drops"]);

export function readDirectives(text: string): Directives {
  const values = new Map<string, string[]>();
  const about: string[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith("//")) break;
    const content = line.slice(2).trim();
    const [, key = "", value = ""] = /^([a-z-]+):(.*)$/.exec(content) ?? [];
    if (KEYS.has(key)) values.set(key, [...(values.get(key) ?? []), value.trim()]);
    else about.push(content);
  }
  const one = (key: string): string | null => values.get(key)?.[0] ?? null;
  return {
    phase: one("phase"),
    before: (one("before") ?? "").split(/[\s,]+/).filter(Boolean),
    fires: one("expect") !== "does not fire",
    about: about.join(" "),
    options: {
      target: one("target"),
      level: Number(one("level") ?? 3),
      policy: one("policy") === "measured" ? "measured" : "notes",
      knobs: values.get("knob") ?? [],
      noPhases: values.get("no-phase") ?? [],
    },
  };
}
