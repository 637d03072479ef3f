/** Random Bril programs that end, read nothing undefined and keep to their memory; some divide by zero. */

import { createPrng, type Prng } from "../../../base/prng.ts";

export interface RandomBril {
  readonly text: string;
  /** Types of main's parameters. */
  readonly params: readonly ("int" | "bool" | "float" | "char")[];
}

type Type = "int" | "bool" | "float" | "char";

interface Callee {
  readonly name: string;
  readonly params: readonly Type[];
  readonly result: Type | null;
}

/** Half of them with floats and characters, a third with memory, some with functions that call themselves. */
export function randomBril(seed: number, size = 14): RandomBril {
  const rng = createPrng(seed);
  const types: Type[] = rng.chance(0.5) ? ["int", "int", "bool", "float", "char"] : ["int", "int", "int", "bool"];
  const callees: Callee[] = [];
  const functions: string[] = [];
  const count = rng.below(3);
  for (let i = 0; i < count; i++) {
    const callee: Callee = {
      name: `f${i}`,
      params: Array.from({ length: rng.below(3) }, () => pick(rng, types)),
      result: rng.chance(0.8) ? pick(rng, types) : null,
    };
    const recursive = rng.chance(0.3);
    functions.push(new Body(rng, types, [...callees], size / 2, callee, recursive).func());
    callees.push(recursive ? { ...callee, params: ["int", ...callee.params] } : callee);
  }
  const params = Array.from({ length: rng.below(4) }, () => pick(rng, types));
  const main = new Body(rng, types, callees, size, { name: "main", params, result: null }, false).func();
  return { text: [...functions, main].join("\n"), params };
}

function pick<T>(rng: Prng, list: readonly T[]): T {
  return list[rng.below(list.length)] as T;
}

const INTS = ["0", "1", "-1", "2", "3", "7", "8", "-5", "100", "9223372036854775807", "-9223372036854775808", "4294967296"];
const FLOATS = ["0.0", "-0.0", "1.5", "-2.25", "1e300", "0.1", "3.0", "-1e-12"];

class Body {
  private readonly rng: Prng;
  private readonly types: readonly Type[];
  private readonly callees: readonly Callee[];
  private readonly own: Callee;
  private readonly recursive: boolean;
  private readonly out: string[] = [];
  private readonly vars: { name: string; type: Type }[] = [];
  /** Variables that nothing random may write: counters of loops. */
  private readonly held = new Set<string>();
  private readonly pointers: { name: string; cells: number; type: Type }[] = [];
  private left: number;
  private made = 0;
  private depth = 0;

  constructor(rng: Prng, types: readonly Type[], callees: readonly Callee[], size: number, own: Callee, recursive: boolean) {
    this.rng = rng;
    this.types = types;
    this.callees = callees;
    this.left = Math.max(4, Math.floor(size));
    this.own = own;
    this.recursive = recursive;
  }

  func(): string {
    const { own, rng } = this;
    const params = own.params.map((type, i) => {
      this.vars.push({ name: `a${i}`, type });
      return `a${i}: ${type}`;
    });
    if (this.recursive) {
      params.unshift("fuel: int");
      this.vars.push({ name: "fuel", type: "int" });
      this.held.add("fuel");
    }
    for (const type of new Set(["int", "bool", ...this.types] as Type[])) this.constant(this.fresh(), type);
    if (rng.chance(0.35)) this.alloc();
    if (this.recursive) this.recursion();
    this.statements();
    for (const p of this.pointers) this.line(`free ${p.name}`);
    if (own.result !== null) this.line(`ret ${this.read(own.result)}`);
    else if (rng.chance(0.3)) this.line("ret");
    const list = params.length === 0 ? "" : `(${params.join(", ")})`;
    return [`@${own.name}${list}${own.result === null ? "" : `: ${own.result}`} {`, ...this.out, "}"].join("\n");
  }

  /** Calls itself while the first parameter lasts. */
  private recursion(): void {
    const { own } = this;
    const [zero, one, more, less] = [this.fresh(), this.fresh(), this.fresh(), this.fresh()];
    const [again, on] = [this.label(), this.label()];
    this.line(`${zero}: int = const 0`);
    this.line(`${one}: int = const 1`);
    this.line(`${more}: bool = gt fuel ${zero}`);
    this.line(`br ${more} .${again} .${on}`);
    this.mark(again);
    this.line(`${less}: int = sub fuel ${one}`);
    const args = [less, ...own.params.map((type) => this.read(type))].join(" ");
    if (own.result === null) this.line(`call @${own.name} ${args}`);
    else {
      const result = this.fresh();
      this.line(`${result}: ${own.result} = call @${own.name} ${args}`);
      this.line(`print ${result}`);
    }
    this.mark(on);
  }

  private statements(): void {
    const { rng } = this;
    const end = Math.max(1, 2 + rng.below(6));
    for (let i = 0; i < end && this.left > 0; i++) {
      this.left--;
      const what = rng.below(20);
      if (what < 8) this.operation();
      else if (what < 10) this.line(`print ${Array.from({ length: rng.below(3) + 1 }, () => this.read(pick(rng, this.types))).join(" ")}`);
      else if (what < 13 && this.depth < 3) this.branch();
      else if (what < 15 && this.depth < 2) this.loop();
      else if (what < 16) this.call();
      else if (what < 18 && this.pointers.length > 0) this.memory();
      else if (what < 19) this.divide();
      else this.shadow();
    }
  }

  private operation(): void {
    const { rng } = this;
    const to = pick(rng, this.types);
    if (rng.chance(0.2)) {
      const name = this.target(to);
      this.constant(name, to);
      return;
    }
    if (rng.chance(0.12)) {
      const source = this.read(to);
      this.define(to, `id ${source}`);
      return;
    }
    if (to === "int") {
      if (this.types.includes("char") && rng.chance(0.15)) this.define("int", `char2int ${this.read("char")}`);
      else if (this.types.includes("float") && rng.chance(0.1))
        this.define("int", `${rng.chance(0.5) ? "bitcast" : "float2bits"} ${this.read("float")}`);
      else this.define("int", `${pick(rng, ["add", "sub", "mul"])} ${this.read("int")} ${this.read("int")}`);
    } else if (to === "float")
      this.define("float", `${pick(rng, ["fadd", "fsub", "fmul", "fdiv"])} ${this.read("float")} ${this.read("float")}`);
    else if (to === "char") this.constant(this.target("char"), "char");
    else {
      const kind = rng.below(5);
      if (kind === 0) this.define("bool", `not ${this.read("bool")}`);
      else if (kind === 1) this.define("bool", `${pick(rng, ["and", "or"])} ${this.read("bool")} ${this.read("bool")}`);
      else {
        const type = pick(
          rng,
          this.types.filter((t) => t !== "bool"),
        );
        const sign = type === "float" ? "f" : type === "char" ? "c" : "";
        this.define("bool", `${sign}${pick(rng, ["eq", "lt", "gt", "le", "ge"])} ${this.read(type)} ${this.read(type)}`);
      }
    }
  }

  private branch(): void {
    const [then, otherwise, end] = [this.label(), this.label(), this.label()];
    const hasElse = this.rng.chance(0.6);
    this.line(`br ${this.read("bool")} .${then} .${hasElse ? otherwise : end}`);
    this.inner(() => {
      this.mark(then);
      this.statements();
      if (hasElse || this.rng.chance(0.5)) this.line(`jmp .${end}`);
    });
    if (hasElse)
      this.inner(() => {
        this.mark(otherwise);
        this.statements();
      });
    this.mark(end);
  }

  private loop(): void {
    const [head, body, end] = [this.label(), this.label(), this.label()];
    const [i, n, one, more] = [this.fresh(), this.fresh(), this.fresh(), this.fresh()];
    this.line(`${i}: int = const 0`);
    this.line(`${n}: int = const ${this.rng.below(4)}`);
    this.mark(head);
    this.line(`${more}: bool = lt ${i} ${n}`);
    this.line(`br ${more} .${body} .${end}`);
    this.mark(body);
    this.inner(() => {
      this.vars.push({ name: i, type: "int" });
      this.held.add(i).add(n);
      this.statements();
    });
    this.line(`${one}: int = const 1`);
    this.line(`${i}: int = add ${i} ${one}`);
    this.line(`jmp .${head}`);
    this.mark(end);
    this.vars.push({ name: i, type: "int" });
  }

  private call(): void {
    const callee = this.callees.length === 0 ? null : pick(this.rng, this.callees);
    if (callee === null) {
      this.operation();
      return;
    }
    const args = callee.params.map((type, i) =>
      i === 0 && callee.params.length > 0 && this.isFuel(callee) ? this.smallInt() : this.read(type),
    );
    const text = `call @${callee.name}${args.map((a) => ` ${a}`).join("")}`;
    if (callee.result === null) this.line(text);
    else this.define(callee.result, text);
  }

  private isFuel(callee: Callee): boolean {
    return callee.params[0] === "int";
  }

  private smallInt(): string {
    const name = this.fresh();
    this.line(`${name}: int = const ${this.rng.below(4)}`);
    this.held.add(name);
    return name;
  }

  /** Every cell is written immediately, so that later reads have a value. */
  private alloc(): void {
    const { rng } = this;
    const type = pick(rng, this.types);
    const cells = 1 + rng.below(3);
    const [n, p] = [this.fresh(), this.fresh()];
    this.line(`${n}: int = const ${cells}`);
    this.line(`${p}: ptr<${type}> = alloc ${n}`);
    this.held.add(n);
    for (let i = 0; i < cells; i++) this.line(`store ${this.cell({ name: p, type }, i)} ${this.read(type)}`);
    this.pointers.push({ name: p, cells, type });
  }

  private cell(p: { readonly name: string; readonly type: Type }, at: number): string {
    if (at === 0 && this.rng.chance(0.7)) return p.name;
    const [i, q] = [this.fresh(), this.fresh()];
    this.line(`${i}: int = const ${at}`);
    this.line(`${q}: ptr<${p.type}> = ptradd ${p.name} ${i}`);
    this.held.add(i);
    return q;
  }

  private memory(): void {
    const p = pick(this.rng, this.pointers);
    const cell = this.cell(p, this.rng.below(p.cells));
    if (this.rng.chance(0.5)) this.line(`store ${cell} ${this.read(p.type)}`);
    else this.define(p.type, `load ${cell}`);
  }

  private divide(): void {
    this.define("int", `div ${this.read("int")} ${this.read("int")}`);
  }

  private shadow(): void {
    const type = pick(this.rng, this.types);
    const name = this.fresh();
    const [then, end] = [this.label(), this.label()];
    this.line(`set ${name} ${this.read(type)}`);
    this.line(`br ${this.read("bool")} .${then} .${end}`);
    this.mark(then);
    this.line(`set ${name} ${this.read(type)}`);
    this.mark(end);
    this.line(`${name}: ${type} = get`);
    this.vars.push({ name, type });
  }

  // --- names -------------------------------------------------------------------------------------------------------------------

  /** Variables made inside are not there afterwards: a different path may have led there. */
  private inner(write: () => void): void {
    const count = this.vars.length;
    this.depth++;
    write();
    this.depth--;
    this.vars.length = count;
  }

  private read(type: Type): string {
    const fitting = this.vars.filter((v) => v.type === type);
    return pick(this.rng, fitting).name;
  }

  /** A variable to write: an old one as often as a new one. */
  private target(type: Type): string {
    const old = this.vars.filter((v) => v.type === type && !this.held.has(v.name));
    if (old.length > 0 && this.rng.chance(0.55)) return pick(this.rng, old).name;
    return this.fresh();
  }

  private define(type: Type, value: string): void {
    const name = this.target(type);
    this.line(`${name}: ${type} = ${value}`);
    if (!this.vars.some((v) => v.name === name)) this.vars.push({ name, type });
  }

  private constant(name: string, type: Type): void {
    const value = {
      int: pick(this.rng, INTS),
      bool: this.rng.chance(0.5) ? "true" : "false",
      float: pick(this.rng, FLOATS),
      char: pick(this.rng, ["'a'", "'z'", "'\\n'", "' '"]),
    }[type];
    this.line(`${name}: ${type} = const ${value}`);
    if (!this.vars.some((v) => v.name === name)) this.vars.push({ name, type });
  }

  private fresh(): string {
    return `x${this.made++}`;
  }

  private label(): string {
    return `l${this.made++}`;
  }

  private line(text: string): void {
    this.out.push(`  ${text};`);
  }

  private mark(label: string): void {
    this.out.push(`.${label}:`);
  }
}
