/**
 * What the PTX reader refuses against what the real assembler refuses: `npx tsx bench/ptxas/rules.ts [--seed S] [--count N] [--isa 8.8] [--target sm_100a]`.
 * Draws N statements (4,000) from the table of instructions and makes a mistake in half of them, then asks the `ptxas` on PATH about each. Prints those on which the two
 * disagree, and the shares. Where there is no ptxas it says so and ends with 0.
 */

import { parseArgs } from "node:util";
import { compareRules, hasAssembler } from "./rules-cases.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "20260" },
    count: { type: "string", default: "4000" },
    isa: { type: "string", default: "8.8" },
    target: { type: "string", default: "sm_100a" },
  },
});

if (!hasAssembler()) console.log("no ptxas on PATH: nothing is compared");
else {
  const { seed, count, isa, target } = values;
  const { tried, refused, differences } = compareRules(Number(seed), Number(count), isa, target);
  for (const { statement, ours, theirs } of differences) {
    console.log(theirs === null ? `only ours:  ${statement}  ${ours}` : `only ptxas: ${statement}  ${theirs}`);
  }
  const onlyOurs = differences.filter(({ theirs }) => theirs === null).length;
  const share = ((100 * (tried - differences.length)) / tried).toFixed(2);
  console.log(
    `seed ${seed}, PTX ${isa}, ${target}: ${tried} statements, ptxas refuses ${refused}; ${share} % agree, ${onlyOurs} refused by us only`,
  );
}
