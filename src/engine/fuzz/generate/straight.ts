/** Random instructions without control flow, all in bounds and without races between threads. */

import { writeBeyond } from "./beyond.ts";
import type { Bank, Emitter } from "./emitter.ts";
import type { Features } from "./options.ts";

/** Parameters of every generated program, and what the entry block computes from them. */
export interface Frame {
  /** RD: read-only words, `IN_WORDS` of them. */
  readonly input: string;
  /** RD: this thread's own bytes, `OWN_BYTES` of them. */
  readonly own: string;
  /** RD: words that only commutative reductions touch. */
  readonly sums: string;
  /** R: what differs between lanes, and what is the same for a launch. */
  readonly thread: string;
  readonly size: string;
  /** R: this thread's own bytes in shared memory, `OWN_SHARED` of them. */
  readonly shared: string;
}

export const IN_WORDS = 64;
export const OWN_BYTES = 64;
export const OWN_SHARED = 16;
export const SUM_WORDS = 16;
const LOCAL_BYTES = 32;

const CMP = ["EQ", "NE", "LT", "LE", "GT", "GE"] as const;
const INTERESTING = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xff00ff00];

export class Straight {
  private readonly e: Emitter;
  private readonly features: Features;
  private readonly frame: Frame;
  /** Share of the conditions that lanes disagree about, where lanes may be apart anywhere. */
  varying = 0.5;
  /** A register that a vote was written to and that is readable everywhere. */
  private ballot: string | null = null;

  constructor(e: Emitter, features: Features, frame: Frame) {
    this.e = e;
    this.features = features;
    this.frame = frame;
  }

  /** `convergent`: all lanes of the warp that still live come here together. */
  some(count: number, convergent: boolean): void {
    for (let i = 0; i < count; i++) this.one(convergent);
  }

  one(convergent: boolean): void {
    const { rng } = this.e;
    const { features } = this;
    const roll = rng.below(100);
    // Asked first of all, and only where it may be: programs without these are what they were before there were any.
    if (features.wider && rng.chance(0.05)) this.wider(convergent);
    else if (features.beyond && rng.chance(0.3))
      writeBeyond({ e: this.e, frame: this.frame, guard: () => this.maybeGuard() }, features.memory);
    else if (features.apart && rng.chance(0.25)) this.vote();
    else if (convergent && features.warp && rng.chance(0.1)) this.warp();
    else if (convergent && features.barriers && features.shared && rng.chance(0.04)) this.exchange();
    else if (roll < 42) this.integer();
    else if (roll < 54) this.predicate();
    else if (roll < 62) this.move();
    else if (roll < 70 && features.floats) this.float();
    else if (roll < 77 && features.longs) this.long();
    else if (roll < 88 && features.memory) this.memory();
    else if (roll < 91 && features.opaque) this.opaque();
    else this.integer();
  }

  /** Writes `MNEMONIC target, operands`; guarded ones only change registers that have a value already. */
  private define(bank: Bank, mnemonic: string, operands: string): string {
    const { e } = this;
    const guarded = this.features.guards && e.rng.chance(0.12) && e.readable[bank].length > 0;
    if (guarded) {
      const target = e.pool[bank].length > 0 ? e.rng.pick(e.pool[bank]) : e.read(bank);
      e.emit(`${mnemonic} ${target}, ${operands}`, e.condition());
      return target;
    }
    const target = e.target(bank);
    e.emit(`${mnemonic} ${target}, ${operands}`);
    e.defined(bank, target);
    return target;
  }

  /** Lets what was computed last have a part in what is observed, most of the time. */
  keep(): void {
    const { e } = this;
    const { rng } = e;
    if (!rng.chance(0.6)) return;
    const total = e.pool.int[0] ?? "RZ";
    const latest = e.readable.int[e.readable.int.length - 1] ?? "RZ";
    e.emit(rng.chance(0.5) ? `IMAD ${total}, ${total}, 3, ${latest}` : `LOP.XOR ${total}, ${total}, ${latest}`);
  }

  constant(): number {
    const { rng } = this.e;
    return rng.chance(0.7) ? rng.pick(INTERESTING) : rng.u32();
  }

  private int(modifiers = true): string {
    const { e } = this;
    if (e.rng.chance(0.25)) return String(this.constant());
    const r = e.read("int");
    if (!modifiers || !e.rng.chance(0.08)) return r;
    return e.rng.pick([`-${r}`, `~${r}`]);
  }

  integer(): void {
    const { e } = this;
    const { rng } = e;
    const a = (): string => e.read("int");
    const b = (): string => this.int(false);
    const sign = (): string => rng.pick(["", ".U32", ".S32"]);
    const wide = rng.below(24);
    switch (wide) {
      case 0:
      case 1:
      case 2:
      case 3:
        return void this.define("int", "IADD", `${this.int()}, ${b()}`);
      case 4:
        return void this.define("int", "IADD3", `${this.int()}, ${this.int()}, ${b()}`);
      case 5:
      case 6:
        return void this.define("int", "ISUB", `${a()}, ${b()}`);
      case 7:
        return void this.define("int", "INEG", a());
      case 8:
        return void this.define("int", `IMUL${rng.pick(["", ".HI", ".HI.U32"])}`, `${a()}, ${b()}`);
      case 9:
        return void this.define("int", "IMAD", `${a()}, ${b()}, ${a()}`);
      case 10:
        return void this.define("int", `IMNMX${sign()}`, `${a()}, ${b()}, ${e.condition()}`);
      case 11:
        return void this.define("int", "IABS", a());
      case 12:
        return void this.define("int", "SHL", `${a()}, ${rng.chance(0.7) ? rng.below(40) : a()}`);
      case 13:
        return void this.define("int", `SHR${sign()}`, `${a()}, ${rng.chance(0.7) ? rng.below(40) : a()}`);
      case 14:
        return void this.define(
          "int",
          `SHF.${rng.pick(["L", "R"])}${rng.pick(["", ".W"])}${rng.pick(["", ".HI"])}`,
          `${a()}, ${b()}, ${a()}`,
        );
      case 15:
        return void this.define("int", "LEA", `${a()}, ${b()}, ${rng.below(8)}`);
      case 16:
      case 17:
        return void this.define("int", "LOP3", `${a()}, ${b()}, ${a()}, ${rng.below(256)}`);
      case 18:
      case 19:
      case 20:
        return void this.define("int", `LOP.${rng.pick(["AND", "OR", "XOR"])}`, `${a()}, ${b()}`);
      case 21:
        return void this.define("int", "SEL", `${a()}, ${b()}, ${e.condition()}`);
      case 22:
        return void this.define("int", rng.pick(["POPC", "BREV", "FLO.U32", "LOP.NOT"]), a());
      default:
        return void this.define("int", rng.pick(["PRMT", "BFE.U32"]), `${a()}, ${b()}, ${a()}`);
    }
  }

  compare(target: string): void {
    const { e } = this;
    const { rng } = e;
    if (this.features.apart && rng.chance(this.varying < 0.2 ? 0.5 : 0.2)) {
      this.asked(target);
      return;
    }
    if (this.features.apart && rng.chance(0.8)) {
      const varies = rng.chance(this.varying);
      const bound = varies ? rng.pick([1, 2, 4, 8, 16, 31, 33]) : rng.pick([0, 1, 3, 9, 20]);
      e.emit(`ISETP.${rng.pick(CMP)} ${target}, ${varies ? this.laneWord() : this.uniformWord()}, ${bound}`);
      return;
    }
    const bool = rng.chance(0.25) ? rng.pick([".AND", ".OR", ".XOR"]) : null;
    const tail = bool === null ? "" : `, ${e.condition()}`;
    if (this.features.floats && rng.chance(0.12) && e.readable.float.length > 0) {
      const op = rng.pick([...CMP, "NEU", "LTU", "NAN"] as const);
      e.emit(`FSETP.${op}${bool ?? ""} ${target}, ${e.read("float")}, ${e.read("float")}${tail}`);
      return;
    }
    const sign = rng.pick(["", "", ".U32"]);
    e.emit(`ISETP.${rng.pick(CMP)}${sign}${bool ?? ""} ${target}, ${e.read("int")}, ${this.int(false)}${tail}`);
  }

  predicate(): void {
    const { e } = this;
    const { rng } = e;
    if (rng.chance(0.7)) {
      const target = e.target("pred");
      this.compare(target);
      e.defined("pred", target);
    } else if (rng.chance(0.6)) {
      this.define("pred", "PLOP3", `${e.condition()}, ${e.condition()}, ${e.condition()}, ${rng.below(256)}`);
    } else {
      this.define("pred", "PMOV", e.condition());
    }
  }

  move(): void {
    const { e } = this;
    const { rng } = e;
    if (rng.chance(0.1)) return void this.define("int", "S2R", rng.pick(["SR_TID.X", "SR_LANEID", "SR_NTID.X"]));
    if (this.features.longs && rng.chance(0.15)) return void this.define("long", "MOV", e.read("long"));
    this.define("int", "MOV", rng.chance(0.4) ? String(this.constant()) : e.read("int"));
  }

  private float(): void {
    const { e } = this;
    const { rng } = e;
    const f = (): string => (rng.chance(0.2) ? rng.pick(["1.0", "-2.5", "0.0", "0.1"]) : e.read("float"));
    const r = (): string => (e.rng.chance(0.15) ? `-${e.read("float")}` : e.read("float"));
    switch (rng.below(8)) {
      case 0:
      case 1:
        return void this.define("float", `FADD${rng.pick(["", "", ".FTZ", ".RZ"])}`, `${r()}, ${f()}`);
      case 2:
      case 3:
        return void this.define("float", `FMUL${rng.pick(["", "", ".SAT"])}`, `${r()}, ${f()}`);
      case 4:
        return void this.define("float", "FFMA", `${e.read("float")}, ${f()}, ${e.read("float")}`);
      case 5:
        return void this.define("float", "FMNMX", `${e.read("float")}, ${f()}, ${e.condition()}`);
      case 6:
        return void this.define("float", "I2F.F32.S32", e.read("int"));
      default:
        return void this.define("int", "F2I.S32.F32.TRUNC", e.read("float"));
    }
  }

  private long(): void {
    const { e } = this;
    const { rng } = e;
    const l = (): string => e.read("long");
    switch (rng.below(5)) {
      case 0:
        return void this.define("long", "IMAD.WIDE", `${e.read("int")}, ${this.int(false)}, ${l()}`);
      case 1:
        return void this.define("long", "IADD.64", `${l()}, ${rng.chance(0.5) ? l() : String(this.constant())}`);
      case 2:
        return void this.define("long", `LOP.${rng.pick(["AND", "OR", "XOR"])}.64`, `${l()}, ${l()}`);
      case 3:
        return void this.define("int", "I2I.U32.U64", l());
      default: {
        const p = e.target("pred");
        e.emit(`ISETP.${rng.pick(CMP)}.64 ${p}, ${l()}, ${l()}`);
        e.defined("pred", p);
      }
    }
  }

  memory(): void {
    const { e, frame, features } = this;
    const { rng } = e;
    const roll = rng.below(10);
    if (roll < 4) {
      // A masked index keeps the load inside the input.
      const index = e.fresh("int");
      const address = e.fresh("long");
      e.emit(`LOP.AND ${index}, ${e.read("int")}, ${IN_WORDS - 1}`);
      e.emit(`IMAD.WIDE ${address}, ${index}, 4, ${frame.input}`);
      const size = rng.pick(["", "", "", ".U8", ".S16"]);
      this.define("int", `LDG${size}`, `[${address}]`);
      return;
    }
    if (roll < 6) return void e.emit(`STG [${frame.own}+${4 * rng.below(OWN_BYTES / 4)}], ${e.read("int")}`, this.maybeGuard());
    if (roll < 7) return void this.define("int", "LDG", `[${frame.own}+${4 * rng.below(OWN_BYTES / 4)}]`);
    if (roll < 8 && features.atomics) {
      const index = e.fresh("int");
      const address = e.fresh("long");
      e.emit(`LOP.AND ${index}, ${e.read("int")}, ${SUM_WORDS - 1}`);
      e.emit(`IMAD.WIDE ${address}, ${index}, 4, ${frame.sums}`);
      e.emit(`RED.ADD [${address}], ${e.read("int")}`, this.maybeGuard());
      return;
    }
    if (roll < 9 && features.shared) {
      const at = `[${frame.shared}+${4 * rng.below(OWN_SHARED / 4)}]`;
      if (rng.chance(0.5)) e.emit(`STS ${at}, ${e.read("int")}`, this.maybeGuard());
      else this.define("int", "LDS", at);
      return;
    }
    if (!features.local) {
      this.integer();
      return;
    }
    const at = `[${4 * rng.below(LOCAL_BYTES / 4)}]`;
    if (rng.chance(0.5)) e.emit(`STL ${at}, ${e.read("int")}`, this.maybeGuard());
    else this.define("int", "LDL", at);
  }

  private maybeGuard(): string | null {
    return this.features.guards && this.e.rng.chance(0.2) ? this.e.condition() : null;
  }

  private opaque(): void {
    const { e } = this;
    const { rng } = e;
    const text = `unknown.${rng.below(4)}`;
    if (rng.chance(0.2)) {
      e.emit(`OPAQUE.${rng.pick(["store", "call"])} {}, {${e.read("int")}}, "${text}"`);
      return;
    }
    const target = e.target("int");
    e.emit(`OPAQUE.${rng.pick(["pure", "pure", "load"])} {${target}}, {${e.read("int")}, ${e.read("int")}}, "${text}"`);
    e.defined("int", target);
  }

  /** A condition on who is there: the same for all lanes that run it together. `kept`: on what the last vote that was kept said. */
  asked(target: string, kept = false): void {
    const { e } = this;
    const { rng } = e;
    if (this.ballot !== null && (kept || rng.chance(0.5))) {
      const bit = e.fresh("int");
      e.emit(`LOP.AND ${bit}, ${this.ballot}, ${rng.pick([1, 2, 6, 16, 256])}`);
      e.emit(`ISETP.${rng.pick(["EQ", "NE"])} ${target}, ${bit}, 0`);
      return;
    }
    if (rng.chance(0.25)) return void e.emit(`VOTE.${rng.pick(["ALL", "ANY"])} ${target}, ${e.condition()}`);
    const word = e.fresh("int");
    e.emit(
      rng.pick([
        `VOTE.BALLOT ${word}, ${e.condition()}`,
        `ACTIVEMASK ${word}`,
        `REDUX.${rng.pick(["MIN", "XOR"])} ${word}, ${e.read("int")}`,
      ]),
    );
    if (rng.chance(0.3)) {
      const bit = e.fresh("int");
      e.emit(`LOP.AND ${bit}, ${word}, ${rng.pick([1, 2, 16, 256])}`);
      e.emit(`ISETP.${rng.pick(["EQ", "NE"])} ${target}, ${bit}, 0`);
    } else {
      e.emit(`ISETP.${rng.pick(["EQ", "NE", "GT"])} ${target}, ${word}, ${rng.pick([0, 1, 15, 255])}`);
    }
  }

  /** A word of this thread's own, in global, shared or local memory, and how it is read and written. */
  ownPlace(): { readonly load: string; readonly store: string; readonly place: string } {
    const { frame } = this;
    const { rng } = this.e;
    return rng.pick([
      { load: "LDG", store: "STG", place: `[${frame.own}+${4 * rng.below(OWN_BYTES / 4 - 1)}]` },
      { load: "LDS", store: "STS", place: `[${frame.shared}+${4 * rng.below(OWN_SHARED / 4)}]` },
      { load: "LDL", store: "STL", place: `[${4 * rng.below(LOCAL_BYTES / 4)}]` },
    ]);
  }

  /** A warp instruction on fixed operands, which may be written several times: each result has its own register. */
  question(): () => string {
    const { e } = this;
    const text = e.rng.pick([
      `VOTE.BALLOT $, ${e.condition()}`,
      "ACTIVEMASK $",
      `MATCH.ANY $, ${e.read("int")}`,
      `REDUX.ADD $, ${e.read("int")}`,
      `SHFL.BFLY $, ${e.read("int")}, ${1 + e.rng.below(7)}, 31`,
      ...(this.features.wider ? [`OPAQUE.warp {$}, {${e.read("int")}}, "mma"`] : []),
    ]);
    return () => {
      const answer = e.fresh("int");
      e.emit(text.replace("$", answer));
      e.defined("int", answer);
      return answer;
    };
  }

  /** A predicate that lanes disagree about. */
  laneTest(): string {
    const { e } = this;
    const p = e.fresh("pred");
    e.emit(`ISETP.${e.rng.pick(["LT", "GE"])} ${p}, ${this.frame.thread}, ${1 + e.rng.below(12)}`);
    e.defined("pred", p);
    return p;
  }

  /** A value that differs between lanes, and one that is the same for all of them. */
  laneWord(): string {
    const { e, frame } = this;
    if (!e.rng.chance(0.4)) return frame.thread;
    const word = e.fresh("int");
    e.emit(e.rng.chance(0.5) ? `S2R ${word}, SR_LANEID` : `SHR.U32 ${word}, ${frame.thread}, ${1 + e.rng.below(3)}`);
    e.defined("int", word);
    return word;
  }

  uniformWord(): string {
    return this.frame.size;
  }

  /** A warp instruction whose result is seen in the end. */
  vote(): void {
    const { e } = this;
    if (e.rng.chance(0.25)) {
      this.keepVote();
      return;
    }
    this.warp();
    const total = e.rng.pick(e.pool.int);
    if (e.rng.chance(0.8)) e.emit(`IMAD ${total}, ${total}, 5, ${e.readable.int.at(-1) ?? "RZ"}`);
  }

  /** Into a register that conditions further down read, where the lanes may be together again. */
  keepVote(): void {
    const { e } = this;
    this.ballot = e.rng.pick(e.pool.int);
    e.emit(
      e.rng.pick([
        `VOTE.BALLOT ${this.ballot}, ${e.condition()}`,
        `ACTIVEMASK ${this.ballot}`,
        `REDUX.MIN ${this.ballot}, ${this.frame.thread}`,
      ]),
    );
  }

  private warp(): void {
    const { e } = this;
    const { rng } = e;
    const target = e.fresh(rng.chance(0.2) ? "pred" : "int");
    if (target.startsWith("P")) {
      e.emit(`VOTE.${rng.pick(["ALL", "ANY"])} ${target}, ${e.condition()}`);
      e.defined("pred", target);
      return;
    }
    switch (rng.below(5)) {
      case 0:
        e.emit(
          `SHFL.${rng.pick(["IDX", "UP", "DOWN", "BFLY"])} ${target}, ${e.read("int")}, ${rng.below(32)}, ${rng.pick([31, 0, 0x1c1f])}`,
        );
        break;
      case 1:
        e.emit(`VOTE.BALLOT ${target}, ${e.condition()}`);
        break;
      case 2:
        e.emit(`MATCH.ANY ${target}, ${e.read("int")}`);
        break;
      case 3:
        e.emit(`REDUX.${rng.pick(["ADD", "MIN", "XOR"])} ${target}, ${e.read("int")}`);
        break;
      default:
        e.emit(`ACTIVEMASK ${target}`);
    }
    e.defined("int", target);
  }

  private wider(convergent: boolean) {
    const { e, features, frame } = this;
    const { rng } = e;
    const kinds = ["mask", "mask", "rest"];
    if (features.longs) kinds.push("space");
    if (features.memory && features.shared) kinds.push("copy", "copy");
    if (features.memory && features.atomics) kinds.push("sum");
    if (features.opaque && (features.apart || (convergent && features.warp))) kinds.push("product", "product");
    switch (rng.pick(kinds)) {
      case "rest":
        return void e.emit(`NANOSLEEP ${e.read("int")}`);
      case "space": {
        const p = e.target("pred");
        const space = rng.pick(["GLOBAL", "SHARED", "LOCAL"]);
        e.emit(rng.chance(0.6) ? `QSPC.${space}.64 ${p}, ${frame.own}` : `QSPC.${space} ${p}, ${e.read("int")}`);
        return e.defined("pred", p);
      }
      case "copy":
        return this.copyAsync();
      case "sum": {
        const [index, address] = [e.fresh("int"), e.fresh("long")];
        e.emit(`LOP.AND ${index}, ${e.read("int")}, ${SUM_WORDS - 1}`);
        e.emit(`IMAD.WIDE ${address}, ${index}, 4, ${frame.sums}`);
        return e.emit(`RED.ADD.GENERIC [${address}], ${e.read("int")}`, this.maybeGuard());
      }
      case "product": {
        const target = e.fresh("int");
        e.emit(`OPAQUE.warp {${target}}, {${e.read("int")}, ${e.read("int")}}, "mma.${rng.below(2)}"`);
        return e.defined("int", target);
      }
      default:
        return void this.define(
          "int",
          rng.pick(["BMSK", "BMSK.W"]),
          `${this.int(false)}, ${rng.chance(0.6) ? rng.below(40) : e.read("int")}`,
        );
    }
  }

  /** A barrier that asks the threads of the block. */
  private poll(): void {
    const { e } = this;
    const bank = e.rng.chance(0.5) ? "pred" : "int";
    const target = e.fresh(bank);
    e.emit(`BARRED.${bank === "pred" ? e.rng.pick(["AND", "OR"]) : "POPC"} ${target}, 0, ${e.condition()}`);
    e.defined(bank, target);
  }

  /** The code between the parts of a copy shows whether a phase moved one of them. */
  private copyAsync(): void {
    const { e, frame } = this;
    const { rng } = e;
    const value = e.fresh("int");
    const to = `[${frame.shared}+${4 * rng.below(OWN_SHARED / 4)}]`;
    const from = `[${frame.own}+${4 * rng.below(OWN_BYTES / 4)}]`;
    const waits = rng.chance(0.8);
    e.emit(`LDGSTS.32 ${to}, ${from}${rng.chance(0.2) ? `, ${rng.below(5)}` : ""}`, this.maybeGuard());
    if (rng.chance(0.3)) e.emit(`STG ${from}, ${e.read("int")}`);
    e.emit("LDGDEPBAR");
    if (rng.chance(0.3)) this.define("int", "LDS", to);
    if (waits) e.emit(`DEPBAR ${rng.pick([0, 0, 1])}`);
    e.emit(`LDS ${value}, ${to}`);
    e.defined("int", value);
  }

  /** Every thread writes its word, all wait, each reads its neighbour's, all wait. */
  private exchange(): void {
    const { e, frame } = this;
    const value = e.fresh("int");
    const neighbour = e.fresh("int");
    e.emit(`STS [${frame.shared}], ${e.read("int")}`);
    if (this.features.wider && e.rng.chance(0.5)) this.poll();
    else e.emit("BAR.SYNC 0");
    e.emit(`LOP.XOR ${neighbour}, ${frame.shared}, ${OWN_SHARED}`);
    e.emit(`LDS ${value}, [${neighbour}]`);
    e.emit("BAR.SYNC 0");
    e.defined("int", value);
  }
}
