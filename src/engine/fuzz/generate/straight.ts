/** Random instructions without control flow, all in bounds and without races between threads. */

import { CMP, constant, FLOAT, INTEGER, int, LONG } from "./arithmetic.ts";
import { writeBeyond } from "./beyond.ts";
import type { Bank, Emitter } from "./emitter.ts";
import { type Frame, IN_WORDS, LOCAL_BYTES, OWN_BYTES, OWN_SHARED, SUM_WORDS } from "./frame.ts";
import type { Features } from "./options.ts";
import { Warp } from "./warp.ts";

export class Straight {
  private readonly e: Emitter;
  private readonly features: Features;
  private readonly frame: Frame;
  readonly warp: Warp;

  constructor(e: Emitter, features: Features, frame: Frame) {
    this.e = e;
    this.features = features;
    this.frame = frame;
    this.warp = new Warp(e, features, frame);
  }

  /** `convergent`: all live lanes of the warp reach this code together. */
  some(count: number, convergent: boolean): void {
    for (let i = 0; i < count; i++) this.one(convergent);
  }

  one(convergent: boolean): void {
    const { rng } = this.e;
    const { features } = this;
    const roll = rng.below(100);
    // Drawn first, and only if the feature is on, so that programs without it do not change.
    if (features.wider && rng.chance(0.05)) this.wider(convergent);
    else if (features.beyond && rng.chance(0.3))
      writeBeyond({ e: this.e, frame: this.frame, guard: () => this.maybeGuard() }, features.memory);
    else if (features.apart && rng.chance(0.25)) this.warp.vote();
    else if (convergent && features.warp && rng.chance(0.1)) this.warp.one();
    else if (convergent && features.barriers && features.shared && rng.chance(0.04)) this.warp.exchange();
    else if (roll < 42) this.integer();
    else if (roll < 54) this.predicate();
    else if (roll < 62) this.move();
    else if (roll < 70 && features.floats) this.define(...this.e.rng.pick(FLOAT)(this.e));
    else if (roll < 77 && features.longs) this.long();
    else if (roll < 88 && features.memory) this.memory();
    else if (roll < 91 && features.opaque) this.opaque();
    else this.integer();
  }

  /** Writes `MNEMONIC target, operands`; guarded ones only change registers that have a value already. */
  private define(bank: Bank, mnemonic: string, operands: string): void {
    const { e } = this;
    if (this.features.guards && e.rng.chance(0.12) && e.readable[bank].length > 0) {
      const target = e.pool[bank].length > 0 ? e.rng.pick(e.pool[bank]) : e.read(bank);
      e.emit(`${mnemonic} ${target}, ${operands}`, e.condition());
    } else {
      e.set(bank, (d) => `${mnemonic} ${d}, ${operands}`);
    }
  }

  /** Makes the latest values affect what is observed, most of the time. */
  keep(): void {
    const { e } = this;
    const { rng } = e;
    if (!rng.chance(0.6)) return;
    const total = e.pool.int[0] ?? "RZ";
    const latest = e.readable.int[e.readable.int.length - 1] ?? "RZ";
    e.emit(rng.chance(0.5) ? `IMAD ${total}, ${total}, 3, ${latest}` : `LOP.XOR ${total}, ${total}, ${latest}`);
  }

  integer(): void {
    this.define(...this.e.rng.pick(INTEGER)(this.e));
  }

  compare(target: string): void {
    const { e, warp } = this;
    const { rng } = e;
    if (this.features.apart && rng.chance(warp.varying < 0.2 ? 0.5 : 0.2)) return void warp.asked(target);
    if (this.features.apart && rng.chance(0.8)) {
      const varies = rng.chance(warp.varying);
      const bound = varies ? rng.pick([1, 2, 4, 8, 16, 31, 33]) : rng.pick([0, 1, 3, 9, 20]);
      e.emit(`ISETP.${rng.pick(CMP)} ${target}, ${varies ? warp.laneWord() : warp.uniformWord()}, ${bound}`);
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
    e.emit(`ISETP.${rng.pick(CMP)}${sign}${bool ?? ""} ${target}, ${e.read("int")}, ${int(e)}${tail}`);
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
    this.define("int", "MOV", rng.chance(0.4) ? String(constant(rng)) : e.read("int"));
  }

  private long(): void {
    const { e } = this;
    const form = LONG[e.rng.below(LONG.length + 1)];
    if (form !== undefined) this.define(...form(e));
    else e.set("pred", (p) => `ISETP.${e.rng.pick(CMP)}.64 ${p}, ${e.read("long")}, ${e.read("long")}`);
  }

  memory(): void {
    const { e, frame, features } = this;
    const { rng } = e;
    const roll = rng.below(10);
    if (roll < 4) {
      const address = this.wordOf(frame.input, IN_WORDS);
      const size = rng.pick(["", "", "", ".U8", ".S16"]);
      this.define("int", `LDG${size}`, `[${address}]`);
      return;
    }
    if (roll < 6) return void e.emit(`STG [${frame.own}+${4 * rng.below(OWN_BYTES / 4)}], ${e.read("int")}`, this.maybeGuard());
    if (roll < 7) return void this.define("int", "LDG", `[${frame.own}+${4 * rng.below(OWN_BYTES / 4)}]`);
    if (roll < 8 && features.atomics) {
      e.emit(`RED.ADD [${this.wordOf(frame.sums, SUM_WORDS)}], ${e.read("int")}`, this.maybeGuard());
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

  /** A word that only this thread uses, in global, shared or local memory, and how it is read and written. */
  ownPlace(): { readonly load: string; readonly store: string; readonly place: string } {
    const { frame } = this;
    const { rng } = this.e;
    return rng.pick([
      { load: "LDG", store: "STG", place: `[${frame.own}+${4 * rng.below(OWN_BYTES / 4 - 1)}]` },
      { load: "LDS", store: "STS", place: `[${frame.shared}+${4 * rng.below(OWN_SHARED / 4)}]` },
      { load: "LDL", store: "STL", place: `[${4 * rng.below(LOCAL_BYTES / 4)}]` },
    ]);
  }

  /** The address of some word of `base`: a masked index keeps it inside. */
  private wordOf(base: string, words: number): string {
    const { e } = this;
    const [index, address] = [e.fresh("int"), e.fresh("long")];
    e.emit(`LOP.AND ${index}, ${e.read("int")}, ${words - 1}`);
    e.emit(`IMAD.WIDE ${address}, ${index}, 4, ${base}`);
    return address;
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
    e.set("int", (d) => `OPAQUE.${rng.pick(["pure", "pure", "load"])} {${d}}, {${e.read("int")}, ${e.read("int")}}, "${text}"`);
  }

  private wider(convergent: boolean): void {
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
      case "space":
        return void e.set("pred", (p) => {
          const space = rng.pick(["GLOBAL", "SHARED", "LOCAL"]);
          return rng.chance(0.6) ? `QSPC.${space}.64 ${p}, ${frame.own}` : `QSPC.${space} ${p}, ${e.read("int")}`;
        });
      case "copy":
        return void this.copyAsync();
      case "sum":
        return void e.emit(`RED.ADD.GENERIC [${this.wordOf(frame.sums, SUM_WORDS)}], ${e.read("int")}`, this.maybeGuard());
      case "product":
        return void e.make("int", (d) => `OPAQUE.warp {${d}}, {${e.read("int")}, ${e.read("int")}}, "mma.${rng.below(2)}"`);
      default:
        return void this.define("int", rng.pick(["BMSK", "BMSK.W"]), `${int(e)}, ${rng.chance(0.6) ? rng.below(40) : e.read("int")}`);
    }
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
}
