/** Bits of the block's flag word (+280), its second byte (+292) and the function record, with the names and offsets of the reference. */

/** Block +280 (AnalyzeControlFlow, storage layout). */
export const BLOCK_FLAG = {
  /** The block's first instruction is an early exit. Preserved by the reset mask. */
  EARLY_EXIT: 0x1,
  LOOP_HEADER: 0x10,
  HAS_PRED: 0x20,
  ANALYSIS_OK: 0x40000,
  IN_LOOP: 0x800000,
} as const;

/** AND-mask of the reset step of AnalyzeControlFlow. */
export const BLOCK_FLAG_RESET_MASK = 0xff78f98f;

/** Block +292. */
export const BLOCK_FLAG2 = { BIT2: 0x4, BACK_EDGE_CANDIDATE: 0x8 } as const;
/** AND-mask that RET applies to +292. */
export const BLOCK_FLAG2_RET_MASK = 0xf3;

/** `Func.flags`: each bit is one bit of the function record; `FUNC_FLAG_OFFSETS` says which. */
export const FUNC_FLAG = {
  ANALYSIS_RUNNING: 0x1,
  EARLY_EXIT_OBSERVED: 0x2,
  REENTRY_GUARD: 0x4,
  FORCE_REBUILD: 0x8,
  SMALL_KERNEL: 0x10,
  RPO_VIOLATION: 0x20,
  CALLEE_ATTRIBUTE: 0x40,
  /** LateOriCommoning has run. */
  COMMONED: 0x80,
  /** The pointer at +1288 is set: DoSwitchOpt has made its context. */
  SWITCH_CONTEXT: 0x100,
} as const;

export type FuncFlagName = keyof typeof FUNC_FLAG;

/** Where the reference keeps each function bit: byte offset and bit mask within it. */
export const FUNC_FLAG_OFFSETS: Readonly<Record<FuncFlagName, readonly [offset: number, mask: number]>> = {
  ANALYSIS_RUNNING: [1368, 0x01],
  EARLY_EXIT_OBSERVED: [1369, 0x80],
  REENTRY_GUARD: [1370, 0x10],
  FORCE_REBUILD: [1370, 0x20],
  SMALL_KERNEL: [1376, 0x02],
  RPO_VIOLATION: [1377, 0x20],
  CALLEE_ATTRIBUTE: [1389, 0x02],
  COMMONED: [1368, 0x02],
  SWITCH_CONTEXT: [1288, 0xff],
};
