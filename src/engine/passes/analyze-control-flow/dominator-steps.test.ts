import { expect, it } from "vitest";
import { dominators, postDominators } from "../../analysis/dominators.ts";
import { funcOf, randomGraph } from "../../analysis/testing/graphs.ts";
import { Editor } from "../../ir/edit.ts";
import { Remarks } from "../../remark/remarks.ts";
import type { CellValue, StructureId, StructureType } from "../../trace/recorder.ts";
import { Recording } from "../../trace/recording.ts";
import { CONTROL_FLOW } from "../shared/control-flow/control-flow-rules.ts";
import { stepDominators } from "./dominator-steps.ts";

/** Keeps the rows of each structure. */
class RowRecording extends Recording {
  readonly rows = new Map<string, Map<string, CellValue>>();
  private readonly names = new Map<StructureId, string>();

  override structure(type: StructureType, name: string, title: string): StructureId {
    const id = super.structure(type, name, title);
    this.names.set(id, name);
    this.rows.set(name, new Map());
    return id;
  }

  override cell(structure: StructureId, key: string | number, value: CellValue | undefined): void {
    const rows = this.rows.get(this.names.get(structure) ?? "");
    if (value === undefined) rows?.delete(String(key));
    else rows?.set(String(key), value);
    super.cell(structure, key, value);
  }
}

it("ends with the immediate dominators and post-dominators, and with no finger left", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const fn = funcOf(randomGraph(seed, 10));
    const rec = new RowRecording(fn);
    stepDominators(fn, new Remarks(new Editor(fn, rec), rec, CONTROL_FLOW, null));
    for (const [name, tree] of [["idom", dominators(fn)] as const, ["post-idom", postDominators(fn)] as const]) {
      const expected = fn.layout.flatMap((id) => {
        if (tree.inTree[id] !== 1 || (name === "idom" && id === fn.layout[0])) return [];
        const idom = tree.idom[id]!;
        return [[fn.blocks[id]!.label, idom < 0 ? "the exit" : fn.blocks[idom]!.label]];
      });
      expect([...rec.rows.get(name)!].sort(), `seed ${seed}, ${name}`).toEqual(expected.sort());
    }
  }
});
