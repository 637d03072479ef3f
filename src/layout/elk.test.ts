import { describe, expect, it } from "vitest";
import { fromElk } from "./from-elk.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { inProcessElk } from "./testing/in-process-elk.ts";
import { irreducibleCfg, structuredCfg } from "./testing/random-cfg.ts";
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
});
