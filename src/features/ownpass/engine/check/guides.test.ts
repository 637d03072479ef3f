/** The guides to writing passes: every version of 'Your first pass' does what the text says, and each of the ten bugs is a stored one that Check finds. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boxRunner } from "../../box/runner.ts";
import { passPrograms } from "../programs.ts";
import { checkPass } from "./check.ts";
import { runFileTests } from "./file-tests.ts";
import { BROKEN, brokenSource } from "./testing/broken.ts";
import { subjectOf, templateSource } from "./testing/subject.ts";

const guide = (name: string): string => readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), "utf8");
/** The fenced parts in a language, without their fences. */
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, inner]) => inner ?? "");

describe("guides", { timeout: 300_000 }, () => {
  const runner = boxRunner();
  const given = (text: string) => ({ given: [{ name: "the guide's program", text }], count: 0, seed: 1, shrink: false });

  describe("your first pass", () => {
    const text = guide("first-pass.md");
    const [program = ""] = blocks(text, "ori");
    const [look = "", wrong = "", right = "", ...more] = blocks(text, "ts");

    it("looks, and says what the text shows", async () => {
      expect(more).toEqual([]);
      const [one] = passPrograms(program);
      if (typeof one !== "object") throw new Error(String(one));
      const { code } = subjectOf(look, runner);
      const asked = { ask: "run", code, program: one.program, source: [], skips: [], fuel: null, lines: 0, twice: false } as const;
      const answer = await runner.ask({ ...asked, record: true });
      if (!("script" in answer)) throw new Error(JSON.stringify(answer));
      const said = (answer.script ?? []).flatMap((entry) => (Array.isArray(entry) ? entry.filter((part) => / adds zero$/.test(part)) : []));
      expect(said).toEqual(blocks(text, "text")[0]?.trim().split("\n"));
      expect(answer.changed).toBe(false);
    });

    it("is wrong first, on the guide's own program", async () => {
      const { failures } = await checkPass(subjectOf(wrong, runner), given(program));
      expect(failures.map(({ law, seed }) => [law, seed])).toEqual([["meaning", 0]]);
    });

    it("is right in the end, and its tests hold", async () => {
      const subject = subjectOf(right, runner);
      const described = await runner.ask({ ask: "describe", code: subject.code });
      if (!("tests" in described)) throw new Error(JSON.stringify(described));
      const tests = await runFileTests(subject, described.tests);
      expect(tests.map(({ problem }) => problem)).toEqual([null, null, null]);
      const { failures, rows } = await checkPass(subject, { ...given(program), count: 9 });
      expect(failures).toEqual([]);
      expect(rows[0]?.rewrites).toBe(2);
    });
  });

  describe("ten bugs", () => {
    const sections = guide("ten-bugs.md").split(/^## /m).slice(1);
    const squeezed = (text: string): string => text.replace(/\s+/g, " ").trim();
    const bugs = sections.map((section) => {
      const [heading = ""] = section.split("\n");
      const [, id = "", diff = ""] = /^```diff (\S+)\n(.*?)^```/ms.exec(section) ?? [];
      const side = (sign: string): string =>
        squeezed(
          diff
            .split("\n")
            .filter((line) => line.startsWith(sign))
            .map((line) => line.slice(1))
            .join("\n"),
        );
      const seed = Number(/--count 1 --seed (\d+)/.exec(section)?.[1]);
      return { heading, id, removed: side("-"), added: side("+"), program: blocks(section, "ori")[0] ?? "", seed };
    });

    it("are ten", () => {
      expect(bugs.map(({ heading }) => Number.parseInt(heading, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    });

    it.each(bugs)("$heading", async ({ id, removed, added, program, seed }) => {
      const broken = BROKEN.find((one) => one.id === id);
      if (broken === undefined) throw new Error(`${id} is not kept`);
      expect({ removed, added, seed }).toEqual({ removed: squeezed(broken.find), added: squeezed(broken.put), seed: broken.seed });
      const right = await checkPass(subjectOf(templateSource(broken.from), runner), given(program));
      expect(right.failures).toEqual([]);
      const wrong = await checkPass(subjectOf(brokenSource(broken), runner), given(program));
      // The verifier reports a missing definition before any input shows a difference.
      const law = id === "dead-phis" || id === "dead-once" ? "verifier" : "meaning";
      expect(wrong.failures.map((failure) => failure.law)).toEqual([law]);
    });
  });
});
