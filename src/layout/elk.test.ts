import { describe, expect, it } from "vitest";
import { fromElk } from "./from-elk.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { inProcessElk } from "./testing/in-process-elk.ts";
import { irreducibleCfg, structuredCfg, switchCfg } from "./testing/random-cfg.ts";
import { toElk } from "./to-elk.ts";

describe("layout by ELK", () => {
  it("draws structured and irreducible graphs by the same rules as our own engine", async () => {
    const elk = await inProcessElk();
    for (let seed = 1; seed <= 6; seed++) {
      for (const input of [structuredCfg(seed, 12), structuredCfg(seed, 60), irreducibleCfg(seed, 30)]) {
        const layout = fromElk(input, await elk.layout(toElk(input)));
        expect(checkLayout(input, layout), `seed ${seed}, ${input.nodes.length} blocks`).toEqual([]);
        expect(layout.engine).toBe("elk");
      }
    }
  });

  it("asks for strict block order only where ELK can afford it", () => {
    const strict = (graph: ReturnType<typeof toElk>): boolean =>
      graph.layoutOptions?.["elk.layered.crossingMinimization.forceNodeModelOrder"] === "true";
    expect(strict(toElk(structuredCfg(1, 300)))).toBe(true);
    expect(strict(toElk(structuredCfg(1, 501)))).toBe(false);
    expect(strict(toElk(switchCfg(1, 29)))).toBe(true);
    expect(strict(toElk(switchCfg(1, 30)))).toBe(false);
  });
});
