/** Programs of a wanted size, made from a seed: nested conditions, loops and short straight pieces that end and touch no memory out of range. */

import { mulberry32 } from "../../base/prng.ts";
import { ProgramText } from "../../base/program-text.ts";

/** Constructs nest no deeper. */
const MAX_DEPTH = 5;

/** What one construct adds: a condition with two arms, one with two ways out, or a loop, each with the block after it. */
const CONSTRUCT_BLOCKS = 3;

/** Ori text of one kernel with `blocks` basic blocks, or up to two fewer: constructs bring three each. */
export function generateKernel(name: string, blocks: number, seed: number): string {
  const next = mulberry32(seed);
  const pick = (n: number): number => next() % n;
  const text = new ProgramText();
  const emit = (line: string): unknown => text.emit(line);
  text.start("entry");
  let made = 1;
  let label = 0;
  const fresh = () => `L${++label}`;
  const data = () => 10 + pick(12);
  let predicate = 0;
  const nextPredicate = () => `P${predicate++ % 6}`;
  emit("S2R     R1, SR_TID.X");
  emit("IMAD.WIDE RD3, R1, 4, RD1");
  emit("LDG     R10, [RD3]");
  for (let r = 11; r < 22; r++) emit(`MOV     R${r}, ${pick(64)}`);

  const straight = () => {
    for (let i = 1 + pick(4); i > 0; i--) {
      switch (pick(6)) {
        case 0:
          emit(`IADD    R${data()}, R${data()}, R${data()}`);
          break;
        case 1:
          emit(`ISUB    R${data()}, R${data()}, ${pick(100)}`);
          break;
        case 2:
          emit(`MOV     R${data()}, R${data()}`);
          break;
        case 3:
          emit(`LOP.XOR R${data()}, R${data()}, R${data()}`);
          break;
        case 4:
          emit(`SHL     R${data()}, R${data()}, ${pick(8)}`);
          break;
        default:
          emit(`IMAD    R${data()}, R${data()}, ${1 + pick(9)}, R${data()}`);
      }
    }
  };

  // An explicit list of what is still to be written: regions may nest as deep as they like.
  type Work =
    | { readonly kind: "region"; readonly size: number; readonly depth: number }
    | { readonly kind: "text"; readonly write: () => void };
  const work: Work[] = [{ kind: "region", size: blocks - 1, depth: 0 }];
  // Size that a region is too small to use is left for the next one.
  let spare = 0;
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (item.kind === "text") {
      item.write();
      continue;
    }
    const { depth } = item;
    const size = item.size + spare;
    straight();
    spare = size < CONSTRUCT_BLOCKS ? size : 0;
    if (size < CONSTRUCT_BLOCKS) continue;
    // One construct takes a part of the region; what is left follows it on the same level.
    const part = depth >= MAX_DEPTH ? CONSTRUCT_BLOCKS : Math.min(size, CONSTRUCT_BLOCKS + pick(Math.max(1, Math.floor(size * 0.6))));
    const then = (write: () => void): Work => ({ kind: "text", write });
    const inside = (blocksInside: number): Work => ({ kind: "region", size: blocksInside, depth: depth + 1 });
    const head = (label: string) => {
      text.start(label);
      made++;
    };
    work.push({ kind: "region", size: size - part, depth });
    switch (pick(depth >= MAX_DEPTH ? 2 : 3)) {
      case 0: {
        const [other, join, p] = [fresh(), fresh(), nextPredicate()];
        emit(`ISETP.LT  ${p}, R${data()}, ${pick(200)}`);
        text.emit(`BRA    ${other}`, p);
        made++;
        work.push(
          then(() => head(join)),
          inside(Math.floor((part - CONSTRUCT_BLOCKS) / 2)),
          then(() => {
            emit(`BRA     ${join}`);
            head(other);
          }),
          inside(Math.ceil((part - CONSTRUCT_BLOCKS) / 2)),
        );
        break;
      }
      case 1: {
        const [join, p, q] = [fresh(), nextPredicate(), nextPredicate()];
        emit(`ISETP.GT  ${p}, R${data()}, ${pick(50)}`);
        text.emit(`BRA    ${join}`, p);
        emit(`ISETP.EQ  ${q}, R${data()}, ${pick(50)}`);
        text.emit(`BRA    ${join}`, q);
        made += 2;
        work.push(
          then(() => head(join)),
          inside(part - CONSTRUCT_BLOCKS),
        );
        break;
      }
      default: {
        const [loop, end, p, counter] = [fresh(), fresh(), nextPredicate(), `R${100 + label}`];
        emit(`MOV     ${counter}, 0`);
        head(loop);
        emit(`ISETP.GE  ${p}, ${counter}, ${2 + pick(4)}`);
        text.emit(`BRA    ${end}`, p);
        made++;
        work.push(
          then(() => {
            emit(`IADD    ${counter}, ${counter}, 1`);
            emit(`BRA     ${loop}`);
            head(end);
          }),
          inside(part - CONSTRUCT_BLOCKS),
        );
      }
    }
  }
  emit("IMAD.WIDE RD4, R1, 4, RD2");
  emit(`STG     [RD4], R${data()}`);
  emit("EXIT");
  return text.text(`// Generated: ${made} blocks, seed ${seed}.\n.kernel ${name}(n: R0, a: RD1, out: RD2)`);
}
