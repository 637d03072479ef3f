/** Which registers each instruction defines and uses, in units of 32-bit registers: opcode by opcode, pairs and quads by modifier. */

import type { Reg } from "../../../engine/ir/ids.ts";
import { isConstantReg, isPredicateReg, PT, reg, regClass, regIndex } from "../../../engine/ir/reg.ts";
import type { RegOperand, SassInst, SassOperand } from "./ast.ts";
import { isKnownRoot } from "./effects.ts";

export interface Accesses {
  readonly defs: readonly Reg[];
  readonly uses: readonly Reg[];
  /** False if the sets are a guess: an unknown opcode, or one whose widths are not in the text. */
  readonly exact: boolean;
}

/** Opcodes whose first operand is not a definition. */
const NO_DEFINITION =
  /^(?:ST[GSL]?|STSM|STAS|RED[GS]?|REDAS|BRA|BRXU?|JMP|JMXU?|CALL|JCAL|RET|EXIT|BAR|MEMBAR|ERRBAR|DEPBAR|LDGDEPBAR|LDGSTS|NOP|YIELD|WARPSYNC|NANOSLEEP|CCTL\w*|UTMA\w*|UBLK\w*|UTCBAR|SUST|SURED|SUATOM_RED|BPT|PREEXIT|ACQBULK|ACQSHMINIT|WARPGROUP\w*|UCGABAR\w*|BSYNC|BREAK|FENCE|ENDCOLLECTIVE|ARRIVES|KILL|CGAERRBAR|PREFETCH|SSY|SYNC|PBK|BRK|PCNT|CONT|PRET|CAL|TEXDEPBAR|STT|STTM|UTCATOMSWS|R2B|SETCTAID|SETLMEMBASE|OUT|PMTRIG|RTT|USETMAXREG|UTMACMDFLUSH|UTMACCTL)$/;

const CARRY = /^U?(?:IADD3|LEA|IMAD|IADD)$/;
const PREDICATE_FIRST = /^(?:U?LOP3|SHFL|ATOM\w*|MATCH|R2UR|ELECT|LD\w*|SULD)$/;
const GLOBAL = /^(?:LDG?|STG?|ATOMG?|REDG?|LDGSTS|CCTL|ATOM|RED|LDGMC|PREFETCH)$/;
const TEXTURE = /^(?:TEX|TLD4?|TXD|TMML|TXQ|SULD|SUST|SUATOM|SURED|FOOTPRINT)$/;

/** Approximate coordinate counts of texture shapes: the text does not give the number of their registers. */
const COORDINATES: Readonly<Record<string, number>> = { "1D": 1, "2D": 2, "3D": 3, CUBE: 3, ARRAY_1D: 2, ARRAY_2D: 3, ARRAY_CUBE: 4 };

/** The accesses of one instruction; `hidden`: registers its encoding reads though the text does not show them. */
export function accessesOf(inst: SassInst, hidden: readonly Reg[] = []): Accesses {
  const { root, operands } = inst;
  const defs = new Set<Reg>();
  const uses = new Set<Reg>();
  if (inst.guard !== null && !isConstantReg(inst.guard.reg)) uses.add(inst.guard.reg);
  if (inst.guard?.neg === true && inst.guard.reg === PT) return { defs: [], uses: [], exact: true };
  for (const r of hidden) uses.add(r);
  let exact = isKnownRoot(root) && !TEXTURE.test(root);
  if (root === "R2P" || root === "P2R" || root === "UR2P" || root === "UP2UR" || root === "R2UP") maskedPredicates(inst, defs, uses);
  const count = definitions(inst);
  const widths = widthsOf(inst);
  operands.forEach((operand, i) => {
    switch (operand.kind) {
      case "reg": {
        const isDef = i < count;
        const width = operand.suffix.includes("64") && !isPredicateReg(operand.reg) ? Math.max(2, widths(i, isDef)) : widths(i, isDef);
        addRun(isDef ? defs : uses, operand.reg, isPredicateReg(operand.reg) || regClass(operand.reg) === "B" ? 1 : width);
        return;
      }
      case "cbank":
        // A bank named by a register: its handle is a pair.
        for (const part of operand.bankRegs) addRun(uses, part.reg, 2);
        for (const part of operand.parts) addRun(uses, part.reg, part.suffix.includes("64") ? 2 : 1);
        return;
      case "mem":
        addressUses(inst, operand, i, uses);
        return;
      case "num":
      case "target":
      case "word":
        return;
    }
  });
  if (root === "BMOV") moveBarrier(inst, defs, uses);
  if (TEXTURE.test(root)) textureWidths(inst, defs, uses);
  if (/^(?:HGMMA|QGMMA|IGMMA|BGMMA)$/.test(root)) exact = groupMatrix(inst, defs, uses);
  if (root === "SYNCS" || root.startsWith("UTMA") || root.startsWith("UTC") || root === "UBLKCP" || root === "LDTM" || root === "STTM")
    exact = false;
  return { defs: [...defs], uses: [...uses], exact };
}

function addRun(set: Set<Reg>, first: Reg, width: number): void {
  if (isConstantReg(first)) return;
  const cls = regClass(first);
  const index = regIndex(first);
  for (let k = 0; k < width && index + k < 256; k++) set.add(reg(cls, index + k));
}

/** How many of the leading operands are definitions. */
export function definitions(inst: SassInst): number {
  const { root, operands } = inst;
  if (NO_DEFINITION.test(root)) return 0;
  const [first] = operands;
  if (first === undefined) return 0;
  if (/SETP/.test(root) || root === "PLOP3" || root === "UPLOP3") return 2;
  if (root === "VOTE" || root === "VOTEU") return Math.max(1, Math.min(2, operands.length - 1));
  if (root === "B2R" && inst.mods.includes("RESULT")) return Math.min(2, operands.length);
  if (CARRY.test(root)) {
    let n = 1;
    while (n < 3 && n < operands.length - 1 && isPlainPredicate(operands[n])) n++;
    return n;
  }
  if (isPlainPredicate(first)) return PREDICATE_FIRST.test(root) ? Math.min(2, operands.length) : 1;
  if (root === "BMOV" || root === "R2P" || root === "UR2P" || root === "R2UP") return 0;
  if (/^(?:TEX|TLD4?|TXD|TMML)$/.test(root)) return 2;
  return first.kind === "reg" ? 1 : 0;
}

export function isPlainPredicate(operand: SassOperand | undefined): boolean {
  return operand?.kind === "reg" && isPredicateReg(operand.reg) && !operand.inv;
}

type Widths = (index: number, isDef: boolean) => number;

/** Width of each register operand, in 32-bit registers. */
function widthsOf(inst: SassInst): Widths {
  const { root, mods } = inst;
  const has = (mod: string): boolean => mods.includes(mod);
  const bare = root.replace(/^U(?=[A-Z])/, "");
  const matrix = matrixWidths(inst);
  if (matrix !== null) return (i) => matrix[i] ?? 1;
  // Only data is wide; a lane predicate before it is not counted here.
  const data = has("128") ? 4 : has("64") || has("F64") ? 2 : 1;
  switch (bare) {
    case "IMAD": {
      // Carry-out predicates are between the result and the factors.
      const shift = definitions(inst) - 1;
      if (has("WIDE")) return (i) => (i === 0 || i === 3 + shift ? 2 : 1);
      if (has("HI")) return (i) => (i === 3 + shift ? 2 : 1);
      return () => 1;
    }
    case "DADD":
    case "DMUL":
    case "DFMA":
    case "DSETP":
    case "DMNMX":
    case "DSET":
    case "LEPC":
    case "BRX":
    case "BRXU":
    case "JMX":
    case "RET":
    case "FADD2":
    case "FMUL2":
    case "FFMA2":
      return () => 2;
    case "CALL":
      return () => 2;
    case "CS2R":
      return () => (has("32") ? 1 : 2);
    case "I2F":
    case "F2I":
    case "F2F":
    case "I2I":
    case "FRND":
    case "I2FP":
    case "F2FP":
      return conversionWidths(bare, mods);
    case "LDTM":
    case "STTM":
      return () => tensorRegisters(mods);
    case "LDSM":
    case "STSM":
      return () => (has("4") ? 4 : has("2") ? 2 : 1);
    case "SHF":
    case "MUFU":
    case "PRMT":
      return () => 1;
    case "ISETP":
    case "IADD":
    case "MOV":
    case "IMNMX":
    case "VIMNMX":
    case "SEL":
    case "IADD3":
      return () => (has("64") || has("S64") || has("U64") ? 2 : 1);
    case "LDC":
    case "LDCU":
    case "R2UR":
    case "SYNCS":
      return () => data;
    case "ARRIVES":
      return () => 1;
    case "REDUX":
    case "VOTE":
      return () => 1;
    default:
      return /^(?:LD|ST|ATOM|RED|SU)/.test(bare) ? () => data : () => 1;
  }
}

/** `16dp128bit.x4`: four times the registers that one such piece fills in each lane. */
function tensorRegisters(mods: readonly string[]): number {
  const times = Number(/^x(\d{1,3})$/.exec(mods.find((m) => /^x\d/.test(m)) ?? "")?.[1] ?? 1);
  const shape = mods.find((m) => /dp\d+bit$/.test(m)) ?? "";
  return times * (shape.endsWith("128bit") ? 2 : shape.endsWith("256bit") ? 4 : 1);
}

/** First type: the result, for F2F; integers on one side and floats on the other, for the rest. */
function conversionWidths(root: string, mods: readonly string[]): Widths {
  const wide = (mod: string | undefined): number => (mod?.endsWith("64") === true ? 2 : 1);
  const types = mods.filter((m) => /^(?:[SU](?:8|16|32|64)|B?F(?:16|32|64))$/.test(m));
  const ints = types.find((m) => !m.includes("F"));
  const floats = types.find((m) => m.includes("F"));
  switch (root) {
    case "I2F":
      return (_, isDef) => wide(isDef ? floats : ints);
    case "F2I":
      return (_, isDef) => wide(isDef ? ints : floats);
    case "FRND":
      return () => wide(types[0]);
    case "F2F":
    case "I2I":
      return (_, isDef) => wide(isDef ? types[0] : types[1]);
    default:
      return () => 1;
  }
}

/** Registers of d, a, b, c of a matrix instruction; null for any other. */
function matrixWidths({ root, mods }: SassInst): readonly number[] | null {
  const shape = mods.find((m) => /^\d{3,6}$/.test(m)) ?? "";
  const half = !mods.includes("F32");
  switch (root) {
    case "HMMA":
      if (shape === "16816") return half ? [2, 4, 2, 2] : [4, 4, 2, 4];
      if (shape === "1688") return mods.includes("TF32") ? [4, 4, 2, 4] : half ? [2, 2, 1, 2] : [4, 2, 1, 4];
      if (shape === "1684") return [4, 2, 1, 4];
      return [2, 2, 2, 2];
    case "IMMA":
      if (shape === "16832" || shape === "16864") return [4, 4, 2, 4];
      if (shape === "16816") return [4, 2, 1, 4];
      return [2, 1, 1, 2];
    case "QMMA":
      return half ? [2, 4, 2, 2] : [4, 4, 2, 4];
    case "BMMA":
      return shape === "168256" ? [4, 4, 2, 4] : shape === "168128" ? [4, 2, 1, 4] : [2, 1, 1, 2];
    case "DMMA":
      return shape === "8x8x4" || shape === "884" ? [4, 2, 2, 4] : shape === "1684" ? [8, 4, 2, 8] : [4, 2, 2, 4];
    default:
      return null;
  }
}

/** Warp-group matrix: the accumulator is 64 x N, N in the shape; a register operand a has 4, a descriptor holds four uniform registers. */
function groupMatrix({ mods, operands }: SassInst, defs: Set<Reg>, uses: Set<Reg>): boolean {
  const n = Number(/^64x(\d{1,3})x/.exec(mods.find((m) => m.startsWith("64x")) ?? "")?.[1] ?? 0);
  const width = mods.includes("F32") || mods.includes("S32") || !mods.includes("F16") ? n / 2 : n / 4;
  operands.forEach((operand, i) => {
    if (operand.kind === "mem") for (const part of operand.parts) addRun(uses, part.reg, 4);
    if (operand.kind !== "reg" || isPredicateReg(operand.reg)) return;
    if (i === 0) addRun(defs, operand.reg, width);
    else addRun(uses, operand.reg, i === 1 ? 4 : width);
  });
  return n > 0;
}

function addressUses(inst: SassInst, operand: SassOperand & { kind: "mem" }, index: number, uses: Set<Reg>): void {
  const { root, mods } = inst;
  for (const part of operand.desc) addRun(uses, part.reg, 2);
  if (operand.gdesc) {
    // A matrix descriptor fills four registers for a warp group, and is one value of 64 bits for the tensor core.
    for (const part of operand.parts) addRun(uses, part.reg, root.startsWith("UTC") ? 2 : 4);
    return;
  }
  // LDGSTS writes shared memory (first address) from global memory.
  const isGlobal = root === "LDGSTS" ? index > 0 : GLOBAL.test(root) || root.startsWith("UTMA") || root === "UBLKCP";
  const wide = isGlobal && (mods.includes("E") || root.startsWith("U") || operand.desc.length > 0);
  for (const part of operand.parts) {
    const isUniform = regClass(part.reg) === "UR";
    addRun(uses, part.reg, part.suffix.includes("64") ? 2 : part.suffix.length > 0 ? 1 : wide || (isUniform && isGlobal) ? 2 : 1);
  }
}

const ALL_PREDICATES = 7;

/** `R2P PR, R, 0x3` defines, `P2R R, PR, R, 0x7f` uses the predicates of the mask. */
function maskedPredicates(inst: SassInst, defs: Set<Reg>, uses: Set<Reg>): void {
  const cls = inst.root === "UP2UR" || inst.root === "R2UP" || inst.root === "UR2P" ? "UP" : "P";
  const mask = inst.operands.findLast((o) => o.kind === "num");
  const bits = mask?.kind === "num" ? mask.value : 0x7f;
  const into = inst.root.startsWith("R2") || inst.root.startsWith("UR2") ? defs : uses;
  for (let i = 0; i < ALL_PREDICATES; i++) if ((bits & (1 << i)) !== 0) into.add(reg(cls, i));
}

/** `BMOV.32.CLEAR R4, B0` reads the barrier and clears it; `BMOV.32 B0, R4` writes it. */
function moveBarrier({ operands, mods }: SassInst, defs: Set<Reg>, uses: Set<Reg>): void {
  const [to, from] = operands;
  if (to?.kind !== "reg") return;
  uses.delete(to.reg);
  if (!isConstantReg(to.reg)) defs.add(to.reg);
  if (from?.kind !== "reg" || regClass(from.reg) !== "B") return;
  // Cleared into RZ, its value is dropped.
  if (mods.includes("CLEAR")) {
    defs.add(from.reg);
    if (isConstantReg(to.reg)) uses.delete(from.reg);
  }
}

/** The result mask says how many registers come back, over two runs; coordinates by the shape. */
function textureWidths(inst: SassInst, defs: Set<Reg>, uses: Set<Reg>): void {
  const { operands, root } = inst;
  const regs = operands.filter((o): o is RegOperand => o.kind === "reg" && !isPredicateReg(o.reg));
  const shape = operands.find((o) => o.kind === "word" && COORDINATES[o.text] !== undefined);
  const coordinates = shape?.kind === "word" ? (COORDINATES[shape.text] ?? 1) : 1;
  if (/^(?:TEX|TLD4?|TXD|TMML)$/.test(root)) {
    const mask = operands.findLast((o) => o.kind === "num");
    let n = 0;
    for (let bits = mask?.kind === "num" ? mask.value & 15 : 15; bits !== 0; bits &= bits - 1) n++;
    const [second, first, a] = regs;
    if (first !== undefined) addRun(defs, first.reg, Math.min(n, 2));
    if (second !== undefined) addRun(defs, second.reg, Math.max(1, n - 2));
    if (a !== undefined) addRun(uses, a.reg, Math.min(2, coordinates));
    return;
  }
  const [a] = root === "SULD" ? regs.slice(1) : regs;
  if (a !== undefined) addRun(uses, a.reg, coordinates);
}
