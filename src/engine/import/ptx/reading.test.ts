import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PtxReading } from "./reading.ts";

const FOLDERS = ["src/engine/import/ptx/fixtures", "src/features/examples/page/ptx"];
const FILES = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))).filter((path) => path.endsWith(".ptx"));

/** Everything but the function that answers about lines. */
function plain(text: string, order: (n: number) => readonly number[] = () => []) {
  const reading = new PtxReading(text);
  for (const index of order(reading.heads().length)) reading.take(index);
  const { lineMap, ...read } = reading.finish();
  return { ...read, marks: lineMap.marks };
}

const backwards = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => n - 1 - i);
const last = (n: number): readonly number[] => [n - 1];
const everyOther = (n: number): readonly number[] => Array.from({ length: n >> 1 }, (_, i) => 2 * i + 1);

const TWO = [
  ".version 8.0\n.target sm_80\n.address_size 64",
  ".visible .entry a(.param .u64 p)\n{\n.reg .b32 %r<4>;\nmov.u32 %r1, 5;\nfrob.s32 %r2, %r1;\nret;\n}",
  ".visible .entry b(.param .u64 p)\n{\n.reg .b32 %r<4>;\nfrob.s32 %r2, 7;\nadd.s32 %r1, %r2, 7;\nret;\n}",
].join("\n");

test("functions that are asked for before their turn are read the same: every example, from the last to the first, and some of them", () => {
  expect(FILES.length).toBeGreaterThan(10);
  const all = FILES.map((path) => readFileSync(path, "utf8"));
  // One text of many modules repeats names, and has more messages than are kept.
  for (const text of [...all, all.join("\n"), TWO]) {
    const whole = plain(text);
    for (const order of [backwards, last, everyOther]) expect(plain(text, order)).toEqual(whole);
  }
});

test("a text in which one function depends on another is read in its order", () => {
  const inferred = TWO.replace("mov.u32 %r1, 5;", "ld.global.u32 %r1, [undeclared];").replace(
    "add.s32 %r1, %r2, 7;",
    "ld.global.u32 %r1, [other];",
  );
  expect(plain(inferred).module.symbols.map((s) => s.name)).toEqual(["undeclared", "other"]);
  const reading = new PtxReading(inferred);
  expect(reading.take(1)).toBeNull();
  expect(reading.functions()).toEqual([null, null]);
  expect(plain(inferred, backwards)).toEqual(plain(inferred));
  const shared = TWO.replace(".address_size 64", ".address_size 64\n.reg .b32 %shared<2>;").replaceAll("%r2", "%shared1");
  expect(new PtxReading(shared).take(1)).toBeNull();
  expect(plain(shared, backwards)).toEqual(plain(shared));
});

test("errors belong to the function that they stand in", () => {
  const errors = (text: string): unknown => {
    const reading = new PtxReading(text);
    reading.finish();
    return [reading.errorsOutside, reading.functions().map((fn) => fn?.errors)];
  };
  expect(errors(TWO)).toEqual([0, [0, 0]]);
  expect(errors(TWO.replace("add.s32 %r1, %r2, 7;", "add.s32 %r1, ;"))).toEqual([0, [0, 1]]);
  expect(errors(`}\n${TWO}`)).toEqual([1, [0, 0]]);
  expect(errors(TWO.replace("mov.u32 %r1, 5;", "bra nowhere;"))).toEqual([0, [1, 0]]);
});
