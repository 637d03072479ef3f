/**
 * A pass of one's own: removes copies of a register to itself. Runs it on a program, checks the laws that hold for every pass, and
 * prints what changed.
 * Usage: node own-pass.mjs program.ori
 */
import { readFileSync } from "node:fs";
import { getBlock, laws, runPass } from "oriscope";

/** @type {import("oriscope").Pass} */
const removeSelfCopies = {
  family: "RemoveSelfCopies",
  ids: ["remove-self-copies"],
  summary: "Removes copies of a register to itself.",
  pseudocode: [
    "for each block",
    "  for each instruction, last first",
    "    a MOV without guard or modifiers whose source is its target: remove it",
  ],
  run({ edit, rec }) {
    let matches = 0;
    for (const id of edit.func.layout) {
      for (let at = getBlock(edit.func, id).insts.length - 1; at >= 0; at--) {
        const inst = getBlock(edit.func, id).insts[at];
        if (inst?.op !== "MOV" || inst.guard !== null) continue;
        const [to, from] = inst.ops;
        if (to?.kind !== "reg" || from?.kind !== "reg" || from.reg !== to.reg || from.neg || from.abs || from.not) continue;
        matches++;
        if (rec.on) rec.event("match", 3, "the copy changes nothing", { verdict: "yes" }, { blocks: [id], insts: [inst.id] });
        edit.remove(id, at);
      }
    }
    return { matches, rewrites: matches, why: matches === 0 ? "no register is copied to itself" : null };
  },
};

const text = readFileSync(process.argv[2] ?? "", "utf8");
const result = runPass(text, removeSelfCopies);
if (!result.ok) {
  console.error(result.message);
  process.exit(1);
}
console.log(await result.publish("log"));
const verdict = laws(text, removeSelfCopies);
console.log(verdict.message);
process.exitCode = verdict.ok && verdict.law === null ? 0 : 1;
