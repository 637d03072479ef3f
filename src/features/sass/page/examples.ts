/** What ptxas 13.0 made of some of the kernels in CUDA: open one to look at its graph, or compare your own result with it. */

export const ROWS: readonly (readonly [name: string, title: string, tool: string, look: string])[] = [
  [
    "01_switch_dense.sm_90",
    "Dense switch",
    "nvdisasm, sm_90",
    "Seven small jump tables after a tree of compares: what ptxas makes of a switch with 16 cases.",
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
    "A division calls a local function: the import splits it off, and the call names the registers it changes.",
  ],
  ["05_loop_nest.sm_90", "Loop nest", "nvdisasm, sm_90", "Two of the source's three loops remain; compare the nesting with the PTX."],
  [
    "10_divergent_loop.sm_75",
    "Divergent loop",
    "cuobjdump, sm_75",
    "BSSY and BSYNC around the loop; branch targets are addresses in this listing.",
  ],
  [
    "12_state_machine.sm_90",
    "State machine",
    "nvdisasm, sm_90",
    "Two tables, three regions, BREAK: where ptxas kept the switch and where it did not.",
  ],
];
