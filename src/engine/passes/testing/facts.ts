/** Reads the output of ptxas for kernels: `facts/FAMILY.json.gz` contains the kernels and `expected.json` by name (`scripts/facts.mjs` packs them). */

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

export interface Facts<Fact> {
  readonly facts: readonly Fact[];
  /** The text of a kernel. */
  readonly kernel: (file: string) => string;
}

export function readFacts<Fact>(family: string): Facts<Fact> {
  const packed = readFileSync(new URL(`../../../../facts/${family}.json.gz`, import.meta.url));
  const files = JSON.parse(gunzipSync(packed).toString("utf8")) as Readonly<Record<string, string>>;
  const text = (name: string): string => {
    const found = files[name];
    if (found === undefined) throw new Error(`facts/${family}.json.gz has no ${name}`);
    return found;
  };
  return { facts: JSON.parse(text("expected.json")) as readonly Fact[], kernel: text };
}
