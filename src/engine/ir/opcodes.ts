/**
 * The opcode table: one row per opcode, the only place that defines an opcode's operand shape, modifiers and effects.
 *
 * Shape tokens, in textual order: `d:` a definition, `s:` a source; `?` makes a slot optional (a parser skips it by class).
 * Classes: `R` 32 bit (R, UR; as a source also integer, float and constant bank) · `RD` 64 bit · `X` 32 or 64 bit by the modifier `.64` ·
 * `A` any of R, RD, UR · `Y` R or P · `P` predicate (P, UP; as a source with `!`) · `PV` vector of predicates · `V` data of the memory size
 * (R, RD or a vector) · `I` integer immediate only · `B` convergence barrier · `S` special register.
 * Without a role: `m` memory · `c` constant bank or memory · `L` label · `T` jump table · `sym` function name · `list` register group · `text` quoted text · `phi`.
 *
 * Modifier groups, in canonical order: alternatives by `|`, then `!` (one is required) or `?` (at most one).
 */

export type Effect =
  | "pure"
  /** Reads memory of `space`. */
  | "load"
  /** Writes memory of `space`. */
  | "store"
  /** Reads and writes memory of `space` atomically. */
  | "atomic"
  /** Orders memory or waits for other threads: nothing that touches memory may cross it. */
  | "barrier"
  /** Convergence bookkeeping of the warp (BSSY, BSYNC, BREAK, WARPSYNC). */
  | "sync"
  /** Reads or writes other lanes' values, or depends on which lanes are active. */
  | "warp"
  /** Ends or redirects the thread's control flow. */
  | "control"
  | "call"
  /** Reads state that changes by itself (clocks). */
  | "volatile";

export type Space = "global" | "shared" | "local" | "const" | "generic";

export type ResultType = "i32" | "i64" | "int" | "f32" | "f64" | "f16x2" | "pred" | "any" | "none";

export type OpcodeFamily = "integer" | "predicate" | "float" | "memory" | "warp" | "control" | "other";

export interface OpcodeInfo {
  readonly family: OpcodeFamily;
  readonly shape: string;
  readonly mods: string;
  readonly type: ResultType;
  readonly effect: Effect;
  readonly space: Space | null;
  readonly mayTrap: boolean;
  readonly commutative: boolean;
  readonly associative: boolean;
  /** The opcode's numbers in the reference (shown in tooltips; its pages contradict one another, so nothing may branch on them). */
  readonly numbers: readonly number[];
  /** One line for people. */
  readonly doc: string;
}

interface RowExtra {
  readonly effect?: Effect;
  readonly space?: Space;
  readonly commutative?: boolean;
  readonly associative?: boolean;
  readonly mayTrap?: boolean;
  readonly numbers?: readonly number[];
}

function row(family: OpcodeFamily, type: ResultType, shape: string, mods: string, doc: string, extra: RowExtra = {}): OpcodeInfo {
  const effect = extra.effect ?? "pure";
  return {
    family,
    type,
    shape,
    mods,
    doc,
    effect,
    space: extra.space ?? null,
    mayTrap: extra.mayTrap ?? (effect === "load" || effect === "store" || effect === "atomic"),
    commutative: extra.commutative ?? false,
    associative: extra.associative ?? false,
    numbers: extra.numbers ?? [],
  };
}

const COMM = { commutative: true } as const;
const COMM_ASSOC = { commutative: true, associative: true } as const;
const CMP = "EQ|NE|LT|LE|GT|GE!";
const FCMP = "EQ|NE|LT|LE|GT|GE|EQU|NEU|LTU|LEU|GTU|GEU|NUM|NAN!";
const BOOL = "AND|OR|XOR?";
const ROUND = "RN|RZ|RM|RP?";
const SIGN = "U32|S32?";
const SIZE = "U8|S8|U16|S16|32|64|128?";
const CACHE = "VOLATILE|CONSTANT|STRONG?";
const ATOM_OP = "ADD|MIN|MAX|AND|OR|XOR|EXCH|CAS|INC|DEC!";
const ATOM_TYPE = "U32|S32|64|F32|F64?";

const TABLE = {
  // integer
  IADD: row("integer", "int", "d:X s:X s:X", "64?", "d = a + b", { ...COMM_ASSOC, numbers: [2] }),
  IADD3: row("integer", "int", "d:X s:X s:X s:X", "64?", "d = a + b + c", { ...COMM, numbers: [1] }),
  ISUB: row("integer", "int", "d:X s:X s:X", "64?", "d = a - b"),
  INEG: row("integer", "int", "d:X s:X", "64?", "d = -a"),
  IMUL: row(
    "integer",
    "int",
    "d:X s:X s:X",
    `HI|WIDE? ${SIGN} 64?`,
    "d = a * b (low half; .HI high half; .WIDE 32 x 32 to 64)",
    COMM_ASSOC,
  ),
  IMAD: row("integer", "int", "d:X s:X s:X s:X", `HI|WIDE? ${SIGN} 64?`, "d = a * b + c (.HI, .WIDE as IMUL; with .WIDE c has 64 bits)", {
    numbers: [13],
  }),
  IDIV: row(
    "integer",
    "int",
    "d:X s:X s:X",
    `${SIGN} 64?`,
    "d = a / b, towards zero; by 0: all ones (expands to a call in the real compiler)",
  ),
  IREM: row("integer", "int", "d:X s:X s:X", `${SIGN} 64?`, "d = a rem b, sign of a; by 0: a"),
  IMNMX: row("integer", "int", "d:X s:X s:X s:P", `${SIGN} 64?`, "d = predicate ? min(a, b) : max(a, b)"),
  IABS: row("integer", "int", "d:X s:X", "64?", "d = |a|"),
  SHL: row("integer", "int", "d:X s:X s:R", "64?", "d = a << n; 0 when n >= width"),
  SHR: row("integer", "int", "d:X s:X s:R", `${SIGN} 64?`, "d = a >> n; 0 (.U32) or the sign (.S32, default) when n >= width"),
  SHF: row(
    "integer",
    "i32",
    "d:R s:R s:R s:R",
    "L|R! W? U32|S32? HI?",
    "funnel shift of the pair {c:a} (low a, amount b, high c) by at most 32 (.W: modulo 32); its low word (.HI: high word); .S32: signed",
  ),
  LEA: row("integer", "int", "d:X s:X s:X s:I", "64?", "d = (a << n) + b"),
  LOP3: row("integer", "i32", "d:R s:R s:R s:R s:I", "", "three-input logic by an 8-bit truth table (a=0xF0, b=0xCC, c=0xAA)"),
  LOP: row("integer", "int", "d:X s:X s:X?", "AND|OR|XOR|NOT! 64?", "two-input logic, canonical before LOP3 fusion", COMM_ASSOC),
  POPC: row("integer", "i32", "d:R s:X", "64?", "number of ones"),
  FLO: row(
    "integer",
    "i32",
    "d:R s:X",
    `${SIGN} SH? 64?`,
    "position of the highest one (of the highest bit unlike the sign); all ones when none; .SH: left shift that would bring it to the top",
  ),
  BREV: row("integer", "int", "d:X s:X", "64?", "bits reversed"),
  SEL: row("integer", "int", "d:X s:X s:X s:P", "64?", "d = predicate ? a : b"),
  MOV: row("integer", "any", "d:A s:A", "64?", "d = a (as wide as its destination; .64 may say so)", { numbers: [32, 130] }),
  I2I: row(
    "integer",
    "int",
    "d:A s:A",
    "S8|U8|S16|U16|S32|U32|S64|U64! S8|U8|S16|U16|S32|U32|S64|U64! SAT?",
    "integer conversion: .DST.SRC",
  ),
  PRMT: row("integer", "i32", "d:R s:R s:R s:R", "", "byte permutation of {c:a} by the selector b"),
  PACK: row("integer", "i64", "d:RD s:R s:R", "", "64-bit value of two registers: low, high"),
  UNPACK: row("integer", "i32", "d:R s:RD", "LO|HI!", "one half of a 64-bit value"),
  BFE: row("integer", "int", "d:X s:X s:R s:R", `${SIGN} 64?`, "bit field extract: position, length"),
  BFI: row("integer", "int", "d:X s:X s:X s:R s:R", "64?", "bit field insert: a into b at position, length"),
  // predicate
  ISETP: row("predicate", "pred", "d:P s:X s:X s:P?", `${CMP} ${SIGN} 64? ${BOOL}`, "p = (a cmp b) [bool q]", { numbers: [250] }),
  FSETP: row("predicate", "pred", "d:P s:R s:R s:P?", `${FCMP} FTZ? ${BOOL}`, "p = (a cmp b) [bool q] on singles", { numbers: [226] }),
  DSETP: row("predicate", "pred", "d:P s:RD s:RD s:P?", `${FCMP} ${BOOL}`, "p = (a cmp b) [bool q] on doubles", { numbers: [315] }),
  PLOP3: row("predicate", "pred", "d:P s:P s:P s:P s:I", "", "three-input predicate logic by an 8-bit truth table", { numbers: [211] }),
  PMOV: row("predicate", "pred", "d:P s:P", "", "p = q"),
  R2P: row("predicate", "pred", "d:PV s:R s:I?", "", "predicates from the bits of a register"),
  P2R: row("predicate", "i32", "d:R s:PV s:R?", "", "bits of a register from predicates"),
  // float
  FADD: row("float", "f32", "d:R s:R s:R", `${ROUND} FTZ? SAT?`, "d = a + b", COMM),
  FMUL: row("float", "f32", "d:R s:R s:R", `${ROUND} FTZ? SAT?`, "d = a * b", COMM),
  FFMA: row("float", "f32", "d:R s:R s:R s:R", `${ROUND} FTZ? SAT?`, "d = a * b + c, one rounding"),
  FMNMX: row("float", "f32", "d:R s:R s:R s:P", "FTZ? NAN?", "d = predicate ? min(a, b) : max(a, b)"),
  FSEL: row("float", "f32", "d:R s:R s:R s:P", "", "d = predicate ? a : b"),
  FDIV: row("float", "f32", "d:R s:R s:R", `${ROUND} FTZ? APPROX?`, "d = a / b (expands to a branch and a call in the real compiler)"),
  MUFU: row(
    "float",
    "f32",
    "d:R s:R",
    "RCP|RSQ|SQRT|LG2|EX2|SIN|COS|TANH! FTZ?",
    "approximated function (here: correctly rounded from double)",
  ),
  FSQRT: row("float", "f32", "d:R s:R", `${ROUND} FTZ?`, "d = sqrt(a), rounded"),
  FRCP: row("float", "f32", "d:R s:R", `${ROUND} FTZ?`, "d = 1 / a, rounded"),
  FRND: row("float", "f32", "d:X s:X", "64? TRUNC|FLOOR|CEIL? FTZ?", "rounding to an integral value (default: nearest even)"),
  DADD: row("float", "f64", "d:RD s:RD s:RD", ROUND, "d = a + b", COMM),
  DMUL: row("float", "f64", "d:RD s:RD s:RD", ROUND, "d = a * b", COMM),
  DFMA: row("float", "f64", "d:RD s:RD s:RD s:RD", ROUND, "d = a * b + c, one rounding"),
  DMNMX: row("float", "f64", "d:RD s:RD s:RD s:P", "", "d = predicate ? min(a, b) : max(a, b)"),
  DDIV: row("float", "f64", "d:RD s:RD s:RD", ROUND, "d = a / b"),
  DSQRT: row("float", "f64", "d:RD s:RD", ROUND, "d = sqrt(a)"),
  DRCP: row("float", "f64", "d:RD s:RD", ROUND, "d = 1 / a"),
  F2I: row(
    "float",
    "int",
    "d:A s:A",
    "S8|U8|S16|U16|S32|U32|S64|U64! F16|F32|F64! TRUNC|FLOOR|CEIL? FTZ?",
    "float to integer: .DST.SRC, saturating; NaN to 0",
  ),
  I2F: row("float", "any", "d:A s:A", "F16|F32|F64! S8|U8|S16|U16|S32|U32|S64|U64! RN|RZ|RM|RP?", "integer to float: .DST.SRC"),
  F2F: row("float", "any", "d:A s:A", "F16|BF16|F32|F64! F16|BF16|F32|F64! RN|RZ|RM|RP? FTZ? SAT?", "float to float: .DST.SRC"),
  HADD2: row("float", "f16x2", "d:R s:R s:R", "F32|BF16_V2? FTZ? SAT?", "two halves: d = a + b", COMM),
  HMUL2: row("float", "f16x2", "d:R s:R s:R", "BF16_V2? FTZ? SAT?", "two halves: d = a * b", COMM),
  HFMA2: row("float", "f16x2", "d:R s:R s:R s:R", "BF16_V2? RELU? FTZ? SAT?", "two halves: d = a * b + c"),
  HSETP2: row("predicate", "pred", "d:P s:R s:R s:P?", `${FCMP} FTZ? ${BOOL}`, "p = (low halves compare) [bool q]"),
  // memory
  LDG: row("memory", "any", "d:V m", `${SIZE} ${CACHE}`, "load from global memory; .CONSTANT: as it was at launch", {
    effect: "load",
    space: "global",
    numbers: [96],
  }),
  STG: row("memory", "none", "m s:V", `${SIZE} ${CACHE}`, "store to global memory", { effect: "store", space: "global" }),
  LDS: row("memory", "any", "d:V m", `${SIZE} ${CACHE}`, "load from shared memory", { effect: "load", space: "shared" }),
  STS: row("memory", "none", "m s:V", `${SIZE} ${CACHE}`, "store to shared memory", { effect: "store", space: "shared" }),
  LDL: row("memory", "any", "d:V m", `${SIZE} ${CACHE}`, "load from local memory", { effect: "load", space: "local" }),
  STL: row("memory", "none", "m s:V", `${SIZE} ${CACHE}`, "store to local memory", { effect: "store", space: "local" }),
  LDC: row("memory", "any", "d:V c", SIZE, "load from a constant bank", { effect: "load", space: "const" }),
  LD: row("memory", "any", "d:V m", `${SIZE} ${CACHE}`, "load from a generic address", { effect: "load", space: "generic" }),
  ST: row("memory", "none", "m s:V", `${SIZE} ${CACHE}`, "store to a generic address", { effect: "store", space: "generic" }),
  ATOM: row(
    "memory",
    "any",
    "d:V m s:V s:V?",
    `${ATOM_OP} ${ATOM_TYPE} GENERIC?`,
    "atomic on global memory, unsigned without .S32, old value returned; .GENERIC: wherever the address is",
    {
      effect: "atomic",
      space: "global",
    },
  ),
  ATOMS: row(
    "memory",
    "any",
    "d:V m s:V s:V?",
    `${ATOM_OP} ${ATOM_TYPE}`,
    "atomic on shared memory, unsigned without .S32, old value returned",
    {
      effect: "atomic",
      space: "shared",
    },
  ),
  RED: row(
    "memory",
    "none",
    "m s:V",
    `ADD|MIN|MAX|AND|OR|XOR|INC|DEC! ${ATOM_TYPE} GENERIC?`,
    "atomic on global memory without result, unsigned without .S32; .GENERIC: wherever the address is",
    {
      effect: "atomic",
      space: "global",
    },
  ),
  TEX: row("memory", "any", "d:V s:V s:I? s:I?", "1D|2D|3D|CUBE? 128|64|32?", "texture fetch (in a run, a hash of its operands)", {
    effect: "load",
    space: "generic",
    mayTrap: false,
  }),
  TLD: row("memory", "any", "d:V s:V s:I? s:I?", "1D|2D|3D|CUBE? 128|64|32?", "texture load (in a run, a hash of its operands)", {
    effect: "load",
    space: "generic",
    mayTrap: false,
  }),
  // warp
  SHFL: row(
    "warp",
    "i32",
    "d:P? d:R s:R s:R s:R",
    "IDX|UP|DOWN|BFLY!",
    "value of another lane (0 of an inactive one): value, lane or delta, clamp",
    {
      effect: "warp",
    },
  ),
  VOTE: row("warp", "any", "d:Y s:P", "ALL|ANY|BALLOT!", "vote among the active lanes", { effect: "warp", numbers: [283] }),
  MATCH: row("warp", "i32", "d:R d:P? s:X", "ANY|ALL! 64?", "lanes with the same value", { effect: "warp" }),
  REDUX: row("warp", "i32", "d:R s:R", `ADD|MIN|MAX|AND|OR|XOR! ${SIGN}`, "reduction over the active lanes, unsigned without .S32", {
    effect: "warp",
  }),
  S2R: row("warp", "i32", "d:R s:S", "", "read a special register"),
  CS2R: row("warp", "any", "d:A s:S", "32|64?", "read a clock or counter", { effect: "volatile" }),
  ACTIVEMASK: row("warp", "i32", "d:R", "", "mask of the active lanes", { effect: "warp" }),
  // control
  BRA: row("control", "none", "s:P? L", "U? NEAR?", "jump; with a predicate operand taken when guard and operand both hold", {
    effect: "control",
    numbers: [67, 77, 95],
  }),
  JMX: row("control", "none", "s:R T", "", "jump through a table by a 0-based index (left by switch lowering; out of range: the default)", {
    effect: "control",
    numbers: [297],
  }),
  BRX: row(
    "control",
    "none",
    "s:R T",
    "",
    "jump through a table; the register holds the entry's address (after LEA), or an index when the table says so",
    { effect: "control", numbers: [94, 112] },
  ),
  RET: row("control", "none", "", "", "return from a function", { effect: "control", numbers: [72, 83] }),
  EXIT: row("control", "none", "", "", "end of the thread", { effect: "control", numbers: [352] }),
  KILL: row("control", "none", "", "", "end of the thread without further effect", { effect: "control" }),
  CALL: row(
    "control",
    "none",
    "sym list list text?",
    "",
    'call a function: its name or a register with its address, {results}, {arguments}, and by an address the "functions" that it may be',
    {
      effect: "call",
      numbers: [22],
    },
  ),
  BSSY: row("control", "none", "d:B L", "", "open a convergence region that ends at the label", { effect: "sync", numbers: [50] }),
  BSYNC: row("control", "none", "s:B", "", "wait for the lanes of the region", { effect: "sync" }),
  BREAK: row("control", "none", "s:B", "", "leave a convergence region", { effect: "sync" }),
  WARPSYNC: row("control", "none", "s:R", "", "wait for the lanes of a mask (the interpreter does not wait)", { effect: "sync" }),
  BAR: row("control", "none", "s:R s:R?", "SYNC!", "wait for all threads of the block", { effect: "barrier" }),
  MEMBAR: row("control", "none", "", "SC|ALL? CTA|GPU|SYS?", "order memory accesses", { effect: "barrier" }),
  BPT: row("control", "none", "", "TRAP!", "stop the run with a trap (control continues after it in the text)", {
    effect: "volatile",
    mayTrap: true,
  }),
  NOP: row("control", "none", "", "", "nothing"),
  // other
  PHI: row("other", "any", "d:A phi", "", "value by the predecessor the block was entered from", { numbers: [159] }),
  OPAQUE: row(
    "other",
    "any",
    "list list text",
    "pure|load|store|barrier|call|warp!",
    "an instruction the model does not know, by its effect alone",
    { effect: "volatile" },
  ),
  // Hashes number opcodes by their position: additions go at the end, not next to their family.
  BMSK: row("integer", "i32", "d:R s:R s:R", "W?", "mask of b ones from bit a on; .W: both modulo 32, else what is beyond is cut off"),
  QSPC: row("predicate", "pred", "d:P s:X", "GLOBAL|SHARED|LOCAL! 64?", "does the generic address lie in the space?"),
  DRSQ: row("float", "f64", "d:RD s:RD", "", "d = 1 / sqrt(a), approximated (here: of the rounded root, rounded)"),
  LDGSTS: row(
    "memory",
    "none",
    "m m s:R?",
    "32|64|128!",
    "copy to shared from global memory: read now, written by the DEPBAR that waits for it; of as many bytes as the last operand says, zeros after them",
    { effect: "atomic", space: "generic" },
  ),
  LDGDEPBAR: row("memory", "none", "", "", "the copies begun so far, those of earlier groups left out, become a group", {
    effect: "barrier",
  }),
  DEPBAR: row("memory", "none", "s:I", "", "wait until at most so many groups of copies of the thread are under way", {
    effect: "barrier",
  }),
  BARRED: row(
    "control",
    "any",
    "d:Y s:R s:R? s:P",
    "POPC|AND|OR!",
    "BAR.RED: wait for all threads of the block, and give what their predicates combine to",
    {
      effect: "barrier",
    },
  ),
  NANOSLEEP: row("control", "none", "s:R", "", "rest for about so many nanoseconds (no time passes in a run)", { effect: "volatile" }),
  SYNCS: row(
    "memory",
    "i64",
    "d:RD m s:R? s:R?",
    "INIT|INVAL|ARRIVE|DROP|EXPECT|COMPLETE!",
    "barrier object in shared memory: arrivals (1, or as many as said) and bytes that a phase waits for; the result is the state before",
    { effect: "barrier", space: "generic", mayTrap: true },
  ),
  PHASECHK: row(
    "memory",
    "pred",
    "d:P m s:X",
    "64?",
    "is the phase of a barrier object over? named by its parity, or (.64) by the state that an arrival gave; waits while other threads can go on",
    { effect: "barrier", space: "generic", mayTrap: true },
  ),
} as const satisfies Readonly<Record<string, OpcodeInfo>>;

export type Opcode = keyof typeof TABLE;

export const OPCODES: Readonly<Record<Opcode, OpcodeInfo>> = TABLE;

export function isOpcode(name: string): name is Opcode {
  return Object.hasOwn(TABLE, name);
}

// So many properties make an object slow to look into by a computed key.
const INFOS: ReadonlyMap<Opcode, OpcodeInfo> = new Map(Object.entries(TABLE) as [Opcode, OpcodeInfo][]);

export function opcodeInfo(op: Opcode): OpcodeInfo {
  return INFOS.get(op) ?? TABLE[op];
}

/** One slot of a shape. */
export interface Slot {
  readonly role: "def" | "use" | "other";
  /** The class letter(s) of the header comment, or `m c L T sym list text phi`. */
  readonly cls: string;
  readonly optional: boolean;
}

/** One modifier group. */
export interface ModGroup {
  readonly choices: readonly string[];
  readonly required: boolean;
}

function parseShape(shape: string): readonly Slot[] {
  if (shape === "") return [];
  return shape.split(" ").map((token) => {
    const optional = token.endsWith("?");
    const body = optional ? token.slice(0, -1) : token;
    if (body.startsWith("d:")) return { role: "def", cls: body.slice(2), optional };
    if (body.startsWith("s:")) return { role: "use", cls: body.slice(2), optional };
    return { role: "other", cls: body, optional };
  });
}

function parseMods(mods: string): readonly ModGroup[] {
  if (mods === "") return [];
  return mods.split(" ").map((group) => ({ choices: group.slice(0, -1).split("|"), required: group.endsWith("!") }));
}

const SLOTS = new Map<Opcode, readonly Slot[]>();
const MOD_GROUPS = new Map<Opcode, readonly ModGroup[]>();
for (const [name, info] of Object.entries(OPCODES)) {
  SLOTS.set(name as Opcode, parseShape(info.shape));
  MOD_GROUPS.set(name as Opcode, parseMods(info.mods));
}

export function slotsOf(op: Opcode): readonly Slot[] {
  return SLOTS.get(op) ?? [];
}

export function modGroupsOf(op: Opcode): readonly ModGroup[] {
  return MOD_GROUPS.get(op) ?? [];
}
