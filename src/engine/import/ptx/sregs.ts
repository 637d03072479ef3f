/** Names that PTX has without a declaration: constants, and special registers under the names Ori text gives them. */

import { isCounter } from "../../ir/special-registers.ts";

/** The one predefined constant. Tested for every operand that is a name, so a comparison, which needs no hash. */
export function predefinedConstant(name: string): number | undefined {
  return name === "WARP_SZ" ? 32 : undefined;
}

export interface SpecialRegister {
  readonly name: string;
  /** Read by CS2R, since the value changes by itself. */
  readonly changes: boolean;
  readonly bits: 32 | 64;
}

const TABLE = new Map<string, SpecialRegister>();

function add(ptx: string, name: string, bits: 32 | 64 = 32): void {
  TABLE.set(ptx, { name, changes: isCounter(name), bits });
}

for (const d of ["x", "y", "z"]) {
  const up = d.toUpperCase();
  add(`%tid.${d}`, `SR_TID.${up}`);
  add(`%ntid.${d}`, `SR_NTID.${up}`);
  add(`%ctaid.${d}`, `SR_CTAID.${up}`);
  add(`%nctaid.${d}`, `SR_NCTAID.${up}`);
  add(`%clusterid.${d}`, `SR_CLUSTERID.${up}`);
  add(`%nclusterid.${d}`, `SR_NCLUSTERID.${up}`);
  add(`%cluster_ctaid.${d}`, `SR_CLUSTER_CTAID.${up}`);
  add(`%cluster_nctaid.${d}`, `SR_CLUSTER_NCTAID.${up}`);
}
add("%laneid", "SR_LANEID");
add("%warpid", "SR_WARPID");
add("%nwarpid", "SR_NWARPID");
add("%smid", "SR_VIRTUALSMID");
add("%nsmid", "SR_NSMID");
add("%gridid", "SR_GRIDID");
add("%lanemask_eq", "SR_EQMASK");
add("%lanemask_lt", "SR_LTMASK");
add("%lanemask_le", "SR_LEMASK");
add("%lanemask_gt", "SR_GTMASK");
add("%lanemask_ge", "SR_GEMASK");
add("%cluster_ctarank", "SR_CLUSTER_CTARANK");
add("%cluster_nctarank", "SR_CLUSTER_NCTARANK");
add("%is_explicit_cluster", "SR_IS_EXPLICIT_CLUSTER");
add("%total_smem_size", "SR_SMEMSZ");
add("%clock", "SR_CLOCKLO");
add("%clock_hi", "SR_CLOCKHI");
add("%clock64", "SR_CLOCKLO", 64);
add("%globaltimer", "SR_GLOBALTIMERLO", 64);
add("%globaltimer_lo", "SR_GLOBALTIMERLO");
add("%globaltimer_hi", "SR_GLOBALTIMERHI");
for (let i = 0; i < 8; i++) {
  add(`%pm${i}`, `SR_PM${i}`);
  add(`%pm${i}_64`, `SR_PM${i}`, 64);
}
for (let i = 0; i < 32; i++) add(`%envreg${i}`, `SR_ENVREG${i}`);

/** Of a register with parts, by either name of a part; the fourth part is always 0. */
const PARTS: Readonly<Record<string, string>> = { x: "x", y: "y", z: "z", r: "x", g: "y", b: "z" };

/** `%tid` alone is its `.x`, as in old texts. Undefined when the model has no name for it. */
export function specialRegister(name: string, part: string): SpecialRegister | undefined {
  return part === "" ? (TABLE.get(name) ?? TABLE.get(`${name}.x`)) : TABLE.get(`${name}.${PARTS[part] ?? ""}`);
}

const WITH_PARTS = /^%(?:n?tid|n?ctaid|n?clusterid|cluster_n?ctaid)$/;
const ALONE =
  /^%(?:laneid|n?warpid|n?smid|gridid|lanemask_(?:eq|l[te]|g[te])|clock(?:64|_hi)?|pm[0-7](?:_64)?|envreg(?:\d|[12]\d|3[01])|globaltimer(?:_lo|_hi)?|cluster_n?ctarank|is_explicit_cluster|reserved_smem_offset_(?:begin|end|cap|[01])|total_smem_size|aggr_smem_size|dynamic_smem_size|current_graph_exec)$/;

/** True for any special register of the PTX language, whether the model has it or not; a part of one that has none is not. */
export function isSpecialName(name: string, part = ""): boolean {
  if (name.charCodeAt(0) !== 37) return false;
  return part === "" ? WITH_PARTS.test(name) || ALONE.test(name) : WITH_PARTS.test(name) && /^[xyzwrgba]$/.test(part);
}
