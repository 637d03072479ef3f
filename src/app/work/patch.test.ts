import * as fake from "fake-indexeddb";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { freshSeed } from "../../engine/testing/seed.ts";
import { type Database, openDatabase } from "./database.ts";
import { changesNothing, type Patch, patched, patchOf, readPatch } from "./patch.ts";
import { firstVersion, type Kept, nextVersion, type Summary } from "./record.ts";

const LONG = "    IADD3 R4, R4, R5, RZ\n".repeat(2_000);

for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) Reflect.set(globalThis, name, value);

function kept(source: string, pass: string | null, version = firstVersion("page", 1)): Kept {
  const about = { kind: "program", title: "long", lines: [], changed: 1, order: 1, own: true, pinned: false } as const;
  return {
    summary: { id: "a", version, ...about },
    data: { source, pass: pass === null ? null : { title: "p", source: pass, at: null }, level: 3 },
  };
}
const later = ({ version, ...summary }: Summary, n: number): Summary => ({ ...summary, version: nextVersion(version, "page", n) });

it("a patch makes the texts that it was made of, and leaves the rest of a record alone", () => {
  const seed = freshSeed();
  const edit = fc.tuple(fc.nat(LONG.length), fc.nat(40), fc.string({ maxLength: 200, unit: "grapheme" }));
  const change = (text: string, [at, out, put]: readonly [number, number, string]): string =>
    text.slice(0, at) + put + text.slice(at + out);
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 3 }), fc.option(fc.array(edit, { maxLength: 3 })), (edits, passEdits) => {
      const base = kept(LONG, passEdits === null ? null : LONG);
      const now = { source: edits.reduce(change, LONG), pass: passEdits === null ? null : passEdits.reduce(change, LONG) };
      const patch = patchOf(base, now);
      if (patch === null) return;
      expect(changesNothing(patch)).toBe(now.source === LONG && (now.pass ?? LONG) === LONG);
      const stored = readPatch(structuredClone(patch));
      expect(stored).toEqual(patch);
      expect(patched(base.data, patch)).toEqual(kept(now.source, now.pass).data);
    }),
    { seed, numRuns: 60 },
  );
});

it("there is none of a pass that is new or gone, nor of a text that is another one, and one of another text changes nothing", () => {
  const base = kept(LONG, null);
  expect(patchOf(base, { source: LONG, pass: "new" })).toBeNull();
  expect(patchOf(kept(LONG, "old"), { source: LONG, pass: null })).toBeNull();
  expect(patchOf(base, { source: "x".repeat(50_000), pass: null })).toBeNull();
  const patch = patchOf(base, { source: `${LONG}// more`, pass: null });
  expect(patched(kept("short", null).data, patch!)).toEqual(kept("short", null).data);
  for (const broken of [null, 1, {}, { ...patch, source: null }, { ...patch, on: 3 }]) expect(readPatch(broken)).toBeNull();
});

describe("in the database a patch", () => {
  let database: Database;
  beforeEach(() => {
    vi.stubGlobal("indexedDB", new fake.IDBFactory());
    database = openDatabase();
  });
  const sourceOf = async (): Promise<unknown> => ((await database.read("a"))?.data as { readonly source?: unknown } | undefined)?.source;
  const typed = (base: Kept, text: string): Patch => patchOf(base, { source: text, pass: null })!;

  it("is read with its record, is replaced by the next one and removed by the next whole record", async () => {
    const base = kept(LONG, null);
    await database.write(base);
    await database.patch(later(base.summary, 2), typed(base, `${LONG}// 2`));
    expect(await sourceOf()).toBe(`${LONG}// 2`);
    await database.patch(later(base.summary, 3), typed(base, `${LONG}// 3`));
    expect(await sourceOf()).toBe(`${LONG}// 3`);
    expect((await database.list()).map(({ version }) => version.n)).toEqual([3]);
    // Late: the browser writes localStorage seconds after the database.
    expect((await database.write({ ...kept("stale", null), summary: later(base.summary, 2) })).written).toBe("saved");
    expect(await sourceOf()).toBe(`${LONG}// 3`);
    await database.write({ ...kept("whole", null), summary: later(base.summary, 4) });
    expect(await sourceOf()).toBe("whole");
    await database.patch(later(base.summary, 5), typed(base, `${LONG}// 5`));
    expect(await sourceOf()).toBe("whole");
    await database.remove(["a"]);
    await database.write(base);
    expect(await sourceOf()).toBe(LONG);
  });

  it("of a record that another tab has saved since, or that is not there, is not written", async () => {
    const base = kept(LONG, null);
    await database.patch(later(base.summary, 2), typed(base, `${LONG}// 2`));
    expect(await database.read("a")).toBeNull();
    await database.write(base);
    await database.write({ ...kept("theirs", null), summary: { ...base.summary, version: nextVersion(base.summary.version, "other", 1) } });
    await database.patch(later(base.summary, 2), typed(base, `${LONG}// 2`));
    expect(await sourceOf()).toBe("theirs");
  });
});
