/** Names of the special registers that S2R and CS2R read; which of them the tail-merge gate counts as reserved, and which change by themselves. */

const DIMENSIONS = ["X", "Y", "Z"] as const;
const xyz = (base: string): string[] => DIMENSIONS.map((d) => `${base}.${d}`);

/** A row of the reference's table: PTX's name (`.x` and so on left out), and this language's names. */
interface ReservedGroup {
  readonly title: string;
  readonly ptx: string;
  readonly names: readonly string[];
}

/**
 * The 63 reserved registers of the reference (branch folding and tail merging, "Which Registers Are Marked Reserved"), under the names this language
 * gives them.
 */
export const RESERVED_GROUPS: readonly ReservedGroup[] = [
  { title: "thread index", ptx: "%tid", names: xyz("SR_TID") },
  { title: "block size", ptx: "%ntid", names: xyz("SR_NTID") },
  { title: "block index", ptx: "%ctaid", names: xyz("SR_CTAID") },
  { title: "grid size", ptx: "%nctaid", names: xyz("SR_NCTAID") },
  { title: "warp index", ptx: "%warpid", names: ["SR_WARPID"] },
  { title: "lane index", ptx: "%laneid", names: ["SR_LANEID"] },
  { title: "rank in the cluster", ptx: "%cluster_ctarank", names: ["SR_CLUSTER_CTARANK"] },
  { title: "blocks of the cluster", ptx: "%cluster_nctarank", names: ["SR_CLUSTER_NCTARANK"] },
  { title: "block index in the cluster", ptx: "%cluster_ctaid", names: xyz("SR_CLUSTER_CTAID") },
  { title: "cluster size", ptx: "%cluster_nctaid", names: xyz("SR_CLUSTER_NCTAID") },
  { title: "cluster index", ptx: "%clusterid", names: xyz("SR_CLUSTERID") },
  { title: "clusters of the grid", ptx: "%nclusterid", names: xyz("SR_NCLUSTERID") },
  { title: "launched with clusters", ptx: "%is_explicit_cluster", names: ["SR_IS_EXPLICIT_CLUSTER"] },
  { title: "stack pointer", ptx: "%SP", names: ["SR_SP"] },
  { title: "local stack pointer", ptx: "%SPL", names: ["SR_SPL"] },
  { title: "environment", ptx: "ENVREG", names: Array.from({ length: 32 }, (_, i) => `SR_ENVREG${i}`) },
];

export const RESERVED_SPECIAL_REGISTERS: readonly string[] = RESERVED_GROUPS.flatMap((group) => group.names);

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

/** Clocks and counters change by themselves: two reads differ. */
export const isCounter = (name: string): boolean => /^SR_(?:CLOCK|GLOBALTIMER|PM\d)/.test(name);

/**
 * Warps that a multiprocessor can hold: PTX's `%nwarpid`, which no launch and no block determines. The interpreter's number is that of sm_70, sm_80, sm_90 and
 * sm_100.
 */
export const WARP_SLOTS = 64;
