/** Droppable conditions without a kept witness, by family, and why they are thought to be needed all the same. Whoever finds a witness takes the line out. */

const NEVER_TAKEN = "Only a repeated value leads there, so no lane ever does: a reader of the program is misled, a run is not.";
const UNIFORM = "The interpreter keeps a uniform register for each lane. On the machine one lane's value would become that of all.";
const SAME_VALUE = "All lanes hold the same value in both registers. The machine has no such move into a uniform register.";
const MEETS_AGAIN = "In every program that was tried, the lanes meet again before anything that depends on their company.";
const NEVER_ASKED = "No program was found in which this phase meets it: it belongs to a part that this phase shares with others.";

export const UNWITNESSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "branch-folding": {
    "loop-entry": "A second way into a loop changes no result. Later phases expect reducible graphs and do less on others.",
  },
  "do-switch-opt": {
    "chain-stop": "Lanes that would leave before the barrier reach it as well, and a barrier counts whoever is there.",
    "depends-on-order": "Whose turn comes first is a race, and a result that depends on it counts for nothing here.",
    "dropped-target": NEVER_TAKEN,
    "lost-definition": NEVER_TAKEN,
  },
  "do-switch-opt-first": {
    "divergent-guard": MEETS_AGAIN,
    "guarded-bssy": MEETS_AGAIN,
  },
  "general-optimize-early": {
    "different-guard": NEVER_ASKED,
    "several-definitions": NEVER_ASKED,
    "source-redefined": NEVER_ASKED,
  },
  "general-optimize-mid": {
    volatile: "Local memory belongs to one thread, so nobody sees that an access is missing.",
  },
  "gvn-cse": {
    "register-class": SAME_VALUE,
    "unsafe-barrier":
      "A register keeps its value across a barrier, and loads are numbered by the state of memory. The reference ends the scope.",
  },
  "late-ori-commoning": {
    "operand-kinds": "Guards against two instructions of one hash by chance, which was never seen.",
    "register-class": "In every program that was tried, the value is the same in both kinds of register.",
    "same-places": "Guards against two instructions of one hash by chance, which was never seen.",
    "volatile-access": "Another thread would have to write between both accesses: a race, and its results count for nothing here.",
  },
  "ori-do-predication": { "uniform-result": UNIFORM },
  "ori-linear-replacement": { uniform: UNIFORM },
  "ori-reassociate-and-common": { "register-class": SAME_VALUE },
};
