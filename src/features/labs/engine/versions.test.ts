/**
 * Every text that a lab of the course has had, by its version. A hand-in names the version and the digest of its text: of another version it is refused, so each change of a text is one of
 * its version, too. When you change a lab, raise its version and add a line to labs/versions.json; earlier lines stay.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { labDigest } from "./digest.ts";
import { readLab } from "./read/read-lab.ts";

const folder = join(import.meta.dirname, "../../../../labs");
type Versions = Readonly<Record<string, Readonly<Record<string, string>>>>;
const known = JSON.parse(readFileSync(join(folder, "versions.json"), "utf8")) as Versions;

/** What is wrong with a text; null: it is the one of its version. */
function problemOf(text: string, versions: Versions): string | null {
  const front = readLab(text).lab?.front;
  if (front === undefined) return "it cannot be read";
  const { id, version } = front;
  const digests = versions[id] ?? {};
  const digest = labDigest(text);
  if (digests[version] === digest) return null;
  const latest = Math.max(0, ...Object.keys(digests).map(Number));
  return digests[version] === undefined && version === latest + 1
    ? `add to labs/versions.json, under ${id}: "${version}": "${digest}"`
    : `the text of ${id} was changed: raise its version to ${latest + 1}`;
}

describe("the labs of the course", () => {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(folder, name), "utf8"));

  it("are the texts of their versions", () => {
    expect(texts.map((text) => problemOf(text, known)).filter((problem) => problem !== null)).toEqual([]);
    expect(Object.keys(known)).toHaveLength(texts.length);
    // No two versions of a lab have the same text.
    for (const digests of Object.values(known)) expect(new Set(Object.values(digests)).size).toBe(Object.keys(digests).length);
  });

  it("are caught where a text changes and its version does not", () => {
    const [text = ""] = texts;
    const { id, version } = readLab(text).lab?.front ?? { id: "", version: 0 };
    expect(problemOf(text.replace(/block/, "blcok"), known)).toBe(`the text of ${id} was changed: raise its version to ${version + 1}`);
    const raised = text.replace(/^version: \d+$/m, `version: ${version + 1}`);
    expect(problemOf(raised, known)).toContain(`"${version + 1}": "${labDigest(raised)}"`);
    // A version may not be passed over, and not be taken back.
    expect(problemOf(text.replace(/^version: \d+$/m, `version: ${version + 2}`), known)).toContain(`raise its version to ${version + 1}`);
  });
});
