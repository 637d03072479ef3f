/** Shapes that are about one thing: a switch, a sum, the lanes of a warp. */

import type { Random } from "../../../../engine/api/exec/generate.ts";
import { ProgramWriter } from "./writer.ts";

/** A switch as a chain of compares: values close together or far apart, a case more or less. */
export function cases(random: Random, size: number): string {
  const count = Math.max(2, size - 1 + random.below(3));
  const values = [1 + random.below(40)];
  // Gaps up to 3 keep the range below five times the number of cases; one of at least 60 does not.
  const wide = random.chance(0.5) ? 1 + random.below(count - 1) : -1;
  for (let i = 1; i < count; i++) values.push((values[i - 1] ?? 0) + (i === wide ? 60 + random.below(40) : 1 + random.below(3)));
  const tests = values.map((value, i) => `BB${i}:\n    ISETP.EQ P0, R0, ${value}\n    @P0 BRA C${value}\n`);
  const bodies = values.map((value) => `C${value}:\n    MOV R2, ${random.below(10)}\n    BRA DONE\n`);
  const other = `OTHER:\n    MOV R2, ${10 + random.below(10)}\n    BRA DONE\n`;
  return `.kernel lab(sel: R0, out: RD1)\n${tests.join("")}${other}${bodies.join("")}DONE:\n    STG [RD1], R2\n    EXIT\n`;
}

/** A sum of registers and constants into R30, in one block: additions in any grouping, a subtraction, a product, and perhaps a part of the sum that is read once more. */
export function sums(random: Random, size: number): string {
  const terms = ["R0", "R1", "R2", "R3", String(2 + random.below(8)), "R10"];
  while (terms.length < size) terms.push(random.chance(0.7) ? `R${random.below(4)}` : String(10 + random.below(20)));
  const [x, y] = [random.below(4), random.below(4)];
  const lines = [`IMUL R10, R${x}, R${y}`];
  const minus = random.below(terms.length - 2);
  for (let i = 0; terms.length > 1; i++) {
    const take = (): string => terms.splice(random.below(terms.length), 1)[0] ?? "";
    const [a, b] = [take(), take()];
    // A constant is on the right.
    const [left, right] = a.startsWith("R") ? [a, b] : [b, a];
    const last = terms.length === 0;
    const target = last ? "R30" : `R${11 + i}`;
    if (!left.startsWith("R")) {
      terms.push(left, `R${random.below(4)}`, right);
      continue;
    }
    lines.push(`${i === minus && !last ? "ISUB" : "IADD"} ${target}, ${left}, ${right}`);
    if (last) break;
    terms.push(target);
  }
  // The first part has two terms: left out or not, the sum stays about as long.
  const part = / (R\d+),/.exec(lines[1] ?? "")?.[1];
  if (part !== undefined && random.chance(0.5)) lines.push(`STG [RD4+4], ${part}`);
  return `.kernel lab(a: R0, b: R1, c: R2, d: R3, out: RD4)\nBB0:\n${lines.map((l) => `    ${l}\n`).join("")}    STG [RD4], R30\n    EXIT\n`;
}

/** Branches and a loop, two or three of which take lanes different ways; the parameter is the same for all lanes. */
export function warp(random: Random): string {
  const w = new ProgramWriter(random, 1);
  w.emit("S2R R2, SR_TID.X");
  w.emit("IMAD.WIDE RD4, R2, 4, RD1");
  w.emit(`MOV R3, ${random.below(9)}`);
  const pieces = [diamond, triangle, loop];
  const same = random.below(pieces.length + 1);
  const first = random.below(pieces.length);
  for (let i = 0; i < pieces.length; i++) {
    const at = (first + i) % pieces.length;
    pieces[at]?.(w, at === same ? "R0" : "R2");
    w.emit(`IADD R3, R3, ${1 + random.below(5)}`);
  }
  w.emit("STG [RD4], R3");
  w.emit("EXIT");
  return w.kernel("lab");
}

/** Sets P0 by the lane's number or by the parameter. */
function test(w: ProgramWriter, register: string): void {
  const { random } = w;
  w.emit(`ISETP.${random.pick(["LT", "GE"])} P0, ${register}, ${register === "R0" ? 3 + random.below(5) : 1 + random.below(3)}`);
}

function diamond(w: ProgramWriter, register: string): void {
  const [one, two, join] = [w.label(), w.label(), w.label()];
  test(w, register);
  w.branch(two, "P0");
  w.start(one);
  w.emit("IADD R3, R3, R2");
  w.branch(join);
  w.start(two);
  w.emit("SHL R3, R3, 1");
  w.start(join);
}

function triangle(w: ProgramWriter, register: string): void {
  const [body, join] = [w.label(), w.label()];
  test(w, register);
  w.branch(join, "P0");
  w.start(body);
  w.emit("IMAD R3, R3, 3, R2");
  w.start(join);
}

function loop(w: ProgramWriter, register: string): void {
  const [body, exit] = [w.label(), w.label()];
  w.emit(register === "R0" ? "MOV R6, 1" : "MOV R6, R2");
  w.start(body);
  w.emit("IADD R3, R3, R6");
  w.emit("IADD R6, R6, 1");
  w.emit("ISETP.LT P0, R6, 3");
  w.branch(body, "P0");
  w.start(exit);
}
