/** The table of claims: rows have places that exist, and none is lost. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CORE } from "../src/app/core.ts";
import { placeNamed } from "../src/app/session/places.ts";
import { KNOBS } from "../src/engine/config/knobs.ts";
import { PASSES } from "../src/engine/passes/registry.ts";
import { readClaims } from "./lib/claims.ts";

const areas = readClaims();
const claims = areas.flatMap((area) => area.claims);
const sources = (folder: string, pattern: RegExp): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => pattern.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");

const rules = new Set(PASSES.flatMap(({ family, rules: table }) => Object.keys(table ?? {}).map((rule) => `rule:${family}/${rule}`)));
const knobs = new Set<string>(KNOBS.map(({ key }) => `knob:${key}`));
const engine = sources("src/engine", /\.ts$/);

const inCode = (place: string): boolean =>
  place.startsWith("file:") ? existsSync(place.slice("file:".length)) : rules.has(place) || knobs.has(place);

function inPage(place: string): boolean {
  const [kind, name = ""] = place.split(":");
  if (kind === "structure") return engine.includes(`"${name}"`);
  return kind === "inspector" ? placeNamed(CORE, name) !== null : true;
}

describe("the table of claims", () => {
  it("has every claim once", () => {
    expect(Object.fromEntries(areas.map(({ id, claims: rows }) => [id, rows.length]))).toEqual({
      instances: 3,
    });
    expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
  });

  it("names places that exist", () => {
    expect(claims.flatMap(({ id, code }) => code.filter((place) => !inCode(place)).map((place) => `${id}: ${place}`))).toEqual([]);
    expect(claims.flatMap(({ id, seen }) => seen.filter((place) => !inPage(place)).map((place) => `${id}: ${place}`))).toEqual([]);
  });

  it("has a place in the code for what is there, a rule or the pipeline where steps tell it, and words for what is not", () => {
    const without = claims.filter(({ state, code }) => ["done", "differently"].includes(state) && code.length === 0);
    const untold = claims.filter(
      ({ code, seen }) => seen.includes("steps") && !code.some((c) => /^(rule:|file:src\/engine\/(pipeline|config)\/)/.test(c)),
    );
    const unsaid = claims.filter(({ state, left }) => ["partly", "missing", "unknown"].includes(state) === (left === undefined));
    expect({ without, untold, unsaid }).toEqual({ without: [], untold: [], unsaid: [] });
  });
});
