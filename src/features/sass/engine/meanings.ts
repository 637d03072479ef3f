/** What each SASS instruction does, in a few words: Ori's own table if it has the opcode, a line here for the rest. */

import { isOpcode, opcodeInfo } from "../../../engine/ir/opcodes.ts";

/** `roots: words`, one line each. Opcodes that do the same share one. */
const WORDS = `
ACQBULK: waits for bulk copies to be visible
ARRIVES: arrives at a barrier in shared memory when copies are done
ATOMG: atomic operation on global memory; gives the old value
B2R: barrier's state to a register
BMOV: moves a convergence barrier's mask
BPT: breakpoint or trap
BREAK: takes lanes out of a convergence barrier
BMSK: mask of a run of ones
CCTL CCTLL: acts on a cache line
CGAERRBAR ERRBAR: waits for errors of memory to be reported
CREDUX: one value made of all lanes' values, to a uniform register
DEPBAR: waits until at most so many operations of a scoreboard are open
ELECT: chooses one lane of the warp
ENDCOLLECTIVE: ends a part that all lanes run together
F2FP: packs two floats of half width
F2IP: packs two integers made of floats
FADD2 FMUL2 FFMA2: on two singles at once
FCHK: does a division need the slow path?
FENCE: orders memory accesses
FMNMX3: smallest or largest of three singles
FSET: compare of singles; all ones, one or zero
FSWZADD: adds lanes of a quad with signs
HFMA2 HADD2 HMUL2 HMNMX2: on two halves at once
HMMA IMMA DMMA BMMA QMMA OMMA: product of matrices, added to a third, by the warp
HGMMA IGMMA QGMMA BGMMA: product of matrices by a warp group
HSETP2 HSET2: compares two halves
I2FP: integer to single
I2IP: packs integers
IDP IDP4A: dot product of bytes
ISCADD: (a << n) + b
LDCU ULDC: load of a constant to a uniform register
LDGDEPBAR: starts counting asynchronous copies for a scoreboard
LDGSTS: asynchronous copy from global to shared memory
LDSM LDSMT: loads matrices from shared memory for the warp
LDTM: loads from tensor memory
LEPC: address of this instruction
MOVM: transposes a matrix in registers
NANOSLEEP: sleeps for some time
PREEXIT: lets dependent grids start
R2UR: register to a uniform register, of the first lane
R2B: register to a barrier
REDG REDS: changes memory in one step, without a result
S2UR: special register to a uniform register
SGXT: sign extends from a bit
STSM: stores matrices to shared memory for the warp
STTM: stores to tensor memory
SUATOM SURED: changes a surface in one step
SULD: load from a surface
SUST: store to a surface
SYNCS: barrier object in shared memory
TLD4: reads four texels
TMML TXQ TXD: asks about or reads a texture
UBLKCP UBLKPF UBLKRED: bulk copy
UCGABAR_ARV UCGABAR_WAIT: barrier of a cluster
USETMAXREG: changes how many registers the warp has
UTMALDG UTMASTG UTMAREDG UTMAPF: tensor copy between global and shared memory
UTMACMDFLUSH UTMACCTL: orders tensor copies
UTCBAR UTCCP UTCATOMSWS UTCSHIFT UTCHMMA UTCIMMA UTCQMMA UTCOMMA: tensor core of the fifth generation
VABSDIFF VABSDIFF4: |a - b| + c
VIADD: a + b
VIADDMNMX: minimum or maximum of a sum
VIMNMX VIMNMX3: smallest or largest integer
VOTEU: asks all lanes of the warp, to a uniform register
WARPGROUP WARPGROUPSET: orders the products of a warp group
YIELD: lets another warp run
`;

const MEANINGS: ReadonlyMap<string, string> = new Map(
  WORDS.trim()
    .split("\n")
    .flatMap((line) => {
      const at = line.indexOf(": ");
      return line
        .slice(0, at)
        .split(" ")
        .map((root): [string, string] => [root, line.slice(at + 2)]);
    }),
);

function docOf(root: string): string | undefined {
  return isOpcode(root) ? opcodeInfo(root).doc : undefined;
}

/** Null for an unknown opcode. */
export function sassMeaning(root: string): string | null {
  const own = docOf(root) ?? MEANINGS.get(root);
  if (own !== undefined) return own;
  // Uniform forms do the same, once for the warp.
  const bare = /^U(?=[A-Z])/.test(root) ? root.slice(1) : null;
  const doc = bare === null ? undefined : (docOf(bare) ?? docOf(bare.replace(/3$/, "")) ?? MEANINGS.get(bare));
  return doc === undefined ? null : `${doc}; once for the warp`;
}
