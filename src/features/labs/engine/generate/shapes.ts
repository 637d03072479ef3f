/** The shapes of programs made for reading: small graphs, and straight code with repeated expressions. */

import { GENERATOR_SHAPES, plainProgram, type Random, seededRandom } from "../../../../engine/api/exec/generate.ts";
import { cases, sums, warp } from "./single-shapes.ts";
import { ProgramWriter } from "./writer.ts";

export interface ShapeOptions {
  /** Blocks of a graph, instructions of straight code, constructs of the others; about. */
  readonly size: number;
  readonly irreducible: boolean;
}

type Shape = (seed: number, options: ShapeOptions) => string;

const OWN: Readonly<Record<string, Shape>> = {
  /** Branches and loops inside each other, a statement or two a block. */
  graph: (seed, options) => graph(seededRandom(seed), options, 1),
  /** The same in another order of the text, with the branches that this needs. */
  mixed: (seed, options) => graph(seededRandom(seed), options, 1, true),
  /** The same with more to compute and fewer registers, so that values live long. */
  values: (seed, options) => graph(seededRandom(seed), options, 2),
  /** One block whose expressions repeat, and whose registers are written again. */
  straight: (seed, options) => straight(seededRandom(seed), options.size),
  cases: (seed, options) => cases(seededRandom(seed), options.size),
  sums: (seed, options) => sums(seededRandom(seed), options.size),
  warp: (seed) => warp(seededRandom(seed)),
};

export const SHAPES: readonly string[] = [...Object.keys(OWN), ...GENERATOR_SHAPES];

export function shapeText(shape: string, seed: number, options: ShapeOptions): string | null {
  return Object.hasOwn(OWN, shape) ? (OWN[shape]?.(seed, options) ?? null) : plainProgram(shape, seed, options.size);
}

function graph(random: Random, { size, irreducible }: ShapeOptions, statements: number, mixed = false): string {
  const w = new ProgramWriter(random, statements === 1 ? 3 : 4);
  w.fillPool();
  if (irreducible) {
    const before = random.below(Math.max(1, size - 4));
    build(w, before, 2, statements);
    twoEntries(w);
    build(w, size - w.size, 2, statements);
  } else build(w, size - 1, 3, statements);
  w.finish([w.register()]);
  if (mixed) w.shuffle();
  return w.kernel("lab");
}

/** Adds about `budget` blocks after the current one. */
function build(w: ProgramWriter, budget: number, depth: number, statements: number): void {
  let left = budget;
  fill(w, statements);
  while (left > 0) {
    const before = w.size;
    construct(w, left, depth, statements);
    fill(w, statements);
    const used = w.size - before;
    if (used === 0) return;
    left -= used;
  }
}

function fill(w: ProgramWriter, statements: number): void {
  for (let i = w.random.below(statements + 1); i >= 0; i--) w.statement();
}

function construct(w: ProgramWriter, budget: number, depth: number, statements: number): void {
  const { random } = w;
  // Room for a body, when there is some.
  const inner = (reserved: number): number => (depth > 0 && budget > reserved + 1 ? random.below(Math.min(5, budget - reserved)) : 0);
  const kinds = ["triangle", "tail loop", ...(budget >= 3 ? ["diamond", "diamond", "head loop", "head loop"] : [])];
  switch (random.pick(kinds)) {
    case "triangle": {
      const [body, join] = [w.label(), w.label()];
      w.compare();
      w.branch(join, random.pick(["P0", "!P0"]));
      w.start(body);
      build(w, inner(2), depth - 1, statements);
      w.start(join);
      return;
    }
    case "diamond": {
      const [one, two, join] = [w.label(), w.label(), w.label()];
      w.compare();
      w.branch(two, "P0");
      w.start(one);
      build(w, inner(3), depth - 1, statements);
      w.branch(join);
      w.start(two);
      fill(w, statements);
      w.start(join);
      return;
    }
    case "head loop": {
      const [head, body, exit] = [w.label(), w.label(), w.label()];
      const count = w.counter();
      w.emit(`MOV ${count}, 0`);
      w.start(head);
      w.emit(`ISETP.GE P0, ${count}, ${2 + random.below(3)}`);
      w.branch(exit, "P0");
      w.start(body);
      build(w, inner(3), depth - 1, statements);
      w.emit(`IADD ${count}, ${count}, 1`);
      w.branch(head);
      w.start(exit);
      return;
    }
    default: {
      const [body, exit] = [w.label(), w.label()];
      const count = w.counter();
      w.emit(`MOV ${count}, 0`);
      w.start(body);
      build(w, inner(2), depth - 1, statements);
      w.emit(`IADD ${count}, ${count}, 1`);
      w.emit(`ISETP.LT P0, ${count}, ${2 + random.below(3)}`);
      w.branch(body, "P0");
      w.start(exit);
    }
  }
}

/** A loop that is entered at two of its blocks. */
function twoEntries(w: ProgramWriter): void {
  const [one, two, exit] = [w.label(), w.label(), w.label()];
  const count = w.counter();
  w.emit(`MOV ${count}, 0`);
  w.compare();
  w.branch(two, "P0");
  w.start(one);
  w.statement();
  w.start(two);
  w.statement();
  w.emit(`IADD ${count}, ${count}, 1`);
  w.emit(`ISETP.LT P0, ${count}, ${2 + w.random.below(3)}`);
  w.branch(one, "P0");
  w.start(exit);
  w.statement();
}

function straight(random: Random, size: number): string {
  const w = new ProgramWriter(random, 3);
  w.fillPool();
  const made: { readonly op: string; readonly a: string; readonly b: string }[] = [];
  let next = 10;
  const names = [...w.pool];
  for (let i = 0; i < size; i++) {
    // New registers mostly: a register that is written again ends the numbers of what read it, which is the point, but not of every line.
    const fresh = random.chance(0.75);
    const d = fresh ? `R${next++}` : random.pick(names);
    const old = made.length > 0 && random.chance(0.5) ? random.pick(made) : null;
    const line =
      old !== null
        ? { ...old, ...(old.op === "IADD" && random.chance(0.4) ? { a: old.b, b: old.a } : {}) }
        : {
            op: random.pick(["IADD", "IADD", "SHL", "IMUL"]),
            a: random.pick(names),
            b: random.chance(0.6) ? random.pick(names) : String(1 + random.below(4)),
          };
    const op = line.op === "IMUL" ? `IMAD ${d}, ${line.a}, ${line.b}, RZ` : `${line.op} ${d}, ${line.a}, ${line.b}`;
    if (line.op === "SHL" && line.b.startsWith("R")) w.emit(`SHL ${d}, ${line.a}, 2`);
    else if (!line.a.startsWith("R")) w.emit(`IADD ${d}, ${line.b}, ${line.a}`);
    else w.emit(op);
    made.push(line);
    if (fresh) names.push(d);
  }
  w.finish(names.slice(-4));
  return w.kernel("lab");
}
