import { describe, expect, it } from "vitest";
import { seededRandom } from "../testing/random-cfg.ts";
import { projector, projectRow } from "./project.ts";
import { assignTracks } from "./tracks.ts";

describe("projectRow", () => {
  it("leaves what fits alone and moves neighbours apart by weight", () => {
    const x = new Float64Array(3);
    projectRow(0, 3, Float64Array.of(0, 10, 50), Float64Array.of(1, 1, 1), Float64Array.of(20, 20, 0), x);
    expect([...x]).toEqual([-5, 15, 50]);
    projectRow(0, 2, Float64Array.of(0, 10), Float64Array.of(3, 1), Float64Array.of(20, 0), x);
    expect([...x.subarray(0, 2)]).toEqual([-2.5, 17.5]);
  });
});

describe("projector", () => {
  it("keeps every distance, and agrees with the exact answer along one row", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = seededRandom(seed);
      const n = 2 + Math.floor(random() * 20);
      const wish = Float64Array.from({ length: n }, () => Math.round(random() * 200));
      const weight = Float64Array.from({ length: n }, () => 1 + Math.floor(random() * 3));
      const left = Int32Array.from({ length: n - 1 }, (_, i) => i);
      const right = left.map((i) => i + 1);
      const gap = Float64Array.from({ length: n }, () => 5 + Math.floor(random() * 30));
      const exact = new Float64Array(n);
      projectRow(0, n, wish, weight, gap, exact);
      const found = projector(n, { left, right, gap }).project(wish, weight);
      for (let i = 0; i < n; i++) expect(found[i], `seed ${seed}`).toBeCloseTo(exact[i]!, 6);
    }
  });

  it("keeps every distance of any acyclic set of constraints", () => {
    for (let seed = 1; seed <= 80; seed++) {
      const random = seededRandom(seed);
      const n = 3 + Math.floor(random() * 30);
      const pairs = Array.from({ length: n * 2 }, () => [Math.floor(random() * n), Math.floor(random() * n)] as const).filter(
        ([a, b]) => a !== b,
      );
      const left = Int32Array.from(pairs, ([a, b]) => Math.min(a, b));
      const right = Int32Array.from(pairs, ([a, b]) => Math.max(a, b));
      const gap = Float64Array.from(pairs, () => random() * 40);
      const wish = Float64Array.from({ length: n }, () => random() * 300);
      const x = projector(n, { left, right, gap }).project(wish, new Float64Array(n).fill(1));
      for (let c = 0; c < pairs.length; c++) expect(x[right[c]!]! - x[left[c]!]!, `seed ${seed}`).toBeGreaterThanOrEqual(gap[c]! - 1e-9);
    }
  });
});

describe("assignTracks", () => {
  it("puts each span right below the lowest earlier one it touches", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = seededRandom(seed);
      const spans = Array.from({ length: 25 }, () => {
        const low = Math.floor(random() * 50);
        return { low, high: low + Math.floor(random() * 20) };
      });
      const { track, count } = assignTracks(spans);
      spans.forEach((s, i) => {
        const above = spans.slice(0, i).flatMap((p, k) => (p.low <= s.high && s.low <= p.high ? [track[k]! + 1] : []));
        expect(track[i], `seed ${seed}`).toBe(Math.max(0, ...above));
      });
      expect(count).toBe(Math.max(...track) + 1);
    }
  });
});
