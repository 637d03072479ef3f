import fc from "fast-check";
import { expect, it } from "vitest";
import { freshSeed } from "../engine/testing/seed.ts";
import { edited, type GivenText, textEdit } from "./text-edit.ts";

/** Few distinct characters, so that the common parts are ambiguous, including halves of surrogate pairs and both kinds of line ends. */
const piece = fc.string({
  unit: fc.constantFrom("a", "a", "b", "\n", "\r\n", "\ud83d", "\ude00", "é") as fc.Arbitrary<string>,
  maxLength: 12,
});
const edits = fc.array(fc.tuple(fc.nat(), fc.nat(14), piece), { maxLength: 40 });

it("a text and the edits that followed it are the text at the end, whatever the edits are", () => {
  fc.assert(
    fc.property(piece, piece, edits, (first, rest, list) => {
      let mine: GivenText = { revision: 0, text: first.repeat(5) + rest.repeat(9) };
      let theirs = mine;
      for (const [at, length, inserted] of list) {
        const from = at % (mine.text.length + 1);
        const text = mine.text.slice(0, from) + inserted + mine.text.slice(from + length);
        const revision = mine.revision + 1;
        const edit = textEdit(mine, text);
        if (edit !== null) expect(edit.text.length).toBeLessThanOrEqual(inserted.length);
        theirs = { revision, text: edit === null ? text : (edited(theirs, edit) ?? "refused") };
        mine = { revision, text };
        expect(theirs.text).toBe(text);
      }
    }),
    { seed: freshSeed(), numRuns: 500 },
  );
});

it("an edit of another text is refused, and another text is no edit", () => {
  const given = { revision: 4, text: "MOV R1, R2\n".repeat(100) };
  const edit = textEdit(given, `${given.text}EXIT\n`);
  expect(edit).toEqual({ revision: 4, length: 1100, from: 1100, to: 1100, text: "EXIT\n" });
  expect(edit === null ? null : edited({ ...given, revision: 5 }, edit)).toBeNull();
  expect(edit === null ? null : edited({ ...given, text: given.text.slice(1) }, edit)).toBeNull();
  expect(edit === null ? null : edited(null, edit)).toBeNull();
  expect(textEdit(given, "EXIT\n".repeat(100))).toBeNull();
});
