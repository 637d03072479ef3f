/** What a call enters: functions, decoded when they are first called, and the registers of each call. */

import { plural } from "../../base/plural.ts";
import { symbolAddress } from "../ir/symbol-address.ts";
import type { Module } from "../ir/types.ts";
import type { CallSite, Code } from "./code.ts";
import { codeOf } from "./decode.ts";
import { lanesOf, lowestLane } from "./lanes.ts";
import { fillBankWords } from "./launch.ts";
import { LANES, type Machine } from "./machine.ts";
import { NO_MARKS, newMarks } from "./marks.ts";
import { type Activation, type Path, transfer } from "./simt.ts";

/** Nested calls a thread may make where the inputs do not say otherwise. */
const MAX_CALL_DEPTH = 64;

/** A function that lanes of a path call together. */
export interface Called {
  readonly act: Activation;
  readonly lanes: number;
}

export class Calls {
  private readonly module: Module;
  private readonly started: Code;
  private readonly machine: Machine;
  private readonly follows: boolean;
  private readonly deepest: number;
  private readonly codes = new Map<string, Code | null>();
  /** Names by address, of functions whose address is taken. */
  private readonly names: ReadonlyMap<number, string>;

  /** `started`: what the run began with. `follows`: stand-ins are. */
  constructor(module: Module, started: Code, machine: Machine, follows: boolean, deepest: number = MAX_CALL_DEPTH) {
    this.module = module;
    this.started = started;
    this.machine = machine;
    this.follows = follows;
    this.deepest = deepest;
    this.names = new Map(module.symbols.flatMap((s) => (s.space === "func" ? [[symbolAddress(s), s.name] as const] : [])));
  }

  /** Fresh registers of a function. */
  activate(code: Code, depth: number): Activation {
    const r = code.template.slice();
    fillBankWords(code, r, this.machine);
    const p = new Int32Array(code.preds);
    p[0] = -1;
    return { r, p, code, depth, marks: this.follows ? newMarks(code.marks) : NO_MARKS };
  }

  /** Calls by lanes of a path, with their arguments: of a call by address as many as there are addresses. null after a trap. */
  enter(path: Path, site: CallSite, mask: number): readonly Called[] | null {
    if (path.act.depth >= this.deepest) {
      this.machine.trap(`more than ${this.deepest} nested calls`, lowestLane(mask));
      return null;
    }
    const called: Called[] = [];
    for (const [name, lanes] of this.targets(path, site, mask)) {
      const act = this.enterOne(path, site, name, lanes);
      if (act === null) return null;
      called.push({ act, lanes });
    }
    return called;
  }

  private targets(path: Path, { callee, row }: CallSite, mask: number): ReadonlyMap<string, number> {
    if (callee !== null) return new Map([[callee, mask]]);
    const { r } = path.act;
    const named = new Map<string, number>();
    for (const lane of lanesOf(mask)) {
      const address = (r[row + LANES + lane] as number) * 2 ** 32 + (r[row + lane] as number);
      const name = this.names.get(address) ?? `at the address 0x${address.toString(16)}`;
      named.set(name, (named.get(name) ?? 0) | (1 << lane));
    }
    return named;
  }

  private enterOne(path: Path, { args }: CallSite, name: string, lanes: number): Activation | null {
    const lane = lowestLane(lanes);
    const callee = this.codeOf(name);
    if (callee === null) {
      this.machine.trap(`there is no function ${name}`, lane);
      return null;
    }
    if (args.length !== callee.params.length) {
      this.machine.trap(`${name} takes ${plural(callee.params.length, "argument")}, the call gives ${args.length}`, lane);
      return null;
    }
    const act = this.activate(callee, path.act.depth + 1);
    for (const [i, param] of callee.params.entries()) {
      const message = transfer(path.act, args[i] as (typeof args)[number], act, param, lanes);
      if (message !== null) this.machine.trap(message, lane);
    }
    return act;
  }

  private codeOf(name: string): Code | null {
    let code = this.codes.get(name);
    if (code === undefined) {
      const fn = this.module.funcs.find((f) => f.name === name && f.kind === "func");
      const { started } = this;
      // A recursive function must have the state it is run in, which may not be the module's.
      if (name === started.fn.name && started.fn.kind === "func") code = started;
      else code = fn === undefined ? null : codeOf(fn, this.module, this.follows);
      this.codes.set(name, code);
    }
    return code;
  }
}
