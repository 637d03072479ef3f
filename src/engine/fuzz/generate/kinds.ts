/**
 * What people write and the shapes of the other files do not make: each kind is one row, with what a pass that ignores it gets wrong (`bench/faults/kinds.ts`
 * has such a pass for each). Drawn only on request, so that programs without kinds do not change.
 */

import type { Emitter } from "./emitter.ts";
import type { Frame } from "./frame.ts";
import type { Features } from "./options.ts";
import type { Straight } from "./straight.ts";

export interface KindKit {
  readonly e: Emitter;
  readonly straight: Straight;
  readonly frame: Frame;
  readonly features: Features;
}

export interface Kind {
  readonly name: string;
  /** What a pass that knows nothing of it does. */
  readonly missed: string;
  /** Left out: everywhere. */
  readonly needs?: (features: Features) => boolean;
  readonly write: (kit: KindKit) => void;
}

/** Functions that kinds call; a program that draws one ends with them. */
export const KIND_CALLEES = `.func stash(a: R0) -> R1
BB0:
    LDL R1, [0x10]
    STL [0x10], R0
    RET
`;

/** Bytes of local memory that only kinds use, and a word of shared memory beyond what threads have there. */
const LOCAL = 0x10;
const COMMON_WORD = 0x2000;
/** Buffers end far below: no load there, whatever the index. */
const FAR = 0x0100_0000;
const BIG = [0x7fffffff, 0xfffffff1, 0x7ffffff3, 0x40000001, 0x12345679];

/** The value has a part in what is observed. */
function seen({ e }: KindKit, value: string): void {
  const total = e.rng.pick(e.pool.int);
  e.emit(`IMAD ${total}, ${total}, 5, ${value}`);
}

/** A result that has a part in what is observed. */
const show = (kit: KindKit, text: (d: string) => string): void => seen(kit, kit.e.make("int", text));

const compared = (e: Emitter): string =>
  e.make("pred", (p) => `ISETP.${e.rng.pick(["LT", "GE", "NE"])} ${p}, ${e.read("int")}, ${e.rng.below(9)}`);

const selected = (kit: KindKit, p: string): void => show(kit, (d) => `SEL ${d}, 1, 2, ${p}`);

function own({ e, frame }: KindKit): string {
  return `[${frame.own}+${4 * e.rng.below(12)}]`;
}

export const KINDS: readonly Kind[] = [
  {
    name: "masked-predicates",
    missed: "takes R2P for a definition of every predicate of its list",
    write(kit) {
      const { e } = kit;
      const [p, q] = [compared(e), compared(e)];
      e.emit(`R2P {${q}, ${p}}, ${e.read("int")}, ${e.rng.pick([1, 1, 2, 3])}`);
      selected(kit, p);
      selected(kit, q);
      if (e.rng.chance(0.4)) show(kit, (d) => `P2R ${d}, {${p}, ${q}}, ${e.read("int")}`);
    },
  },
  {
    name: "never-guard",
    missed: "takes an instruction under @!PT for a definition",
    write(kit) {
      const { e } = kit;
      const d = e.make("int", (r) => `IADD ${r}, ${e.read("int")}, 3`);
      e.emit(`MOV ${d}, ${e.rng.below(9)}`, "!PT");
      if (e.rng.chance(0.5)) e.emit(`IADD ${d}, ${d}, 1`, "PT");
      seen(kit, d);
    },
  },
  {
    name: "callee-local",
    missed: "keeps a word of local memory in a register over a call that changes it",
    needs: ({ calls, local }) => calls && local,
    write(kit) {
      const { e } = kit;
      e.emit(`STL [${LOCAL}], ${e.read("int")}`);
      show(kit, (d) => `CALL stash, {${d}}, {${e.read("int")}}`);
      show(kit, (r) => `LDL ${r}, [${LOCAL}]`);
    },
  },
  {
    name: "generic",
    missed: "takes a generic store for one of another space",
    needs: ({ memory, shared, longs }) => memory && shared && longs,
    write(kit) {
      const { e, frame } = kit;
      e.emit(`STS [${frame.shared}], ${e.read("int")}`);
      e.emit(`ST [${frame.shared}], ${e.read("int")}`, e.rng.chance(0.2) ? e.condition() : null);
      show(kit, (d) => `LDS ${d}, [${frame.shared}]`);
    },
  },
  {
    name: "halves",
    missed: "takes a product and a sum of halves for one operation, which rounds once",
    needs: ({ floats }) => floats,
    write(kit) {
      const { e } = kit;
      const half = (): string => {
        const f = e.make("int", (d) => `LOP.AND ${d}, ${e.read("int")}, 1023`);
        const g = e.make("int", (d) => `I2F.F16.S32 ${d}, ${f}`);
        return e.rng.chance(0.5) ? g : e.make("int", (d) => `PRMT ${d}, ${g}, 0x1010, RZ`);
      };
      const [a, b] = [half(), half()];
      const m = e.make("int", (d) => `HMUL2 ${d}, ${a}, ${b}`);
      show(kit, (d) => `HADD2 ${d}, ${m}, ${e.rng.pick([a, b])}`);
      const less = e.make("pred", (p) => `HSETP2.LT ${p}, ${a}, ${b}`);
      selected(kit, less);
    },
  },
  {
    name: "reloaded",
    missed: "takes a second load of a place for the first, whatever was stored between",
    needs: ({ memory }) => memory,
    write(kit) {
      const { e } = kit;
      const at = own(kit);
      show(kit, (d) => `LDG ${d}, ${at}`);
      e.emit(`STG ${at}, ${e.make("int", (d) => `IADD ${d}, ${e.read("int")}, ${1 + e.rng.below(9)}`)}`);
      show(kit, (d) => `LDG ${d}, ${at}`);
    },
  },
  {
    name: "stored-again",
    missed: "removes a store that is overwritten later, whatever loads it between",
    needs: ({ memory }) => memory,
    write(kit) {
      const { e, frame } = kit;
      const word = 4 * e.rng.below(12);
      e.emit(`STG [${frame.own}+${word}], ${e.make("int", (d) => `IADD ${d}, ${e.read("int")}, 7`)}`);
      // By a different name, so that only the address shows it.
      const address = e.fresh("long");
      e.emit(`IADD.64 ${address}, ${frame.own}, ${word}`);
      show(kit, (d) => `LDG ${d}, [${address}]`);
      e.emit(`STG [${frame.own}+${word}], ${e.read("int")}`);
    },
  },
  {
    name: "negated",
    missed: "compares operands without their signs",
    write(kit) {
      const { e } = kit;
      const [a, b] = [e.read("int"), e.read("int")];
      const forms = e.rng.pick([
        [`${a}, ${b}`, `-${a}, ${b}`],
        [`${a}, ${b}`, `${a}, -${b}`],
        [`-${a}, ${b}`, `${a}, ${b}`],
      ] as const);
      for (const form of forms) show(kit, (d) => `IADD ${d}, ${form}`);
    },
  },
  {
    name: "large-product",
    missed: "multiplies constants as doubles, which round beyond 2^53",
    write(kit) {
      const { e } = kit;
      const [a, b] = [e.make("int", (d) => `MOV ${d}, ${e.rng.pick(BIG)}`), e.make("int", (d) => `MOV ${d}, ${e.rng.pick(BIG)}`)];
      const of = e.rng.pick(["IMUL", "IMUL", "IMUL.HI", "IMUL.HI.U32"]);
      show(kit, (d) => `${of} ${d}, ${a}, ${b}`);
      show(kit, (d) => `IMUL ${d}, ${a}, ${b}`);
    },
  },
  {
    name: "overflow",
    missed: "takes a + 1 to be greater than a",
    write(kit) {
      const { e } = kit;
      const a = e.rng.chance(0.7) ? e.make("int", (d) => `SEL ${d}, 2147483647, ${e.read("int")}, ${e.condition()}`) : e.read("int");
      const b = e.make("int", (d) => `IADD ${d}, ${a}, 1`);
      const greater = e.make("pred", (p) => `ISETP.GT ${p}, ${b}, ${a}`);
      selected(kit, greater);
    },
  },
  {
    name: "division",
    missed: "divides signed numbers by a power of two with a shift",
    write(kit) {
      const { e } = kit;
      const sign = e.rng.pick([".S32", ".S32", ".U32"]);
      const a = e.make("int", (d) => `ISUB ${d}, ${e.read("int")}, ${e.rng.pick([5, 77, 1001])}`);
      show(kit, (d) => `IDIV${sign} ${d}, ${a}, ${e.rng.pick([2, 4, 8, 16])}`);
      show(kit, (d) => `${e.rng.pick(["IDIV", "IREM"])}${sign} ${d}, ${a}, ${e.rng.pick([3, 7, 10])}`);
    },
  },
  {
    name: "division-by-zero",
    missed: "takes a quotient by zero for zero",
    write(kit) {
      const { e } = kit;
      const zero = e.rng.chance(0.5) ? "0" : e.make("int", (d) => `LOP.AND ${d}, ${e.read("int")}, 0`);
      show(kit, (d) => `IDIV${e.rng.pick([".S32", ".U32"])} ${d}, ${e.read("int")}, ${zero}`);
      show(kit, (d) => `IREM ${d}, ${e.read("int")}, ${zero}`);
    },
  },
  {
    name: "unsafe-arm",
    missed: "runs the load of an arm before the test that guards it",
    needs: ({ memory }) => memory,
    write(kit) {
      const { e, frame } = kit;
      const [arm, join] = [e.label(), e.label()];
      const index = e.make("int", (d) => `LOP.AND ${d}, ${e.read("int")}, ${e.rng.pick([127, 255])}`);
      const total = e.rng.pick(e.pool.int);
      const p = e.make("pred", (q) => `ISETP.GE.U32 ${q}, ${index}, 64`);
      e.branch(join, p);
      e.start(arm);
      e.scoped(() => {
        const scaled = e.make("int", (d) => `IMUL ${d}, ${index}, ${FAR}`);
        const [kept, address] = [e.make("int", (d) => `SEL ${d}, ${index}, ${scaled}, !${p}`), e.fresh("long")];
        e.emit(`IMAD.WIDE ${address}, ${kept}, 4, ${frame.input}`);
        const value = e.make("int", (d) => `LDG ${d}, [${address}]`);
        e.emit(`IADD ${total}, ${total}, ${value}`);
      });
      e.start(join);
    },
  },
  {
    name: "float-chain",
    missed: "adds floats in another order",
    needs: ({ floats }) => floats,
    write(kit) {
      const { e } = kit;
      const float = (text: (d: string) => string): string => {
        const d = e.fresh("float");
        e.emit(text(d));
        return d;
      };
      const a = float((d) => `I2F.F32.S32 ${d}, ${e.read("int")}`);
      const first = float((d) => `FADD ${d}, ${a}, ${e.rng.pick(["0.1", "1.0e8", "16777216.0"])}`);
      const second = float((d) => `FADD ${d}, ${first}, ${e.rng.pick(["-1.0e8", "0.3", "-16777216.0"])}`);
      const third = float((d) => `FADD ${d}, ${second}, ${e.rng.pick(["0.7", "3.0"])}`);
      seen(kit, third);
    },
  },
  {
    name: "loop-vote",
    missed: "takes a vote out of a loop that lanes leave one after the other",
    needs: ({ warp }) => warp,
    write(kit) {
      const { e, frame } = kit;
      const [head, done] = [e.label(), e.label()];
      const limit = e.make("int", (d) => `LOP.AND ${d}, ${frame.thread}, ${e.rng.pick([1, 3])}`);
      const count = e.make("int", (d) => `MOV ${d}, 0`);
      const asked = e.condition();
      const total = e.rng.pick(e.pool.int);
      e.start(head);
      e.scoped(() => {
        const vote = e.make("int", (d) => e.rng.pick([`VOTE.BALLOT ${d}, PT`, `ACTIVEMASK ${d}`, `VOTE.BALLOT ${d}, ${asked}`]));
        e.emit(`IMAD ${total}, ${total}, 3, ${vote}`);
        e.emit(`IADD ${count}, ${count}, 1`);
        const p = e.make("pred", (q) => `ISETP.LE ${q}, ${count}, ${limit}`);
        e.branch(head, p);
      });
      e.start(done);
    },
  },
  {
    name: "guarded-region",
    missed: "opens a region for the lanes that a guard keeps out of it",
    needs: ({ apart, regions }) => apart && regions,
    write(kit) {
      const { e, straight } = kit;
      const [join, arm, barrier] = [e.label(), e.label(), e.barrier()];
      e.emit(`BSSY ${barrier}, ${join}`, straight.warp.laneTest());
      e.branch(join, straight.warp.laneTest());
      e.start(arm);
      const total = e.rng.pick(e.pool.int);
      e.emit(`IADD ${total}, ${total}, 3`);
      e.start(join);
      e.emit(`BSYNC ${barrier}`);
      show(kit, (d) => `VOTE.BALLOT ${d}, PT`);
    },
  },
  {
    name: "common-word",
    missed: "moves the load of a word to before the store that parts of a warp make there",
    needs: ({ memory, regions }) => memory && regions,
    write(kit) {
      const { e, straight } = kit;
      const [join, late, arm, barrier] = [e.label(), e.label(), e.label(), e.barrier()];
      const p = straight.warp.laneTest();
      const value = e.make("int", (d) => `SEL ${d}, 1, 2, ${p}`);
      e.emit(`BSSY ${barrier}, ${late}`);
      e.branch(join, p);
      e.start(arm);
      const total = e.rng.pick(e.pool.int);
      e.emit(`IADD ${total}, ${total}, 3`);
      e.start(join);
      // A word of each lane's own: parts of a warp that stored to one word would race.
      const at = e.make("int", (d) => `SHL ${d}, ${kit.frame.thread}, 2`);
      e.emit(`STS [${at}+${COMMON_WORD}], ${value}`);
      const got = e.make("int", (d) => `LDS ${d}, [${at}+${COMMON_WORD}]`);
      e.start(late);
      e.emit(`BSYNC ${barrier}`);
      seen(kit, got);
    },
  },
  {
    name: "barrier-arms",
    missed: "takes a barrier out of one arm where the other arm waits, too",
    needs: ({ barriers, shared, apart }) => barriers && shared && !apart,
    write(kit) {
      const { e, frame } = kit;
      const [other, one, join] = [e.label(), e.label(), e.label()];
      e.emit(`STS [${frame.shared}], ${e.read("int")}`);
      e.branch(other, kit.straight.warp.laneTest());
      e.start(one);
      e.emit("BAR.SYNC 0");
      e.branch(join);
      e.start(other);
      e.emit("BAR.SYNC 0");
      e.start(join);
      const neighbour = e.make("int", (d) => `LOP.XOR ${d}, ${frame.shared}, 16`);
      show(kit, (d) => `LDS ${d}, [${neighbour}]`);
      e.emit("BAR.SYNC 0");
    },
  },
  {
    name: "copied-arms",
    missed: "gives a merge the copy that an arm made, when the arm is gone",
    needs: ({ phis }) => phis,
    write(kit) {
      const { e } = kit;
      const [other, one, join] = [e.label(), e.label(), e.label()];
      const [value, d] = [e.read("int"), e.fresh("int")];
      e.branch(other, e.condition());
      e.start(one);
      e.branch(join);
      e.start(other);
      e.emit(`MOV ${d}, ${value}`);
      e.start(join);
      show(kit, (merged) => `PHI ${merged}, [${one}: ${value}], [${other}: ${d}]`);
    },
  },
  {
    name: "back-copy",
    missed: "lets an instruction write the target of a later copy, though what it wrote is read after it",
    write(kit) {
      const { e } = kit;
      const total = e.rng.pick(e.pool.int);
      const d = e.make("int", (r) => `IMAD ${r}, ${e.read("int")}, 3, ${e.read("int")}`);
      if (e.rng.chance(0.3)) seen(kit, d);
      e.emit(`MOV ${total}, ${d}`);
      if (e.rng.chance(0.3)) e.emit(`IADD ${total}, ${total}, ${d}`);
    },
  },
  {
    name: "dense-cases",
    missed: "takes the cases of a switch in another order",
    write(kit) {
      const { e } = kit;
      const count = 5 + e.rng.below(4);
      const selector = e.make("int", (d) => `LOP.AND ${d}, ${e.read("int")}, 15`);
      const targets = Array.from({ length: count }, () => e.label());
      const [fallback, join] = [e.label(), e.label()];
      const total = e.rng.pick(e.pool.int);
      const mark = e.mark();
      targets.forEach((target, i) => {
        if (i > 0) e.start(e.label());
        e.branch(
          target,
          e.make("pred", (p) => `ISETP.EQ ${p}, ${selector}, ${i}`),
        );
      });
      e.branch(fallback);
      e.forget(mark);
      targets.forEach((target, i) => {
        e.start(target);
        e.emit(`IMAD ${total}, ${total}, ${3 + i}, ${i}`);
        e.branch(join);
      });
      e.start(fallback);
      e.emit(`IADD ${total}, ${total}, 1`);
      e.start(join);
    },
  },
];

/** One of the kinds that the program may contain. */
export function writeKind(kit: KindKit): void {
  kit.e.rng.pick(KINDS.filter(({ needs }) => needs === undefined || needs(kit.features))).write(kit);
}
