import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reasonOf } from "../../engine/passes/testing/reason-of.ts";
import { runFixture } from "../../engine/passes/testing/run-fixture.ts";
import { SHOWN_BY, type ShownBy } from "./shown-by.ts";

const FILE = join(import.meta.dirname, "shown-by.json");
const PASSES = join(import.meta.dirname, "../../engine/passes");

type Writable<T> = { -readonly [K in keyof T]: Writable<T[K]> };

/** Runs every fixture and keeps, for each thing, the smallest program that shows it. */
function shownByFixtures(): ShownBy {
  const found: Writable<ShownBy> = { structures: {}, conditions: {}, phases: {} };
  const sizes = new Map<string, number>();
  const smallest = (key: string, size: number): boolean => {
    if ((sizes.get(key) ?? Number.POSITIVE_INFINITY) <= size) return false;
    sizes.set(key, size);
    return true;
  };
  for (const file of readdirSync(PASSES, { recursive: true, encoding: "utf8" }).toSorted()) {
    const [, family, name] = /^([^/\\]+)[/\\]fixtures[/\\]([^/\\]+)\.ori$/.exec(file) ?? [];
    if (family === undefined || name === undefined) continue;
    const text = readFileSync(join(PASSES, file), "utf8");
    const fixture = runFixture(text);
    if (typeof fixture === "string") throw new Error(`${file}: ${fixture}`);
    const { trace, pass, run, fired } = fixture;
    const size = text.length;
    if (fired && smallest(`phase ${run.planned.id}`, size)) found.phases[run.planned.id] = `${family}/${name}`;
    trace.funcAt(trace.steps - 1);
    for (const { name: structure, title, type } of trace.journal.structures) {
      // The second switch of a function has structures of its own, with its block's name: the first one's stand for them.
      if (/[ -]\d+$| \(.*\)$/.test(structure)) continue;
      const known = found.structures[structure];
      const phases = [...new Set([...(known?.phases ?? []), run.planned.id])].toSorted();
      const fixtureOf = known === undefined || smallest(`structure ${structure}`, size) ? `${family}/${name}` : known.fixture;
      found.structures[structure] = { title, type, phases, fixture: fixtureOf };
    }
    for (let step = 0; step < trace.steps; step++) {
      const reason = reasonOf(pass.rules ?? {}, trace.event(step));
      if (reason === null) continue;
      const id = `${pass.family}:${reason.name}`;
      if (smallest(`condition ${id}`, size)) found.conditions[id] = `${family}/${name}`;
    }
  }
  const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { structures: sorted(found.structures), conditions: sorted(found.conditions), phases: sorted(found.phases) };
}

it("is what the fixtures show", () => {
  const found = shownByFixtures();
  if (process.env.BLESS !== undefined) writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);
  else expect(SHOWN_BY).toEqual(found);
}, 120_000);
