/** What an instruction does in addition to its registers, by opcode. */

import { isCounter } from "../../../engine/ir/special-registers.ts";
import type { OpaqueEffect } from "../../../engine/ir/types.ts";
import type { SassInst } from "./ast.ts";

const words = (text: string): Set<string> => new Set(text.split(/\s+/));

const PURE = words(`
  IADD IADD3 IADD32I ISUB IMAD IMAD32I IMUL IMUL32I IMNMX IABS ISCADD LEA LOP LOP3 LOP32I SHL SHR SHF POPC FLO BREV SEL MOV MOV32I I2I I2IP PRMT BFE BFI BMSK SGXT
  VIADD VIADDMNMX VIMNMX VIMNMX3 VABSDIFF VABSDIFF4 VHMNMX IDP IDP4A XMAD LEPC
  ISETP FSETP DSETP HSETP2 PSETP CSETP PLOP3 PSET ISET FSET DSET HSET2 R2P P2R FCHK FCMP ICMP
  FADD FADD32I FMUL FMUL32I FFMA FFMA32I FMNMX FMNMX3 FSEL MUFU RRO DADD DMUL DFMA DMNMX F2I F2IP I2F I2FP F2F F2FP FRND FADD2 FMUL2 FFMA2
  HADD2 HADD2_32I HMUL2 HMUL2_32I HFMA2 HFMA2_32I HMNMX2 S2R S2UR UR2R CS2R CS2UR
  UIADD3 UIADD UIMAD UIMNMX UIABS ULEA ULOP3 ULOP USHF USHL USHR UPOPC UFLO UBREV USEL UMOV UPRMT UBMSK USGXT UISETP UPLOP3 UPSETP UP2UR UR2UP UVIADD UVIMNMX UVIRTCOUNT
  UFADD UFMUL UFFMA UFSETP UFSEL UFMNMX UF2F UF2FP UF2I UI2F UI2FP UFRND ULEPC UVIADDMNMX R2UP UR2P UCLEA
  PIXLD IPA AL2P ISBERD GETCRSPTR GETLMEMBASE
`);
/** Made of what the lanes of a warp contain together: only a result, but only for the lanes that run it together. */
const WARP = words("HMMA IMMA DMMA BMMA QMMA OMMA MOVM FSWZADD FSWZ R2UR");
const LOADS = words("LD LDG LDS LDL LDC LDCU ULDC LDGMC TEX TLD TLD4 TLD4S TEXS TLDS TXD TXQ TMML TXA SULD ALD");
const STORES = words("ST STG STS STL SUST CCTL CCTLL CCTLT PREFETCH AST");
/** Both memory and other lanes, or memory at a later time. */
const MOVERS = words("LDSM LDSMT STSM STAS LDTM LDT STTM STT LDGSTS UBLKCP UBLKPF UBLKRED UTMASTG UTMALDG UTMAPF UTMAREDG");
const ATOMICS = words("ATOM ATOMG ATOMS RED REDG REDS REDAS SUATOM SURED ATOMMC REDMC");
const BARRIERS = words(`
  BAR MEMBAR ERRBAR CGAERRBAR DEPBAR LDGDEPBAR TEXDEPBAR WARPSYNC NANOSLEEP FENCE VOTE VOTEU SHFL MATCH REDUX CREDUX ELECT ENDCOLLECTIVE BMOV BSSY BSYNC BREAK YIELD SYNCS
  UCGABAR_ARV UCGABAR_WAIT UCGABAR_GET UCGABAR_SET WARPGROUP WARPGROUPSET ACQBULK ACQSHMINIT PREEXIT ARRIVES B2R R2B UTCBAR UTMACMDFLUSH UTMACCTL USETMAXREG SSY SYNC PBK BRK PCNT CONT PRET
  HGMMA QGMMA IGMMA BGMMA UTCHMMA UTCIMMA UTCQMMA UTCOMMA UTCCP UTCATOMSWS UTCSHIFT UTCMXQMMA UTCQMMA
`);
const CONTROL = words(
  "BRA BRX BRXU JMP JMX JMXU CALL JCAL CAL RET EXIT KILL BPT NOP RTT PMTRIG UGETNEXTWORKID USETSHMSZ SETCTAID SETLMEMBASE CGABAR OUT",
);

export function isKnownRoot(root: string): boolean {
  return (
    PURE.has(root) ||
    WARP.has(root) ||
    MOVERS.has(root) ||
    LOADS.has(root) ||
    STORES.has(root) ||
    ATOMICS.has(root) ||
    BARRIERS.has(root) ||
    CONTROL.has(root)
  );
}

/**
 * The effect of an instruction that stays opaque. Atomics, clocks and unknown opcodes are `call`: never deleted, repeated or moved; convergent instructions,
 * orders and volatile loads are `barrier`.
 */
export function effectOfInst({ root, mods, operands }: SassInst): OpaqueEffect {
  if (ATOMICS.has(root)) return "call";
  if (BARRIERS.has(root) || MOVERS.has(root)) return "barrier";
  if (WARP.has(root)) return "warp";
  if (STORES.has(root)) return "store";
  if (LOADS.has(root)) return mods.includes("STRONG") || mods.includes("MMIO") ? "barrier" : "load";
  if (PURE.has(root)) return operands.some((o) => o.kind === "word" && isCounter(o.text)) ? "call" : "pure";
  return "call";
}
