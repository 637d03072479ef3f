/**
 * Instructions by which lanes interact: votes, conditions on them, and words that differ between lanes or do not; the exchange of words
 * between the threads of a block.
 */

import type { Emitter } from "./emitter.ts";
import { type Frame, OWN_SHARED } from "./frame.ts";
import type { Features } from "./options.ts";

export class Warp {
  private readonly e: Emitter;
  private readonly features: Features;
  private readonly frame: Frame;
  /** Share of the conditions on which lanes disagree, in programs whose lanes may be diverged anywhere. */
  varying = 0.5;
  /** A register with the result of a vote, readable everywhere. */
  private ballot: string | null = null;

  constructor(e: Emitter, features: Features, frame: Frame) {
    this.e = e;
    this.features = features;
    this.frame = frame;
  }

  /** One warp instruction. */
  one(): void {
    const { e } = this;
    const { rng } = e;
    if (rng.chance(0.2)) {
      e.make("pred", (p) => `VOTE.${rng.pick(["ALL", "ANY"])} ${p}, ${e.condition()}`);
      return;
    }
    e.make("int", (d) => {
      switch (rng.below(5)) {
        case 0:
          return `SHFL.${rng.pick(["IDX", "UP", "DOWN", "BFLY"])} ${d}, ${e.read("int")}, ${rng.below(32)}, ${rng.pick([31, 0, 0x1c1f])}`;
        case 1:
          return `VOTE.BALLOT ${d}, ${e.condition()}`;
        case 2:
          return `MATCH.ANY ${d}, ${e.read("int")}`;
        case 3:
          return `REDUX.${rng.pick(["ADD", "MIN", "XOR"])} ${d}, ${e.read("int")}`;
        default:
          return `ACTIVEMASK ${d}`;
      }
    });
  }

  /** A warp instruction whose result is observed in the end, most of the time. */
  vote(): void {
    const { e } = this;
    if (e.rng.chance(0.25)) {
      this.keepVote();
      return;
    }
    this.one();
    const total = e.rng.pick(e.pool.int);
    if (e.rng.chance(0.8)) e.emit(`IMAD ${total}, ${total}, 5, ${e.readable.int.at(-1) ?? "RZ"}`);
  }

  /** Votes into a register that later conditions read, where the lanes may have reconverged. */
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
    return () => e.make("int", (answer) => text.replace("$", answer));
  }

  /** A condition on the active lanes: the same for all lanes that run it together. `kept`: on the result of the last stored vote. */
  asked(target: string, kept = false): void {
    const { e } = this;
    const { rng } = e;
    if (this.ballot !== null && (kept || rng.chance(0.5))) return void this.testBits(target, this.ballot, [1, 2, 6, 16, 256]);
    if (rng.chance(0.25)) return void e.emit(`VOTE.${rng.pick(["ALL", "ANY"])} ${target}, ${e.condition()}`);
    const word = e.fresh("int");
    e.emit(
      rng.pick([
        `VOTE.BALLOT ${word}, ${e.condition()}`,
        `ACTIVEMASK ${word}`,
        `REDUX.${rng.pick(["MIN", "XOR"])} ${word}, ${e.read("int")}`,
      ]),
    );
    if (rng.chance(0.3)) this.testBits(target, word, [1, 2, 16, 256]);
    else e.emit(`ISETP.${rng.pick(["EQ", "NE", "GT"])} ${target}, ${word}, ${rng.pick([0, 1, 15, 255])}`);
  }

  private testBits(target: string, word: string, masks: readonly number[]): void {
    const { e } = this;
    const bits = e.fresh("int");
    e.emit(`LOP.AND ${bits}, ${word}, ${e.rng.pick(masks)}`);
    e.emit(`ISETP.${e.rng.pick(["EQ", "NE"])} ${target}, ${bits}, 0`);
  }

  /** A predicate on which lanes disagree. */
  laneTest(): string {
    const { e, frame } = this;
    return e.make("pred", (p) => `ISETP.${e.rng.pick(["LT", "GE"])} ${p}, ${frame.thread}, ${1 + e.rng.below(12)}`);
  }

  /** A value that differs between lanes, and one that is the same for all of them. */
  laneWord(): string {
    const { e, frame } = this;
    if (!e.rng.chance(0.4)) return frame.thread;
    return e.make("int", (d) => (e.rng.chance(0.5) ? `S2R ${d}, SR_LANEID` : `SHR.U32 ${d}, ${frame.thread}, ${1 + e.rng.below(3)}`));
  }

  uniformWord(): string {
    return this.frame.size;
  }

  /** Every thread writes its word, all wait, each reads its neighbour's, all wait. */
  exchange(): void {
    const { e, frame } = this;
    const [value, neighbour] = [e.fresh("int"), e.fresh("int")];
    e.emit(`STS [${frame.shared}], ${e.read("int")}`);
    if (this.features.wider && e.rng.chance(0.5)) this.poll();
    else e.emit("BAR.SYNC 0");
    e.emit(`LOP.XOR ${neighbour}, ${frame.shared}, ${OWN_SHARED}`);
    e.emit(`LDS ${value}, [${neighbour}]`);
    e.emit("BAR.SYNC 0");
    e.defined("int", value);
  }

  /** A barrier at which the threads of the block vote. */
  private poll(): void {
    const { e } = this;
    const { rng } = e;
    if (rng.chance(0.5)) e.make("pred", (p) => `BARRED.${rng.pick(["AND", "OR"])} ${p}, 0, ${e.condition()}`);
    else e.make("int", (d) => `BARRED.POPC ${d}, 0, ${e.condition()}`);
  }
}
