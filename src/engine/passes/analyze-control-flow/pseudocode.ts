/** The pseudocode of AnalyzeControlFlow; each step of the service has one line. */

import { CONTROL_FLOW_STEPS, type ControlFlowStep } from "../../analysis/control-flow.ts";

const TEXT: Readonly<Record<ControlFlowStep, string>> = {
  guard: "a nested call finds the guard +1370 bit 0x10 set and returns; else set it",
  fresh: "incremental: blocks whose record is still right are left alone in what follows",
  reset: "part 1, for each stale block: +280 &= 0xFF78F98F; +120, +128, +144, +152, +232 = 0",
  worklist: "  worklist count +520 = 0",
  function: "  clear the function's bits: running, RPO violation, early exit, forced rebuild",
  sweep: "part 2, for each instruction in layout order, by its masked opcode:",
  marker: "  block marker: worklist[rpo] = block; +144 = rpo; full rebuild: assume header and predecessors (0x30)",
  branch: "  BRA: register the edge to its target; EXIT and KILL: no edge",
  table: "  JMX, BRX: register one edge for each different target of the jump table",
  return: "  RET: clear +280 bit 0x08 and +292 bits 0x0C; in a function, set the callee bit",
  straight: "  MOV, PHI, guarded and other instructions: nothing to register",
  fall: "  end of a block that falls through: register the edge to the next block",
  edge: "  register(b, t): add t to the successor map +648; if rpo(t) > rpo(b), t gets HAS_PRED",
  back: "    else add t to the back-edge map +680; +152 of b = the smallest such rpo(t)",
  candidate: "  end of a block with a back edge: ANALYSIS_OK and +292 bit 0x08",
  header: "part 3: LOOP_HEADER exactly on targets of back edges, whose +152 becomes the rpo of the furthest latch",
  body: "  IN_LOOP on every block with rpo from the header's to the furthest latch's",
  check: "part 4: a back edge whose target does not dominate its source sets the RPO violation +1377 bit 5",
  release: "clear the guard",
};

export const PSEUDOCODE: readonly string[] = CONTROL_FLOW_STEPS.map((step) => TEXT[step]);

export const LINES = Object.fromEntries(CONTROL_FLOW_STEPS.map((step, i) => [step, i + 1])) as Readonly<Record<ControlFlowStep, number>>;
