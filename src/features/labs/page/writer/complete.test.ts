import { describe, expect, it } from "vitest";
import { vocabulary } from "../../engine/vocabulary.ts";
import { completionAt } from "./complete.ts";

const words = vocabulary();
/** What is offered at the bar, and the text after accepting the first item. */
function at(text: string): { readonly items: readonly string[]; readonly first: string } {
  const place = text.indexOf("|");
  const whole = text.replace("|", "");
  const { from, items } = completionAt(whole, place, words);
  return { items, first: whole.slice(0, from) + (items[0] ?? "") + whole.slice(place) };
}

const FRONT = "---\ntitle: x\nid: x\nversion: 1\n---\n";
const PROGRAM = "```ori {name=first}\n.kernel k()\nA:\n    EXIT\n```\n";
const task = (body: string): string => `${FRONT}\n${PROGRAM}\n\`\`\`task {id=t}\n${body}\n\`\`\`\n`;

describe("what fits at a place of a lab", () => {
  it("fields of the front matter that are not there, and their values", () => {
    expect(at("---\ntitle: x\n|\n---\n").items).toContain("seed: ");
    expect(at("---\ntitle: x\n|\n---\n").items).not.toContain("title: ");
    expect(at("---\nsho|\n---\n").first).toBe("---\nshow: \n---\n");
    expect(at("---\nshow: at-|\n---\n").items).toEqual(["at-once", "at-end"]);
  });

  it("kinds, the fields of a kind, and programs of the lab", () => {
    expect(at(task("kind: |")).items).toContain("simulate");
    expect(at(task("kind: mark\n|")).items).toContain("what: ");
    expect(at(task("kind: choice\n|")).items).not.toContain("what: ");
    expect(at(task("kind: mark\nwhat: |")).items).toContain("rpo");
    expect(at(task("kind: mark\nprogram: |")).items).toEqual(["first"]);
    // In a list, after the existing text.
    expect(at(task("kind: write\nforbid: [loops, dom|]")).first).toContain("forbid: [loops, dominators]");
  });

  it("nothing in text and in programs", () => {
    expect(at(`${FRONT}\nsee|`).items).toEqual([]);
    expect(at(`${FRONT}\n\`\`\`ori {name=p}\nki|\n\`\`\`\n`).items).toEqual([]);
    expect(at(`${task("kind: text")}\n|`).items).toEqual([]);
  });
});
