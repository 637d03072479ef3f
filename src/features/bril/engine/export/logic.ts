/** A truth table of three predicates by `and`, `or` and `not`. */

import type { Writer } from "./writer.ts";

/** Null: true (negated: false). */
export interface LogicInput {
  readonly name: string | null;
  readonly neg: boolean;
}

/** The function of `names` for which `truth(values)` holds. */
type Truth = (values: readonly boolean[]) => boolean;

export function logic(w: Writer, dest: string, lut: number, inputs: readonly LogicInput[]): void {
  const names = [...new Set(inputs.flatMap((i) => i.name ?? []))];
  const truth: Truth = (values) => {
    const bit = inputs.reduce((index, { name, neg }) => {
      const value = name === null ? true : (values[names.indexOf(name)] ?? false);
      return index * 2 + Number(value !== neg);
    }, 0);
    return ((lut >>> bit) & 1) === 1;
  };
  write(w, dest, names, truth);
}

/** By cases of the first name; what does not matter is removed. */
function write(w: Writer, dest: string, names: readonly string[], truth: Truth): void {
  const [name, ...rest] = names;
  if (name === undefined) {
    w.define(dest, { kind: "bool", value: truth([]) });
    return;
  }
  const yes: Truth = (values) => truth([true, ...values]);
  const no: Truth = (values) => truth([false, ...values]);
  const always = (t: Truth): boolean | null => constantOf(t, rest.length);
  const [whenTrue, whenFalse] = [always(yes), always(no)];
  if (same(yes, no, rest.length)) {
    write(w, dest, rest, yes);
  } else if (whenTrue !== null && whenFalse !== null) {
    w.emit(whenTrue ? "id" : "not", dest, "bool", [name]);
  } else if (whenFalse === false) w.emit("and", dest, "bool", [name, made(w, rest, yes)]);
  else if (whenTrue === true) w.emit("or", dest, "bool", [name, made(w, rest, no)]);
  else if (whenTrue === false) w.emit("and", dest, "bool", [w.not(name), made(w, rest, no)]);
  else if (whenFalse === true) w.emit("or", dest, "bool", [w.not(name), made(w, rest, yes)]);
  else {
    const left = w.value("and", "bool", [name, made(w, rest, yes)]);
    const right = w.value("and", "bool", [w.not(name), made(w, rest, no)]);
    w.emit("or", dest, "bool", [left, right]);
  }
}

function made(w: Writer, names: readonly string[], truth: Truth): string {
  const [only] = names;
  if (names.length === 1 && only !== undefined && truth([true]) && !truth([false])) return only;
  const name = w.fresh();
  write(w, name, names, truth);
  return name;
}

const rows = (n: number): readonly (readonly boolean[])[] =>
  Array.from({ length: 1 << n }, (_, i) => Array.from({ length: n }, (_, j) => ((i >> j) & 1) === 1));

function constantOf(truth: Truth, n: number): boolean | null {
  const values = rows(n).map(truth);
  return values.every((v) => v === values[0]) ? (values[0] ?? null) : null;
}

const same = (a: Truth, b: Truth, n: number): boolean => rows(n).every((row) => a(row) === b(row));
