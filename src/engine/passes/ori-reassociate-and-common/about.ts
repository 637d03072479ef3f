/** What this pass says about itself. */

import { type About, address, nonZero, slot } from "../about.ts";

export const ABOUT = {
  family: "ori-reassociate-and-common",
  summary: "Brings integer and predicate expressions into canonical form and commons what is equal inside a block.",
  phases: [
    {
      id: "ori-reassociate-and-common",
      number: 50,
      name: "OriReassociateAndCommon",
      plain: "Reassociation",
      also: ["expression trees", "canonical form", "commutativity", "associativity", "common subexpression elimination"],
      level: { notes: 2, measured: 1 },
      gates: [nonZero("allow-reassociate-cse"), slot(50)],
      binary: {
        isNoOp: false,
        functions: [
          address("sub_C604D0", "execute: calls slot 44 of the backend", 42),
          address("0xC5EFE0", "getPhaseNumber", 6),
          address("0xC5EFF0", "isNoOp", 6),
        ],
        section: "copy-propagation-and-cse: Phase Summary Table, Function Map",
      },
    },
  ],
} as const satisfies About;
