/** Names of the special registers that S2R and CS2R read, and which of them the tail-merge gate counts as reserved. */

const DIMENSIONS = ["X", "Y", "Z"] as const;
const xyz = (base: string): string[] => DIMENSIONS.map((d) => `${base}.${d}`);

/**
 * The 63 reserved registers of the reference (branch folding and tail merging, "Which Registers Are Marked Reserved"), under the names this language
 * gives them: thread, block and grid indices and sizes (12), warp and lane (2), cluster (15), stack pointers (2), environment (32).
 */
export const RESERVED_SPECIAL_REGISTERS: readonly string[] = [
  ...xyz("SR_TID"),
  ...xyz("SR_NTID"),
  ...xyz("SR_CTAID"),
  ...xyz("SR_NCTAID"),
  "SR_WARPID",
  "SR_LANEID",
  "SR_CLUSTER_CTARANK",
  "SR_CLUSTER_NCTARANK",
  ...xyz("SR_CLUSTER_CTAID"),
  ...xyz("SR_CLUSTER_NCTAID"),
  ...xyz("SR_CLUSTERID"),
  ...xyz("SR_NCLUSTERID"),
  "SR_IS_EXPLICIT_CLUSTER",
  "SR_SP",
  "SR_SPL",
  ...Array.from({ length: 32 }, (_, i) => `SR_ENVREG${i}`),
];

/** Further names that occur in listings of real kernels. */
const OTHER_SPECIAL_REGISTERS: readonly string[] = [
  "SR_NWARPID",
  "SR_SMID",
  "SR_NSMID",
  "SR_VIRTUALSMID",
  "SR_VIRTID",
  "SR_VIRTCFG",
  "SR_GRIDID",
  "SR_EQMASK",
  "SR_LTMASK",
  "SR_LEMASK",
  "SR_GTMASK",
  "SR_GEMASK",
  "SR_CLOCK",
  "SR_CLOCKLO",
  "SR_CLOCKHI",
  "SR_GLOBALTIMER",
  "SR_GLOBALTIMERLO",
  "SR_GLOBALTIMERHI",
  "SR_SWINLO",
  "SR_SWINSZ",
  "SR_SWINHI",
  "SR_SMEMSZ",
  "SR_SMEMBANKS",
  "SR_LWINLO",
  "SR_LWINSZ",
  "SR_LMEMLOSZ",
  "SR_LMEMHIOFF",
  "SR_REGALLOC",
  "SR_STACKINIT_ENTRY",
  "SR_CTXADDR",
  "SR_BARRIERALLOC",
  "SR_TID",
  "SR_CTAID",
  "SR_CgaCtaId",
  "SR_CgaSize",
  "SR_PRIVATE",
  "SR_AFFINITY",
  "SR_INVOCATION_ID",
  "SR_INVOCATION_INFO",
  "SR_THREAD_KILL",
  "SR_DIRECTCBEWRITEADDRESSLOW",
  "SR_DIRECTCBEWRITEADDRESSHIGH",
  ...Array.from({ length: 8 }, (_, i) => `SR_PM${i}`),
];

export const SPECIAL_REGISTERS: ReadonlySet<string> = new Set([...RESERVED_SPECIAL_REGISTERS, ...OTHER_SPECIAL_REGISTERS]);
