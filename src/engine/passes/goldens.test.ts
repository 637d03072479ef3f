/**
 * Every fixture of every pass against its golden file, and every pass's pseudocode against the lines its events name. `BLESS=1` rewrites the files in
 * the form they have; `BLESS=short` gives those of a family decisions in short form, and the most detailed one the full log.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Reason } from "../remark/rules.ts";
import { printFunc } from "../text/printer.ts";
import { verifyChange } from "../verify/verify.ts";
import { PASSES } from "./registry.ts";
import { describeFixture, formOf, type GoldenForm } from "./testing/golden.ts";
import { reasonOf } from "./testing/reason-of.ts";
import { type FixtureRun, runFixture } from "./testing/run-fixture.ts";
import { UNREACHED } from "./testing/unreached.ts";

const root = dirname(fileURLToPath(import.meta.url));
const bless = process.env.BLESS === "1" || process.env.BLESS === "short";

interface Fixture {
  readonly family: string;
  readonly name: string;
  readonly file: string;
}

const fixtures: readonly Fixture[] = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, entry.name, "fixtures")))
  .flatMap(({ name: family }) =>
    readdirSync(join(root, family, "fixtures"))
      .filter((file) => file.endsWith(".ori"))
      .sort()
      .map((file) => ({ family, name: file.slice(0, -".ori".length), file: join(root, family, "fixtures", file) })),
  );

const done = new Map<string, FixtureRun | string>();

function resultOf(fixture: Fixture): FixtureRun | string {
  let result = done.get(fixture.file);
  if (result === undefined) {
    result = runFixture(readFileSync(fixture.file, "utf8"));
    done.set(fixture.file, result);
  }
  return result;
}

function ran(fixture: Fixture): FixtureRun {
  const result = resultOf(fixture);
  if (typeof result === "string") throw new Error(`${fixture.family}/fixtures/${fixture.name}.ori: ${result}`);
  return result;
}

const goldenOf = (fixture: Fixture): string => join(dirname(fixture.file), `${fixture.name}.expect.md`);
const goldenText = (fixture: Fixture): string | null => (existsSync(goldenOf(fixture)) ? readFileSync(goldenOf(fixture), "utf8") : null);
const formNow = (fixture: Fixture): GoldenForm | null => {
  const text = goldenText(fixture);
  return text === null ? null : formOf(text);
};
const familyOf = ({ family }: Fixture): readonly Fixture[] => fixtures.filter((fixture) => fixture.family === family);

/** The form that a fixture's golden has or, where that is new, should have. */
function wantedForm(fixture: Fixture): GoldenForm {
  if (process.env.BLESS === "short") return fullestOf(fixture.family) === fixture ? "events" : "decisions";
  return formNow(fixture) ?? (familyOf(fixture).some((other) => formNow(other) === "events") ? "decisions" : "events");
}

const fullest = new Map<string, Fixture>();

/** The fixture of a family whose events name the most lines. */
function fullestOf(family: string): Fixture | undefined {
  let found = fullest.get(family);
  if (found === undefined) {
    const lines = (fixture: Fixture): number => ran(fixture).lines.size;
    found = fixtures.filter((fixture) => fixture.family === family).reduce((a, b) => (lines(b) > lines(a) ? b : a));
    fullest.set(family, found);
  }
  return found;
}

describe("fixtures", () => {
  it("have one full log of events a family, where the others are in short form", () => {
    const families = [...new Set(fixtures.map(({ family }) => family))];
    const logs = families.map((family) => ({ family, forms: fixtures.filter((fixture) => fixture.family === family).map(formNow) }));
    const wrong = logs.filter(({ forms }) => forms.includes("decisions") && forms.filter((form) => form === "events").length !== 1);
    expect(bless ? [] : wrong).toEqual([]);
  });

  it("belong to registered families", () => {
    const families = new Set(PASSES.map((pass) => pass.family));
    expect(fixtures.filter(({ family }) => !families.has(family))).toEqual([]);
  });
});

describe.each(fixtures)("$family/$name", (fixture) => {
  it("fails nowhere", () => {
    const f = ran(fixture);
    expect(f.run.error).toBe(null);
    expect(verifyChange(f.input, f.run.after, f.module).filter((d) => d.severity === "error")).toEqual([]);
  });

  it("fires or not as its directive says", () => {
    const f = ran(fixture);
    if (f.directives.fires !== null) expect({ fires: f.fired, because: f.run.summary }).toMatchObject({ fires: f.directives.fires });
    // A phase that changed nothing always reports why.
    if (!f.run.changed) expect(f.run.reason).toMatch(/\S/);
  });

  it("keeps its meaning", () => {
    const { ok, rows } = ran(fixture).evaluation;
    expect({ ok, rows: ok ? [] : rows }).toEqual({ ok: true, rows: [] });
  });

  it("gives the same result traced and untraced, and from its journal", () => {
    const f = ran(fixture);
    expect(printFunc(f.traced.fn)).toBe(printFunc(f.run.after));
    expect(f.traced.outcome).toEqual(f.run.outcome);
    expect(f.trace.cut).toBe(false);
    expect(printFunc(f.trace.funcAt(f.trace.steps - 1))).toBe(printFunc(f.run.after));
    expect(printFunc(f.trace.funcAt(-1))).toBe(printFunc(f.input));
  });

  it("names existing pseudocode lines only", () => {
    const f = ran(fixture);
    expect([...f.lines].filter((line) => line < 1 || line > f.pass.pseudocode.length)).toEqual([]);
  });

  it("is as its golden file says", () => {
    const actual = describeFixture(fixture.name, ran(fixture), wantedForm(fixture));
    if (bless) writeFileSync(goldenOf(fixture), actual);
    expect(goldenText(fixture) ?? "no golden file: run with BLESS=1").toBe(actual);
  });
});

describe.each(PASSES.map((pass) => ({ id: pass.ids[0] ?? pass.family, pass })))("pseudocode of $id", ({ pass }) => {
  it("has each line reached by some fixture", () => {
    let missed = pass.pseudocode.map((text, i) => ({ line: i + 1, text })).filter(({ text }) => /\w/.test(text));
    for (const fixture of ownFirst(pass.family)) {
      if (missed.length === 0) break;
      const result = resultOf(fixture);
      if (typeof result !== "string" && result.pass === pass) missed = missed.filter(({ line }) => !result.lines.has(line));
    }
    expect(missed).toEqual([]);
  });

  it("has each reason given by some fixture, or dropped by a witness, or in the list of those that nothing is known to reach", () => {
    const dropped = new Set(dropsOf(pass.family));
    const unreached = Object.values(pass.rules ?? {}).flatMap((rule) =>
      rule.reasons
        .filter((reason) => !dropped.has(reason.name))
        .filter((reason) => !ownFirst(pass.family).some((fixture) => givenIn(fixture).has(keyOf(reason))))
        .map((reason) => `${rule.name}: ${reason.name}`),
    );
    expect({ family: pass.family, unreached: unreached.sort() }).toEqual({ family: pass.family, unreached: UNREACHED[pass.family] ?? [] });
    // Alone, one whose own fixtures do not give all runs every fixture.
  }, 300_000);
});

/** Families share bodies, and with them reasons: one fixture of any of them is enough. */
const keyOf = ({ name, clause, template }: Reason): string => `${name}: ${(clause ?? template).text}`;

/** The family's own fixtures first: `npm run bless -- -t FAMILY` then runs no others where these are enough. */
const ownFirst = (family: string): readonly Fixture[] => [
  ...fixtures.filter((f) => f.family === family),
  ...fixtures.filter((f) => f.family !== family),
];

const known = new Map<Fixture, ReadonlySet<string>>();

/** The reasons that a fixture gives. */
function givenIn(fixture: Fixture): ReadonlySet<string> {
  const before = known.get(fixture);
  if (before !== undefined) return before;
  const reasons = new Set<string>();
  known.set(fixture, reasons);
  const result = resultOf(fixture);
  if (typeof result === "string") return reasons;
  for (let step = 0; step < result.trace.steps; step++) {
    if (result.trace.fact(step, "verdict") !== "no") continue;
    const reason = reasonOf(result.pass.rules ?? {}, result.trace.event(step));
    if (reason !== null) reasons.add(keyOf(reason));
  }
  return reasons;
}

/** Reasons whose condition some witness of the family shows to be needed. */
function dropsOf(family: string): readonly string[] {
  const folder = join(root, family, "witnesses");
  if (!existsSync(folder)) return [];
  const heads = readdirSync(folder).filter((name) => name.endsWith(".ori"));
  return heads.flatMap((name) => (/^\/\/ drops:\s*(.+?)\s*$/m.exec(readFileSync(join(folder, name), "utf8"))?.[1] ?? "").split(/[\s,]+/));
}
