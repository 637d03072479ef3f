/** EqualSelect as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../../remark/rules.ts";

export const RULES = rules({
  block: line("for each block B, in layout order:", { kind: "span", step: "look at {block}" }),
  select: line("  for each SEL of B, which reads X and Y and chooses by P:", { step: "'{inst}' chooses between {x} and {y}" }),
  equal: line("    X and Y are the same operand", {
    missed: {
      different: {
        why: "selects choose between different values",
        say: "'{inst}' stays: {x} and {y} may differ",
        droppable: "lanes whose predicate is false get X instead of Y",
      },
    },
  }),
  replace: line("    replace the SEL by MOV X", {
    found: "'{inst}' gives {x} whatever its predicate is",
    done: "'{inst}' becomes a MOV of {x}",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
