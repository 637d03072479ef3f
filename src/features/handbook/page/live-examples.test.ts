import { describe, expect, it } from "vitest";
import passApi from "../../../../docs/pass-api.md?raw";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { handbookOf } from "./handbook-entries.ts";
import { textOfProgram } from "./programs.ts";
import { SHOWN_BY } from "./shown-by.ts";
import { linkOfEntry } from "./shown-link.ts";
import { UNREACHED, UNSHOWN_KNOBS } from "./unshown.ts";

const book = handbookOf(new EngineSession().handbook(DEFAULT_PIPELINE), SHOWN_BY, passApi);
const pages = book.entries.filter(({ kind }) => kind !== "api");
const linkOf = (id: string) => {
  const entry = book.find(id);
  return entry === null ? null : linkOfEntry(entry, textOfProgram);
};

describe("the programs that pages open", () => {
  it("are on every page but those that are listed with the reason", () => {
    const without = pages.filter((entry) => linkOfEntry(entry, textOfProgram) === null).map(({ id }) => id);
    const listed = [
      ...Object.keys(UNREACHED).map((id) => `condition:${id}`),
      ...Object.keys(UNSHOWN_KNOBS).map((key) => book.find(`knob:${key}`)?.id ?? key),
    ];
    expect(without.toSorted()).toEqual(listed.toSorted());
  });

  it("show the very condition, but on the pages that say why they show something near it", () => {
    const near = pages.filter(({ kind, id }) => kind === "condition" && SHOWN_BY.conditions[id.slice("condition:".length)] === undefined);
    const counts = { listed: 0, spent: 0, reEntry: 0, inAnotherPhase: 0 };
    for (const { id, example } of near) {
      if (example === null) counts.listed++;
      else if (id.endsWith(":re-entry")) counts.reEntry++;
      else if (example.label === "Compare both values of its knob") counts.spent++;
      else counts.inAnotherPhase++;
    }
    // Fewer is better: lower it when you find a program.
    expect(counts).toEqual({ listed: 27, spent: 9, reEntry: 11, inAnotherPhase: 27 });
  });

  it("have the opcode at the instruction that is selected", () => {
    for (const { id, title } of pages.filter(({ kind }) => kind === "opcode")) {
      const link = linkOf(id);
      const { module } = parseModule(link?.source ?? "");
      const selected = module.funcs[0]?.blocks
        .flatMap((block) => block?.insts ?? [])
        .find((inst) => inst.id === selectedOf(link?.selection));
      expect(selected?.op, id).toBe(title);
    }
  });

  it("open a knob's other value as a future beside the run without it", () => {
    for (const { id } of pages.filter(({ kind, example }) => kind === "knob" && example !== null)) {
      const link = linkOf(id);
      expect([link?.future, link?.futures.length], id).toEqual([1, 1]);
    }
  });
});

const selectedOf = (selection: { readonly kind: string } | null | undefined): number | null =>
  selection !== null && selection !== undefined && "id" in selection ? Number(selection.id) : null;
