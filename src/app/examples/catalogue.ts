/** The gallery: every program one can open with a click, and what to look at in it. */

import type { SourceFormat } from "../../engine/api/types.ts";
import { generateKernel } from "./generate.ts";
import sumPositive from "./ori/sum-positive.ori?raw";

export interface Example {
  readonly id: string;
  readonly title: string;
  readonly group: "Loops" | "Branches" | "Switches" | "Redundancy" | "Tails and layout" | "Sizes" | "From CUDA";
  /** What it is. */
  readonly about: string;
  /** What to look at. */
  readonly look: string;
  /** Phase to open it at. */
  readonly phase: string | null;
  readonly format: SourceFormat;
  readonly load: () => Promise<string>;
}

const oriFiles = import.meta.glob<string>("./ori/*.ori", { query: "?raw", import: "default" });
const ptxFiles = import.meta.glob<string>("./ptx/*.ptx", { query: "?raw", import: "default" });

// `.sass` alone would be a style sheet to the bundler.
const sassFiles = import.meta.glob<string>("./sass/*.sass.txt", { query: "?raw", import: "default" });

function file(files: Record<string, () => Promise<string>>, path: string): () => Promise<string> {
  return async () => {
    const load = files[path];
    if (load === undefined) throw new Error(`There is no file ${path}.`);
    return await load();
  };
}

type OriRow = readonly [id: string, title: string, group: Example["group"], phase: string | null, about: string, look: string];

const ORI: readonly OriRow[] = [
  [
    "sum-positive",
    "Sum of positives",
    "Loops",
    "analyze-control-flow",
    "One loop with a conditional inside.",
    "Watch RPO numbers, the back edge and the loop header being found; then the copies and compares going.",
  ],
  [
    "loop-nest",
    "Loop nest with an exit",
    "Loops",
    "analyze-control-flow",
    "Two nested loops; a negative entry leaves both.",
    "IN_LOOP is set on an RPO interval. Compare it with the natural loop: the exit block may lie in one and not in the other.",
  ],
  [
    "irreducible",
    "Irreducible loop",
    "Loops",
    "analyze-control-flow",
    "A loop that can be entered in two places.",
    "The retreating edge's target does not dominate its source: the RPO violation latch is set, and loop-sensitive phases decline.",
  ],
  [
    "divergent-loop",
    "Divergent loop",
    "Loops",
    "do-switch-opt-first",
    "Collatz steps: lanes leave at different times.",
    "Run it with 32 threads and look at the divergence counters; the BSSY region can't be removed.",
  ],
  [
    "five-blocks",
    "Five blocks",
    "Sizes",
    "analyze-control-flow",
    "The smallest program with a loop, a branch and a join.",
    "Small enough to predict every step before taking it.",
  ],
  [
    "nested-and",
    "Nested conditions",
    "Branches",
    "optimize-nested-cond-branches",
    "a && b && c as three branches to one block.",
    "The three compares become one PLOP3 chain; each round composes a truth table.",
  ],
  [
    "nested-and-load",
    "Nested conditions that must stay",
    "Branches",
    "optimize-nested-cond-branches",
    "The twin: the inner condition needs a load.",
    "The candidate is found and refused. Why says which of the safety conditions failed.",
  ],
  [
    "diamond",
    "Diamond",
    "Branches",
    "ori-do-predication",
    "Two short arms that meet again.",
    "The arms become guarded instructions, unless the limits say otherwise.",
  ],
  [
    "same-condition",
    "The same condition twice",
    "Branches",
    "general-optimize-early",
    "A second branch on an already decided predicate, behind a join.",
    "Each way knows the answer, but the second branch is reached from both: several predecessors. Compare 'Second test of a condition'.",
  ],
  [
    "early-exit",
    "Early exit",
    "Branches",
    "analyze-control-flow",
    "The bounds check of a CUDA kernel.",
    "A block that begins with EXIT gets the EARLY_EXIT bit; see the block record.",
  ],
  [
    "switch-dense",
    "Dense switch",
    "Switches",
    "do-switch-opt-second",
    "Eight consecutive cases.",
    "The bitmap population gives the density; a jump table wins. Move the limits in Knobs and see the tree win.",
  ],
  [
    "switch-sparse",
    "Sparse switch",
    "Switches",
    "do-switch-opt-second",
    "Seven cases far apart.",
    "The range is far too wide for a table: a binary search tree is built, in the order of the value tree.",
  ],
  [
    "switch-cascade",
    "Small switch that stays",
    "Switches",
    "do-switch-opt-second",
    "The twin of the dense switch: four cases.",
    "Up to four cases stay a cascade. Set switch-cascade-max-cases to 3, or take policy 'measured', and it becomes a table.",
  ],
  [
    "switch-duplicates",
    "Repeated case",
    "Switches",
    "do-switch-opt-second",
    "One value is tested twice.",
    "The bit is in the tree of values already: the first target wins, and the second one loses its edge.",
  ],
  [
    "switch-extremes",
    "Extremes of int32",
    "Switches",
    "do-switch-opt-second",
    "INT_MIN and INT_MAX in one switch.",
    "The range is 4294967296. The tree of values gets nodes far apart: watch it being inserted into and rotated.",
  ],
  [
    "switch-interleaved",
    "Computation between compares",
    "Switches",
    "do-switch-opt-second",
    "A multiplication in the middle of the chain.",
    "It is pure and dead at the earlier cases, so it moves. With SwitchOptExtendedPatternMatch off the chain ends there.",
  ],
  [
    "switch-profile",
    "Switch with a profile",
    "Switches",
    "do-switch-opt-second",
    "Dense enough for a table, but with block weights.",
    "The phase returns at once. Delete the .weight lines and run it again.",
  ],
  [
    "switch-vote",
    "Switch before a vote",
    "Switches",
    "do-switch-opt-second",
    "The default counts the lanes that came with it.",
    "Refused: lanes in the gap and lanes out of range would vote apart. Make value 14 a 13 and it is lowered.",
  ],
  [
    "switch-prefix",
    "Far cases, then near ones",
    "Switches",
    "do-switch-opt-second",
    "The order of the compares matters to ptxas.",
    "Policy 'notes' builds one tree; policy 'measured' a table of the last four. Move the near cases to the front: nothing is lowered.",
  ],
  [
    "jump-table",
    "Jump table, byte by byte",
    "Switches",
    "expand-jmx-computation",
    "The dispatch that switch lowering leaves.",
    "LEA and BRX, the text layout, and each entry's four bytes: its target relative to the table. The gap holds the default.",
  ],
  [
    "jump-table-unbounded",
    "Jump table without a bound",
    "Switches",
    "expand-jmx-computation",
    "The twin: the index may be anything.",
    "4 * index could wrap around, so the index is clamped before LEA: a condition that the notes don't state.",
  ],
  [
    "forwarding-table",
    "Table through empty blocks",
    "Switches",
    "do-switch-opt-first",
    "Entries and a BSSY that lead to blocks which only jump on.",
    "Handler A's second half names the final blocks. Give knob 351 the value 1 to stop it after one.",
  ],
  [
    "sync-uniform",
    "Needless sync pair",
    "Branches",
    "do-switch-opt-first",
    "BSSY and BSYNC around a uniform branch.",
    "Handler A proves that no lane can leave the others, and removes the pair.",
  ],
  [
    "sync-divergent",
    "Needed sync pair",
    "Branches",
    "do-switch-opt-first",
    "The twin: the branch is on the thread number.",
    "The same walk finds a branch that may send lanes apart; the pair stays.",
  ],
  [
    "near-branches",
    "Near branches",
    "Branches",
    "do-switch-opt-first",
    "A loop and a skip, for sm_80.",
    "Handler B measures every distance and tags near branches. On sm_90 the same slot holds handler A.",
  ],
  [
    "redundant-addresses",
    "Redundant addresses",
    "Redundancy",
    "gvn-cse",
    "One address computed five times.",
    "The value table finds the leader by FNV-1a; the scope tree says whose leaders are visible.",
  ],
  [
    "copy-chain",
    "Chain of copies",
    "Redundancy",
    "general-optimize",
    "Copies of copies, across a join.",
    "Forward copy propagation stops where a register has several definitions: see the refused matches.",
  ],
  [
    "reassociate",
    "Reassociation",
    "Redundancy",
    "ori-reassociate-and-common",
    "Sums in different orders.",
    "Subtractions are turned, operands sorted and the tree rebuilt; then equal subtrees meet.",
  ],
  [
    "reassociate-floats",
    "Reassociation refused",
    "Redundancy",
    "ori-reassociate-and-common",
    "The same sums of floats.",
    "No tree is flattened: the order of float additions is part of their result.",
  ],
  [
    "late-commoning",
    "Late commoning",
    "Redundancy",
    "late-ori-commoning",
    "A product that a dominating block has computed, for sm_80.",
    "The class masks say where to look, EQUIV judges by seven conditions, and the use reads the representative.",
  ],
  [
    "late-commoning-select",
    "A select in between",
    "Redundancy",
    "late-ori-commoning",
    "The same with a SEL behind the first product.",
    "SEL resets the accumulator, so the second product is refused by its class mask.",
  ],
  [
    "common-tails",
    "Common tails",
    "Tails and layout",
    "branch-folding",
    "Three arms with the same end.",
    "Tails are hashed, compared pairwise, and kept once, if the gates agree.",
  ],
  [
    "phis-in-the-way",
    "PHIs in the way",
    "Tails and layout",
    "branch-folding",
    "The twin: PHIs, which BranchFolding declines.",
    "Tails and Why offer to take the PHIs out: copies on the ways into their blocks, then the common tail is merged.",
  ],
  [
    "jump-to-jump",
    "Jumps to jumps",
    "Tails and layout",
    "ori-branch-opt",
    "Empty blocks, and two that chase each other.",
    "Chains are threaded; the cycle guard keeps the endless pair from being followed for ever.",
  ],
  [
    "unreachable-chain",
    "Unreachable chain",
    "Tails and layout",
    "ori-branch-opt",
    "A branch never taken.",
    "The constant condition goes, then the cascade over predecessor counts deletes block after block.",
  ],
  [
    "if-chain-weights",
    "A profile",
    "Tails and layout",
    "ori-do-predication",
    "Block weights attached.",
    "Weights show on the blocks; some decisions read them.",
  ],
  [
    "reduction",
    "Reduction with a barrier",
    "Branches",
    "optimize-nested-cond-branches",
    "Shared memory, halving strides.",
    "A barrier refuses rewrites around it. Run it with 64 threads.",
  ],
  [
    "constant-conditions",
    "Conditions known beforehand",
    "Branches",
    "ori-branch-opt",
    "A compare of constants, of a value with itself, and a moved PT.",
    "Each is decided by its only definition; then edges go, and the cascade takes the blocks behind them.",
  ],
  [
    "conditions-that-stay",
    "Conditions that only look constant",
    "Branches",
    "ori-branch-opt",
    "The twin: a guarded definition, a float compared with itself, x - x.",
    "Why names the reason for each: two definitions, NaN, a value carried through arithmetic (that is phase 13's, and ptxas leaves it).",
  ],
  [
    "exit-before-vote",
    "Never taken, but missed",
    "Branches",
    "ori-branch-opt",
    "A constant condition on the way to a vote.",
    "Refused: without the edge the lanes would meet before the vote, and it would count more of them. A condition the notes don't state.",
  ],
  [
    "jump-over-jump",
    "Jump over a jump",
    "Tails and layout",
    "ori-branch-opt",
    "A condition around an unconditional branch.",
    "Policy 'measured' inverts the condition; policy 'notes' lists no such rewrite and says so.",
  ],
  [
    "second-test",
    "Second test of a condition",
    "Branches",
    "general-optimize-early",
    "Three branches on one condition, one behind the other.",
    "The chain matcher goes through its nine steps; the second and third branch are decided by the edge they are reached on.",
  ],
  [
    "second-test-stays",
    "Second tests that stay",
    "Branches",
    "general-optimize-early",
    "The twin: a complement, an inverse compare, a join in between.",
    "Each refusal names its step: negation, other opcode or modifiers, several predecessors. ptxas keeps them as well.",
  ],
  [
    "marked-operands",
    "Marked operands",
    "Redundancy",
    "general-optimize",
    "A predicate that becomes known, with a select and guards that read it.",
    "Watch operand-marks: 0x100 on the select and the copies, 0x400 under a predicate. Take target sm_70: nothing is marked 0x400 there.",
  ],
  [
    "copies-that-stay",
    "Copies that stay",
    "Redundancy",
    "general-optimize",
    "The twin of the chain of copies.",
    "Copy propagation never crosses a redefinition of source or destination: each refused use says which.",
  ],
  [
    "local-scalars",
    "Scalars in local memory",
    "Redundancy",
    "general-optimize-mid",
    "A loop counter and a sum that live in local memory.",
    "Two slots become registers, then copies go round by round: see the cost of each fold and the convergence table.",
  ],
  [
    "local-array",
    "Array in local memory",
    "Redundancy",
    "general-optimize-mid",
    "The twin: a computed address may reach every slot.",
    "Nothing is promoted. Set knob 135 to 12 and knob 136 to 0.5: the computed load is compared with each slot.",
  ],
  [
    "dead-counter",
    "Counter that nobody reads",
    "Redundancy",
    "ori-perform-live-dead-second",
    "A loop variable that only feeds itself.",
    "Watch the liveness rounds: R2 never joins a set, so the counter goes although something reads it.",
  ],
  [
    "dead-results",
    "Dead results that stay",
    "Redundancy",
    "ori-perform-live-dead-first",
    "The twin: an atomic, a volatile load, a clock.",
    "Their results are dead, their effects are not. Why says which effect keeps each.",
  ],
  [
    "split-blocks",
    "Blocks that were split",
    "Branches",
    "set-control-flow-op-last-in-bb",
    "Three branches written under two labels.",
    "The phase changes nothing: it tells which blocks exist only because a branch must end its block.",
  ],
];

const CUDA: readonly (readonly [file: string, title: string, phase: string | null])[] = [
  ["01_switch_dense", "Dense switch", "do-switch-opt-second"],
  ["02_switch_sparse", "Sparse switch", "do-switch-opt-second"],
  ["03_nested_and", "Short-circuit conditions", "optimize-nested-cond-branches"],
  ["04_diamond", "Diamond", "ori-do-predication"],
  ["05_loop_nest", "Loop nest", "analyze-control-flow"],
  ["06_early_exit", "Early exits", "ori-branch-opt"],
  ["07_redundant_addr", "Redundant addresses", "gvn-cse"],
  ["08_common_tails", "Common tails", "branch-folding"],
  ["09_reduction", "Reduction", "analyze-control-flow"],
  ["10_divergent_loop", "Divergent loop", "analyze-control-flow"],
  ["11_binary_search", "Binary search", "general-optimize"],
  ["12_state_machine", "State machine", "do-switch-opt-second"],
];

const COMPILERS: readonly (readonly [suffix: string, title: string])[] = [
  ["sm_90", "nvcc 13.0, sm_90"],
  ["llvm22.sm_80", "LLVM 22, sm_80"],
];

/** What ptxas made of some of them: open one to look at its graph, or align one's own result with it. */
const SASS: readonly (readonly [name: string, title: string, tool: string, look: string])[] = [
  [
    "01_switch_dense.sm_90",
    "Dense switch",
    "nvdisasm, sm_90",
    "Seven small jump tables behind a tree of compares: the shape ptxas gives a switch of 16 cases.",
  ],
  [
    "03_nested_and.sm_90",
    "Short-circuit conditions",
    "nvdisasm, sm_90",
    "Two convergence regions; the last condition has become predicated stores and a guarded exit.",
  ],
  [
    "04_diamond.sm_90",
    "Diamond",
    "nvdisasm, sm_90",
    "A division calls a local function: it is split off, and the call names the registers it changes.",
  ],
  ["05_loop_nest.sm_90", "Loop nest", "nvdisasm, sm_90", "Two of the source's three loops are left; compare the nesting with the PTX."],
  ["10_divergent_loop.sm_75", "Divergent loop", "cuobjdump, sm_75", "BSSY and BSYNC round the loop; targets are addresses in this layout."],
  [
    "12_state_machine.sm_90",
    "State machine",
    "nvdisasm, sm_90",
    "Two tables, three regions, BREAK: where ptxas kept the switch and where it did not.",
  ],
];

/** The program that a first visit opens: in the first script, so that it is there at once. */
export const DEFAULT_EXAMPLE = { id: "sum-positive", title: "Sum of positives", text: sumPositive, phase: "analyze-control-flow" };

export const EXAMPLES: readonly Example[] = [
  ...ORI.map(
    ([id, title, group, phase, about, look]): Example => ({
      id,
      title,
      group,
      about,
      look,
      phase,
      format: "ori",
      load: file(oriFiles, `./ori/${id}.ori`),
    }),
  ),
  ...([50, 500] as const).map(
    (size): Example => ({
      id: `generated-${size}`,
      title: `About ${size} blocks`,
      group: "Sizes",
      about: "Generated: nested loops and conditions.",
      look: size === 50 ? "Large enough for the outline and search to matter." : "Collapse loops, search, and step by object.",
      phase: "analyze-control-flow",
      format: "ori",
      load: async () => generateKernel(`generated_${size}`, size, size),
    }),
  ),
  ...CUDA.flatMap(([name, title, phase]) =>
    COMPILERS.map(
      ([suffix, compiler]): Example => ({
        id: `${name}.${suffix}`,
        title: `${title} · ${compiler}`,
        group: "From CUDA",
        about: `PTX of ${name.slice(3)}.cu as ${compiler.split(",")[0]} writes it.`,
        look: "The import names what it could not map; every block of the control flow is there.",
        phase,
        format: "ptx",
        load: file(ptxFiles, `./ptx/${name}.${suffix}.ptx`),
      }),
    ),
  ),
  ...SASS.map(
    ([name, title, tool, look]): Example => ({
      id: `${name}.sass`,
      title: `${title} · SASS (${tool})`,
      group: "From CUDA",
      about: `What ptxas 13.0 made of ${name.slice(3, name.indexOf("."))}.cu, disassembled.`,
      look,
      phase: "analyze-control-flow",
      format: "sass",
      load: file(sassFiles, `./sass/${name}.sass.txt`),
    }),
  ),
];
