/** Random PTX kernels for the check on a device: whole numbers, branches, loops, tables, shared memory, shuffles and votes; no races, nothing undefined. */

import { createPrng, type Prng } from "../../src/base/prng.ts";

const WORDS = 6;
const CONSTANTS = [0, 1, 2, 3, 7, 8, 31, 32, 255, 0x7fffffff, -2147483648, -1, 65535];

/** `k(in, out, n)`: each thread reads its word of `in` and stores a word to `out`. */
export function randomPtx(seed: number): string {
  const writer = new Writer(createPrng(seed));
  writer.statements(4, 0, true);
  return `.version 7.8
.target sm_75
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<${writer.predicates + 1}>;
  .reg .b32 %r<${WORDS}>, %t<${writer.temporaries + 1}>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 words[4096];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u32 %r1, [n];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %t0, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r2, %r2, %r3, %t0;
  mul.wide.u32 %rd3, %r2, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r0, [%rd1];
  mov.u32 %r4, 40503;
  xor.b32 %r5, %r0, %r2;
${writer.lines.join("\n")}
  xor.b32 %r0, %r0, %r1;
  add.u32 %r2, %r2, %r3;
  mad.lo.u32 %r0, %r0, 31, %r2;
  mad.lo.u32 %r4, %r4, 17, %r5;
  xor.b32 %r0, %r0, %r4;
  st.global.u32 [%rd2], %r0;
  ret;
}
`;
}

class Writer {
  readonly lines: string[] = [];
  predicates = 0;
  temporaries = 0;
  private labels = 0;
  private readonly rng: Prng;

  constructor(rng: Prng) {
    this.rng = rng;
  }

  /** `together`: all threads of the block come here. */
  statements(count: number, depth: number, together: boolean): void {
    for (let i = 0; i < count; i++) {
      const roll = this.rng.below(depth < 3 ? 12 : 7);
      if (roll < 7) this.arithmetic();
      else if (roll < 8 && together) this.lanes();
      else if (roll < 9) this.loop(depth, together);
      else if (roll < 10) this.table(depth);
      else this.choice(depth);
    }
  }

  private emit(line: string): void {
    this.lines.push(`  ${line}`);
  }

  private word = (): string => `%r${this.rng.below(WORDS)}`;
  private source = (): string => (this.rng.chance(0.3) ? String(this.rng.pick(CONSTANTS)) : this.word());
  private label = (): string => `$L${this.labels++}`;

  private temporary(): string {
    return `%t${++this.temporaries}`;
  }

  private test(): string {
    const p = `%p${++this.predicates}`;
    this.emit(
      `setp.${this.rng.pick(["eq", "ne", "lt", "le", "gt", "ge"])}.${this.rng.pick(["s32", "u32"])} ${p}, ${this.word()}, ${this.source()};`,
    );
    return this.rng.chance(0.3) ? `!${p}` : p;
  }

  private arithmetic(): void {
    const { rng } = this;
    const d = this.word();
    const guard = rng.chance(0.15) ? `@${this.test()} ` : "";
    const two = (): string => `${d}, ${this.word()}, ${this.source()}`;
    const sign = rng.pick(["s32", "u32"]);
    this.emit(
      guard +
        rng.pick([
          () => `${rng.pick(["add", "sub", "mul.lo", "min", "max"])}.${sign} ${two()};`,
          () => `${rng.pick(["and", "or", "xor"])}.b32 ${two()};`,
          () => `mul.hi.${sign} ${two()};`,
          () => `mad.lo.s32 ${two()}, ${this.word()};`,
          () => `shl.b32 ${d}, ${this.word()}, ${rng.below(36)};`,
          () => `shr.${sign} ${d}, ${this.word()}, ${rng.below(36)};`,
          () => `shf.${rng.pick(["l", "r"])}.${rng.pick(["wrap", "clamp"])}.b32 ${two()}, ${this.word()};`,
          () => `${rng.pick(["popc.b32", "clz.b32", "brev.b32", "not.b32", "neg.s32", "abs.s32"])} ${d}, ${this.word()};`,
          () => `bfe.${sign} ${d}, ${this.word()}, ${rng.below(33)}, ${rng.below(33)};`,
          () => `bfi.b32 ${d}, ${this.word()}, ${this.word()}, ${rng.below(33)}, ${rng.below(33)};`,
          () => `lop3.b32 ${two()}, ${this.word()}, ${rng.below(256)};`,
          () => `prmt.b32 ${two()}, ${this.word()};`,
          () => `bmsk.${rng.pick(["clamp", "wrap"])}.b32 ${two()};`,
          () => `div.${sign} ${d}, ${this.word()}, ${rng.pick([3, 7, 10, 641, -5])};`,
          () => `rem.${sign} ${d}, ${this.word()}, ${rng.pick([3, 7, 10, 641])};`,
        ])(),
    );
  }

  private choice(depth: number): void {
    const [other, end] = [this.label(), this.label()];
    this.emit(`@${this.test()} bra ${other};`);
    this.statements(1 + this.rng.below(3), depth + 1, false);
    this.emit(`bra ${end};`);
    this.lines.push(`${other}:`);
    if (this.rng.chance(0.6)) this.statements(1 + this.rng.below(2), depth + 1, false);
    this.lines.push(`${end}:`);
  }

  /** The same number of iterations for all threads, or as many as the thread's own word says. */
  private loop(depth: number, together: boolean): void {
    const [head, counter, p] = [this.label(), this.temporary(), `%p${++this.predicates}`];
    const same = this.rng.chance(0.5);
    if (same) this.emit(`mov.u32 ${counter}, ${1 + this.rng.below(4)};`);
    else this.emit(`and.b32 ${counter}, ${this.word()}, 3;`);
    this.lines.push(`${head}:`);
    this.statements(1 + this.rng.below(2), depth + 1, together && same);
    this.emit(`sub.u32 ${counter}, ${counter}, 1;`);
    this.emit(`setp.gt.s32 ${p}, ${counter}, 0;`);
    this.emit(`@${p} bra ${head};`);
  }

  private table(depth: number): void {
    const [index, end] = [this.temporary(), this.label()];
    const cases = Array.from({ length: 4 }, () => this.label());
    const name = `$T${this.labels++}`;
    this.emit(`and.b32 ${index}, ${this.word()}, 3;`);
    this.lines.push(`${name}: .branchtargets ${cases.join(", ")};`);
    this.emit(`brx.idx ${index}, ${name};`);
    for (const label of cases) {
      this.lines.push(`${label}:`);
      this.statements(1, depth + 1, false);
      this.emit(`bra ${end};`);
    }
    this.lines.push(`${end}:`);
  }

  /** What threads do together: a shuffle, a vote, or words handed on in shared memory. The block is of whole warps. */
  private lanes() {
    const d = this.word();
    switch (this.rng.below(4)) {
      case 0:
        return this.emit(`shfl.sync.bfly.b32 ${d}, ${this.word()}, ${1 + this.rng.below(31)}, 31, -1;`);
      case 1:
        return this.emit(`vote.sync.ballot.b32 ${d}, ${this.test()}, -1;`);
      case 2:
        return this.emit(`bar.red.popc.u32 ${d}, 0, ${this.test()};`);
      default: {
        const at = this.temporary();
        this.emit(`mov.u32 ${at}, words;`);
        this.emit(`mad.lo.u32 ${at}, %t0, 4, ${at};`);
        this.emit(`st.shared.u32 [${at}], ${this.word()};`);
        this.emit("bar.sync 0;");
        this.emit(`xor.b32 ${at}, ${at}, 4;`);
        this.emit(`ld.shared.u32 ${d}, [${at}];`);
        this.emit("bar.sync 0;");
      }
    }
  }
}
