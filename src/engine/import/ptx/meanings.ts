/** What each PTX instruction does, in a few words: one line an opcode root. */

import type { OpSpelling } from "./types.ts";

/** `root: words`, a line each. */
const WORDS = `
abs: absolute value
activemask: mask of the lanes that run this together
add: a + b
addc: a + b + carry
alloca: memory on the stack
and: bitwise and
applypriority: changes the eviction priority of a cache line
atom: reads, changes and writes memory in one step; gives the old value
bar: waits for the threads of the block
barrier: waits for the threads of the block
bfe: bit field extract
bfi: bit field insert
bfind: position of the highest bit that is not a sign
bmsk: mask of a run of ones
bra: branch
brev: bits in reverse order
brkpt: breakpoint
brx: branch to one of a list of targets
call: calls a function
clz: number of leading zeros
cnot: 1 if zero, else 0
copysign: sign of one value, magnitude of another
cos: cosine, approximated
cp: asynchronous copy
createpolicy: makes a cache policy
cvt: conversion between types
cvta: address of one space to or from a generic address
discard: drops a cache line without writing it back
div: a / b
dp2a: dot product of two pairs, added to c
dp4a: dot product of four bytes, added to c
elect: chooses one lane of a warp
ex2: 2 to the power of a, approximated
exit: ends the thread
fence: orders memory accesses
fma: a * b + c, rounded once
fns: finds the n-th set bit
getctarank: rank of the block that an address belongs to
griddepcontrol: waits for or starts dependent grids
isspacep: does an address lie in a space?
istypep: is a handle of a type?
ld: load
ldmatrix: loads matrices from shared memory for the warp
ldu: load of data that is the same for all lanes
lg2: logarithm to base 2, approximated
lop3: three-input logic by an 8-bit truth table
mad: a * b + c
mad24: a * b + c of 24-bit values
madc: a * b + c + carry
mapa: address in the shared memory of another block of the cluster
match: lanes that hold the same value
max: larger of two
mbarrier: barrier object in shared memory
membar: orders memory accesses
min: smaller of two
mma: product of matrices, added to a third, by the warp
movmatrix: transposes a matrix in registers
mov: copy, or the address of a symbol
mul: a * b
mul24: a * b of 24-bit values
multimem: access to several memories at once
nanosleep: sleeps for some time
neg: -a
not: bitwise not
or: bitwise or
pmevent: triggers a performance event
popc: number of ones
prefetch: brings a cache line
prefetchu: brings a cache line to the uniform cache
prmt: picks bytes of a pair
rcp: 1 / a
red: changes memory in one step, without a result
redux: one value made of all lanes' values
rem: remainder of a / b
ret: returns to the caller; in a kernel, ends the thread
rsqrt: 1 / square root
sad: |a - b| + c
selp: a if the predicate holds, else b
set: compare; all ones or zero
setmaxnreg: changes how many registers the warp has
setp: compare; predicate
shf: funnel shift of a pair
shfl: value of another lane
shl: shift to the left
shr: shift to the right
sin: sine, approximated
slct: a if c is not negative, else b
sqrt: square root
st: store
stackrestore: gives back memory of the stack
stacksave: remembers the top of the stack
stmatrix: stores matrices to shared memory for the warp
sub: a - b
subc: a - b - borrow
suld: load from a surface
suq: asks about a surface
sured: changes a surface in one step
sust: store to a surface
szext: keeps low bits and extends them
tanh: hyperbolic tangent, approximated
tcgen05: tensor core of the fifth generation
tensormap: changes a tensor map
testp: what kind of float is it?
tex: reads a texture
tld4: reads four texels
trap: stops the kernel with an error
txq: asks about a texture
vote: asks all lanes of the warp
wgmma: product of matrices by a warp group
wmma: product of matrices by the warp
xor: bitwise exclusive or
`;

const MEANINGS: ReadonlyMap<string, string> = new Map(
  WORDS.trim()
    .split("\n")
    .map((line): [string, string] => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
);

/** Words that change what the root alone says. */
const FORMS: Readonly<Record<string, string>> = {
  "mul.hi": "high half of a * b",
  "mul.lo": "low half of a * b",
  "mul.wide": "a * b, twice as wide",
  "mad.hi": "high half of a * b, plus c",
  "mad.lo": "low half of a * b, plus c",
  "mad.wide": "a * b, twice as wide, plus c",
  "ld.param": "load of a parameter",
  "st.param": "store of an argument or a result",
  "cvta.to": "generic address to an address of the space",
  "vote.ballot": "mask of the lanes whose predicate holds",
  "bar.warp": "waits for lanes of the warp",
  "bra.uni": "branch that all lanes take together",
};

/** Null for a root that no PTX version has. */
export function ptxMeaning(op: OpSpelling): string | null {
  for (const mod of op.mods) {
    const form = FORMS[`${op.root}.${mod}`];
    if (form !== undefined) return form;
  }
  return (
    MEANINGS.get(op.root) ??
    (/^v(?:add|sub|absdiff|min|max|avrg|set|shl|shr|mad)\d?$/.test(op.root) ? "video instruction on parts of words" : null)
  );
}
