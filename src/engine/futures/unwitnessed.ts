/** Droppable conditions without a kept witness, by family, and why they are thought to be needed all the same. Whoever finds a witness takes the line out. */

const UNIFORM = "The interpreter keeps a uniform register for each lane. On the machine one lane's value would become that of all.";
const ONE_HASH = "Guards against two instructions of one hash by chance: a search over constants finds such pairs, and none is kept.";
const SAME_VALUE = "All lanes hold the same value in both registers. The machine has no such move into a uniform register.";

export const UNWITNESSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "branch-folding": {
    "loop-entry": "A second way into a loop changes no result. Later phases expect reducible graphs and do less on others.",
  },
  "do-switch-opt": {
    "depends-on-order": "Whose turn comes first is a race, and a result that depends on it counts for nothing here.",
    "lost-definition":
      "Only a repeated value leads there, so no lane ever does; and the verifier lets a register be read undefined that some path read so before. The one difference that a search found was a race: all lanes stored to one address; with an address for each lane there is none.",
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
    "operand-kinds": ONE_HASH,
    "same-places": ONE_HASH,
    "volatile-access": "Another thread would have to write between both accesses: a race, and its results count for nothing here.",
  },
  "ori-do-predication": { "uniform-result": UNIFORM },
  "ori-linear-replacement": { uniform: UNIFORM },
  "ori-reassociate-and-common": { "register-class": SAME_VALUE },
};
