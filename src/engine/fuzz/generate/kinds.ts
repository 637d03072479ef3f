/**
 * Code that people write and the shapes of the other files do not contain. Each kind is one row, with the error of a pass that ignores it
 * (`bench/faults/kinds.ts` has such a pass for each). Drawn only on request, so that programs without kinds do not change.
 */

import type { Prng } from "../../../base/prng.ts";
import type { Emitter } from "./emitter.ts";
import type { Frame } from "./frame.ts";
import type { Features } from "./options.ts";
import type { Straight } from "./straight.ts";
import type { Warp } from "./warp.ts";

export interface Kind {
  readonly name: string;
  /** The error of a pass that does not handle it. */
  readonly missed: string;
  /** Left out: it needs none. */
  readonly needs?: (features: Features) => boolean;
  readonly write: (pen: Pen) => void;
}

/** Functions that kinds call; a program that draws one ends with them. */
export const KIND_CALLEES = `.func stash(a: R0) -> R1
BB0:
    LDL R1, [0x10]
    STL [0x10], R0
    RET
`;

/** Bytes of local memory that only kinds use, and a word of shared memory past the threads' own bytes. */
const LOCAL = 0x10;
const COMMON_WORD = 0x2000;
/** Buffers end far below this offset: no load may reach it, at any index. */
const FAR = 0x0100_0000;
const BIG = [0x7fffffff, 0xfffffff1, 0x7ffffff3, 0x40000001, 0x12345679];

/** Writes the code of kinds. In a text, `$` is the register that the instruction defines: a fresh one. */
class Pen {
  readonly e: Emitter;
  readonly rng: Prng;
  readonly warp: Warp;
  readonly frame: Frame;

  constructor(e: Emitter, straight: Straight, frame: Frame) {
    this.e = e;
    this.rng = e.rng;
    this.warp = straight.warp;
    this.frame = frame;
  }

  readonly int = (text: string): string => this.e.make("int", (d) => text.replace("$", d));
  readonly pred = (text: string): string => this.e.make("pred", (d) => text.replace("$", d));
  readonly read = (): string => this.e.read("int");
  /** A register whose value is observed in the end. */
  readonly total = (): string => this.rng.pick(this.e.pool.int);

  /** Makes the value affect what is observed. */
  readonly see = (value: string): void => {
    const total = this.total();
    this.e.emit(`IMAD ${total}, ${total}, 5, ${value}`);
  };
  readonly seePred = (p: string): void => this.show(`SEL $, 1, 2, ${p}`);
  readonly show = (text: string): void => this.see(this.int(text));
}

export const KINDS: readonly Kind[] = [
  {
    name: "masked-predicates",
    missed: "takes R2P for a definition of every predicate of its list",
    write({ e, rng, pred, read, show, seePred }) {
      const compared = (): string => pred(`ISETP.${rng.pick(["LT", "GE", "NE"])} $, ${read()}, ${rng.below(9)}`);
      const [p, q] = [compared(), compared()];
      e.emit(`R2P {${q}, ${p}}, ${read()}, ${rng.pick([1, 1, 2, 3])}`);
      seePred(p);
      seePred(q);
      if (rng.chance(0.4)) show(`P2R $, {${p}, ${q}}, ${read()}`);
    },
  },
  {
    name: "never-guard",
    missed: "takes an instruction under @!PT for a definition",
    write({ e, rng, int, read, see }) {
      const d = int(`IADD $, ${read()}, 3`);
      e.emit(`MOV ${d}, ${rng.below(9)}`, "!PT");
      if (rng.chance(0.5)) e.emit(`IADD ${d}, ${d}, 1`, "PT");
      see(d);
    },
  },
  {
    name: "callee-local",
    missed: "keeps a word of local memory in a register over a call that changes it",
    needs: ({ calls, local }) => calls && local,
    write({ e, read, show }) {
      e.emit(`STL [${LOCAL}], ${read()}`);
      show(`CALL stash, {$}, {${read()}}`);
      show(`LDL $, [${LOCAL}]`);
    },
  },
  {
    name: "generic",
    missed: "takes a generic store for one of another space",
    needs: ({ memory, shared, longs }) => memory && shared && longs,
    write({ e, rng, frame, read, show }) {
      e.emit(`STS [${frame.shared}], ${read()}`);
      e.emit(`ST [${frame.shared}], ${read()}`, rng.chance(0.2) ? e.condition() : null);
      show(`LDS $, [${frame.shared}]`);
    },
  },
  {
    name: "halves",
    missed: "takes a product and a sum of halves for one operation, which rounds once",
    needs: ({ floats }) => floats,
    write({ rng, int, pred, read, show, seePred }) {
      const half = (): string => {
        const h = int(`I2F.F16.S32 $, ${int(`LOP.AND $, ${read()}, 1023`)}`);
        return rng.chance(0.5) ? h : int(`PRMT $, ${h}, 0x1010, RZ`);
      };
      const [a, b] = [half(), half()];
      const m = int(`HMUL2 $, ${a}, ${b}`);
      show(`HADD2 $, ${m}, ${rng.pick([a, b])}`);
      seePred(pred(`HSETP2.LT $, ${a}, ${b}`));
    },
  },
  {
    name: "reloaded",
    missed: "takes a second load of a place for the first, whatever was stored between",
    needs: ({ memory }) => memory,
    write({ e, rng, frame, int, read, show }) {
      const at = `[${frame.own}+${4 * rng.below(12)}]`;
      show(`LDG $, ${at}`);
      e.emit(`STG ${at}, ${int(`IADD $, ${read()}, ${1 + rng.below(9)}`)}`);
      show(`LDG $, ${at}`);
    },
  },
  {
    name: "stored-again",
    missed: "removes a store that is overwritten later, whatever loads it between",
    needs: ({ memory }) => memory,
    write({ e, rng, frame, int, read, show }) {
      const word = 4 * rng.below(12);
      e.emit(`STG [${frame.own}+${word}], ${int(`IADD $, ${read()}, 7`)}`);
      // Through a different register, so that only the address shows it.
      const address = e.fresh("long");
      e.emit(`IADD.64 ${address}, ${frame.own}, ${word}`);
      show(`LDG $, [${address}]`);
      e.emit(`STG [${frame.own}+${word}], ${read()}`);
    },
  },
  {
    name: "negated",
    missed: "compares operands without their signs",
    write({ rng, read, show }) {
      const [a, b] = [read(), read()];
      const forms = rng.pick([
        [`${a}, ${b}`, `-${a}, ${b}`],
        [`${a}, ${b}`, `${a}, -${b}`],
        [`-${a}, ${b}`, `${a}, ${b}`],
      ]);
      for (const form of forms) show(`IADD $, ${form}`);
    },
  },
  {
    name: "large-product",
    missed: "multiplies constants as doubles, which round beyond 2^53",
    write({ rng, int, show }) {
      const [a, b] = [int(`MOV $, ${rng.pick(BIG)}`), int(`MOV $, ${rng.pick(BIG)}`)];
      show(`${rng.pick(["IMUL", "IMUL", "IMUL.HI", "IMUL.HI.U32"])} $, ${a}, ${b}`);
      show(`IMUL $, ${a}, ${b}`);
    },
  },
  {
    name: "overflow",
    missed: "takes a + 1 to be greater than a",
    write({ e, rng, int, pred, read, seePred }) {
      const a = rng.chance(0.7) ? int(`SEL $, 2147483647, ${read()}, ${e.condition()}`) : read();
      const b = int(`IADD $, ${a}, 1`);
      seePred(pred(`ISETP.GT $, ${b}, ${a}`));
    },
  },
  {
    name: "division",
    missed: "divides signed numbers by a power of two with a shift",
    write({ rng, int, read, show }) {
      const sign = rng.pick([".S32", ".S32", ".U32"]);
      const a = int(`ISUB $, ${read()}, ${rng.pick([5, 77, 1001])}`);
      show(`IDIV${sign} $, ${a}, ${rng.pick([2, 4, 8, 16])}`);
      show(`${rng.pick(["IDIV", "IREM"])}${sign} $, ${a}, ${rng.pick([3, 7, 10])}`);
    },
  },
  {
    name: "division-by-zero",
    missed: "takes a quotient by zero for zero",
    write({ rng, int, read, show }) {
      const zero = rng.chance(0.5) ? "0" : int(`LOP.AND $, ${read()}, 0`);
      show(`IDIV${rng.pick([".S32", ".U32"])} $, ${read()}, ${zero}`);
      show(`IREM $, ${read()}, ${zero}`);
    },
  },
  {
    name: "unsafe-arm",
    missed: "runs the load of an arm before the test that guards it",
    needs: ({ memory }) => memory,
    write({ e, rng, frame, int, pred, read, total }) {
      const [arm, join] = [e.label(), e.label()];
      const index = int(`LOP.AND $, ${read()}, ${rng.pick([127, 255])}`);
      const sum = total();
      const p = pred(`ISETP.GE.U32 $, ${index}, 64`);
      e.branch(join, p);
      e.start(arm);
      e.scoped(() => {
        const scaled = int(`IMUL $, ${index}, ${FAR}`);
        const [kept, address] = [int(`SEL $, ${index}, ${scaled}, !${p}`), e.fresh("long")];
        e.emit(`IMAD.WIDE ${address}, ${kept}, 4, ${frame.input}`);
        e.emit(`IADD ${sum}, ${sum}, ${int(`LDG $, [${address}]`)}`);
      });
      e.start(join);
    },
  },
  {
    name: "float-chain",
    missed: "adds floats in another order",
    needs: ({ floats }) => floats,
    write({ e, rng, read, see }) {
      const float = (text: string): string => {
        const d = e.fresh("float");
        e.emit(text.replace("$", d));
        return d;
      };
      const a = float(`I2F.F32.S32 $, ${read()}`);
      const first = float(`FADD $, ${a}, ${rng.pick(["0.1", "1.0e8", "16777216.0"])}`);
      const second = float(`FADD $, ${first}, ${rng.pick(["-1.0e8", "0.3", "-16777216.0"])}`);
      see(float(`FADD $, ${second}, ${rng.pick(["0.7", "3.0"])}`));
    },
  },
  {
    name: "loop-vote",
    missed: "takes a vote out of a loop that lanes leave one after the other",
    needs: ({ warp }) => warp,
    write({ e, rng, frame, int, pred, total }) {
      const [head, done] = [e.label(), e.label()];
      const limit = int(`LOP.AND $, ${frame.thread}, ${rng.pick([1, 3])}`);
      const count = int("MOV $, 0");
      const asked = e.condition();
      const sum = total();
      e.start(head);
      e.scoped(() => {
        const vote = int(rng.pick(["VOTE.BALLOT $, PT", "ACTIVEMASK $", `VOTE.BALLOT $, ${asked}`]));
        e.emit(`IMAD ${sum}, ${sum}, 3, ${vote}`);
        e.emit(`IADD ${count}, ${count}, 1`);
        e.branch(head, pred(`ISETP.LE $, ${count}, ${limit}`));
      });
      e.start(done);
    },
  },
  {
    name: "guarded-region",
    missed: "opens a region for the lanes that a guard keeps out of it",
    needs: ({ apart, regions }) => apart && regions,
    write({ e, warp, total, show }) {
      const [join, arm, barrier] = [e.label(), e.label(), e.barrier()];
      e.emit(`BSSY ${barrier}, ${join}`, warp.laneTest());
      e.branch(join, warp.laneTest());
      e.start(arm);
      const sum = total();
      e.emit(`IADD ${sum}, ${sum}, 3`);
      e.start(join);
      e.emit(`BSYNC ${barrier}`);
      show("VOTE.BALLOT $, PT");
    },
  },
  {
    name: "common-word",
    missed: "moves the load of a word to before the store that parts of a warp make there",
    needs: ({ memory, regions }) => memory && regions,
    write({ e, warp, frame, int, total, see }) {
      const [join, late, arm, barrier] = [e.label(), e.label(), e.label(), e.barrier()];
      const p = warp.laneTest();
      const value = int(`SEL $, 1, 2, ${p}`);
      e.emit(`BSSY ${barrier}, ${late}`);
      e.branch(join, p);
      e.start(arm);
      const sum = total();
      e.emit(`IADD ${sum}, ${sum}, 3`);
      e.start(join);
      // One word per lane: parts of a warp that stored to one word would race.
      const at = int(`SHL $, ${frame.thread}, 2`);
      e.emit(`STS [${at}+${COMMON_WORD}], ${value}`);
      const got = int(`LDS $, [${at}+${COMMON_WORD}]`);
      e.start(late);
      e.emit(`BSYNC ${barrier}`);
      see(got);
    },
  },
  {
    name: "barrier-arms",
    missed: "takes a barrier out of one arm where the other arm waits, too",
    needs: ({ barriers, shared, apart }) => barriers && shared && !apart,
    write({ e, warp, frame, int, read, show }) {
      const [other, one, join] = [e.label(), e.label(), e.label()];
      e.emit(`STS [${frame.shared}], ${read()}`);
      e.branch(other, warp.laneTest());
      e.start(one);
      e.emit("BAR.SYNC 0");
      e.branch(join);
      e.start(other);
      e.emit("BAR.SYNC 0");
      e.start(join);
      show(`LDS $, [${int(`LOP.XOR $, ${frame.shared}, 16`)}]`);
      e.emit("BAR.SYNC 0");
    },
  },
  {
    name: "copied-arms",
    missed: "gives a merge the copy that an arm made, when the arm is gone",
    needs: ({ phis }) => phis,
    write({ e, read, show }) {
      const [other, one, join] = [e.label(), e.label(), e.label()];
      const [value, d] = [read(), e.fresh("int")];
      e.branch(other, e.condition());
      e.start(one);
      e.branch(join);
      e.start(other);
      e.emit(`MOV ${d}, ${value}`);
      e.start(join);
      show(`PHI $, [${one}: ${value}], [${other}: ${d}]`);
    },
  },
  {
    name: "back-copy",
    missed: "lets an instruction write the target of a later copy, though what it wrote is read after it",
    write({ e, rng, int, read, total, see }) {
      const target = total();
      const d = int(`IMAD $, ${read()}, 3, ${read()}`);
      if (rng.chance(0.3)) see(d);
      e.emit(`MOV ${target}, ${d}`);
      if (rng.chance(0.3)) e.emit(`IADD ${target}, ${target}, ${d}`);
    },
  },
  {
    name: "dense-cases",
    missed: "takes the cases of a switch in another order",
    write({ e, rng, int, pred, read, total }) {
      const count = 5 + rng.below(4);
      const selector = int(`LOP.AND $, ${read()}, 15`);
      const targets = Array.from({ length: count }, () => e.label());
      const [fallback, join] = [e.label(), e.label()];
      const sum = total();
      const mark = e.mark();
      targets.forEach((target, i) => {
        if (i > 0) e.start(e.label());
        e.branch(target, pred(`ISETP.EQ $, ${selector}, ${i}`));
      });
      e.branch(fallback);
      e.forget(mark);
      targets.forEach((target, i) => {
        e.start(target);
        e.emit(`IMAD ${sum}, ${sum}, ${3 + i}, ${i}`);
        e.branch(join);
      });
      e.start(fallback);
      e.emit(`IADD ${sum}, ${sum}, 1`);
      e.start(join);
    },
  },
];

/** Writes one of the kinds that the program may contain. */
export function writeKind(e: Emitter, straight: Straight, frame: Frame, features: Features): void {
  e.rng.pick(KINDS.filter(({ needs }) => needs?.(features) !== false)).write(new Pen(e, straight, frame));
}
