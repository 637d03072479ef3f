/** What the reference claims, and what became of it here: reads docs/claims.json and writes it as tables. */

import { readFileSync } from "node:fs";
import * as v from "valibot";

/** `unknown`: it would need something that the reference does not say; `left` says what. */
const STATES = ["done", "differently", "partly", "missing", "unknown"] as const;
export type ClaimState = (typeof STATES)[number];

const claim = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z-]+-\d+$/)),
  says: v.pipe(v.string(), v.minLength(3)),
  state: v.picklist(STATES),
  /** `rule:FAMILY/RULE`, `knob:KEY` or `file:PATH`. */
  code: v.array(v.pipe(v.string(), v.regex(/^(rule:[a-z0-9-]+\/\w+|knob:[a-z0-9-]+|file:src\/[\w./-]+)$/))),
  /** `steps`, `graph`, `strip`, `structure:NAME` or `inspector:ID`. */
  seen: v.array(v.pipe(v.string(), v.regex(/^(steps|graph|strip|structure:[a-z0-9-]+|inspector:[a-z]+)$/))),
  left: v.optional(v.string()),
});
const claims = v.strictObject({
  areas: v.array(v.strictObject({ id: v.string(), title: v.string(), claims: v.array(claim) })),
});

export type Claim = v.InferOutput<typeof claim>;
export type ClaimArea = v.InferOutput<typeof claims>["areas"][number];

export const readClaims = (): readonly ClaimArea[] => v.parse(claims, JSON.parse(readFileSync("docs/claims.json", "utf8"))).areas;

const COLUMNS = ["claim", "state", "in the code", "seen in", "what is left"] as const;

export function claimTables(
  areas: readonly ClaimArea[],
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string,
): string {
  const count = (of: readonly ClaimArea[], state: ClaimState) =>
    String(of.flatMap((area) => area.claims).filter((each) => each.state === state).length);
  const total = table(
    ["area", "claims", ...STATES],
    [...areas.map((area) => [area]), areas].map((of) => [
      of.length === 1 ? (of[0]?.title ?? "") : "all",
      String(of.flatMap((area) => area.claims).length),
      ...STATES.map((state) => count(of, state)),
    ]),
  );
  const rows = ({ claims }: ClaimArea) =>
    claims.map(({ says, state, code, seen, left }) => [
      says.replaceAll("<", "&lt;").replaceAll("*", "\\*"),
      state,
      code.map(placeText).join(", "),
      seen.map((place) => place.replace(/^(structure|inspector):/, "")).join(", "),
      left ?? "",
    ]);
  return [total, ...areas.map((area) => `### ${area.title}\n\n${table(COLUMNS, rows(area))}`)].join("\n");
}

function placeText(place: string): string {
  const [kind, name = ""] = place.split(/:(.*)/s);
  if (kind !== "file") return kind === "knob" ? `knob \`${name}\`` : `\`${name}\``;
  return `[${name.slice(name.lastIndexOf("/") + 1)}](../${name})`;
}
