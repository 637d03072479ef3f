import { expect, it } from "vitest";
import { checkLayout } from "../testing/check-layout.ts";
import { laidOut } from "../testing/draw.ts";
import { loopChainCfg } from "../testing/random-cfg.ts";

it("puts what follows a loop under it, so that loops one after the other do not go down like stairs", async () => {
  const [few, many] = [await laidOut(loopChainCfg(1, 2)), await laidOut(loopChainCfg(1, 9))];
  expect(many.bounds.width).toBeLessThan(1.2 * few.bounds.width);
  expect(checkLayout(loopChainCfg(1, 9), many)).toEqual([]);
});

it("and in a loop around them as well", async () => {
  const input = loopChainCfg(1, 9, true);
  const layout = await laidOut(input);
  expect(layout.bounds.width).toBeLessThan(1.2 * (await laidOut(loopChainCfg(1, 2, true))).bounds.width);
  expect(checkLayout(input, layout)).toEqual([]);
});
