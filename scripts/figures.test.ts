/** The figures of the structure stay within their limits: `npm run figures` says what each figure means. */

import { describe, expect, it } from "vitest";
import { LIMITS, measure } from "./lib/figure-limits.mjs";
import { figuresOf } from "./lib/figures.mjs";

const file = (path: string, ...lines: string[]) => ({ path, text: `${lines.join("\n")}\n` });

describe("the figures", () => {
  it("of this repository keep their limits", () => {
    const { circle: _, ...figures } = measure();
    const beyond = Object.entries(LIMITS).filter(([name, [least, most]]) => {
      const value = figures[name as keyof typeof LIMITS];
      return value < least || value > most;
    });
    expect(beyond.map(([name, limits]) => ({ name, value: figures[name as keyof typeof LIMITS], limits }))).toEqual([]);
  }, 120_000);

  it("count the lines that only tell, without what a span does", () => {
    const { reportingShare, recorderGuards, handNumbered } = figuresOf([
      file(
        "src/engine/passes/jump/jump.ts",
        "export const LINE = { fold: 1, end: 2, } as const;",
        "export function run({ edit, remark, rec }) {",
        "  remark.span(RULES.walk, { n: 1 }, () => {",
        "    edit.remove(1, 2);",
        "    edit.remove(1, 3);",
        "  });",
        "  if (rec.on) {",
        "    rec.event('note', 1, 'x');",
        "  }",
        "  if (remark.holds(RULES.x, 'y', ok, {})) edit.remove(1, 4);",
        "}",
        "",
      ),
      file("src/engine/passes/jump/rules.ts", "export const RULES = 1;"),
    ]);
    expect({ reportingShare, recorderGuards, handNumbered }).toEqual({ reportingShare: 33.3, recorderGuards: 1, handNumbered: 2 });
  });

  it("find circles, types included, and what is no analysis", () => {
    const figures = figuresOf([
      file("src/engine/analysis/a.ts", 'import { b } from "./b.ts";'),
      file("src/engine/analysis/b.ts", 'import type { C } from "./c.ts";'),
      file("src/engine/analysis/c.ts", 'import { a } from "./a.ts";', "export const c = (edit) => edit.remove(1, 2);"),
      file("src/engine/analysis/d.ts", 'import { a } from "./a.ts";'),
    ]);
    expect(figures.circle).toEqual(["a", "b", "c"].map((name) => `src/engine/analysis/${name}.ts`));
    expect(figures).toMatchObject({ largestCircle: 3, largestPassCircle: 3, analysesShare: 60 });
  });
});
