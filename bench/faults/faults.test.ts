/** Faults to plant fit the sources: a line that moved or a condition that was renamed would be tried in vain. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PASSES } from "../../src/engine/passes/registry.ts";
import { reasonsOf } from "../../src/engine/remark/rules.ts";
import { FAULTS } from "./faults.ts";

describe("planted faults", () => {
  it("have names of their own", () => {
    expect(new Set(FAULTS.map((fault) => fault.name)).size).toBe(FAULTS.length);
  });

  it.each(FAULTS.map((fault) => [fault.name, fault] as const))("%s can be planted", (_, fault) => {
    const phase = PASSES.find((pass) => fault.phase !== undefined && pass.ids.includes(fault.phase));
    if (fault.phase !== undefined) expect(phase).toBeDefined();
    if (fault.kind === "drop") {
      const reason = reasonsOf(phase?.rules ?? {}).find(({ name }) => name === fault.reason);
      expect(reason?.droppable ?? null).not.toBeNull();
      return;
    }
    expect(readFileSync(fault.file, "utf8").split(fault.from).length - 1).toBe(1);
    expect(fault.to).not.toBe(fault.from);
  });
});
