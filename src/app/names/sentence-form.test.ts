import { describe, expect, it } from "vitest";
import { PASSES } from "../../engine/passes/registry.ts";
import { reasonsOf } from "../../engine/remark/rules.ts";
import { readableForm } from "./sentence-form.ts";

describe("the form of a sentence", () => {
  it.each([
    [
      "'{inst}' is not safe to cross in this mode: the scope of {block} ends",
      "‹instruction› is not safe to cross in this mode: the scope of ‹block› ends",
    ],
    ["{source} is read in {count} {count:place|places}", "‹source› is read in ‹count› places"],
    ["nothing to fill", "nothing to fill"],
  ])("%s", (form, readable) => {
    expect(readableForm(form)).toBe(readable);
  });

  it("leaves no brace in any condition's sentence", () => {
    for (const { rules = {} } of PASSES)
      for (const { clause, template } of reasonsOf(rules)) expect(readableForm((clause ?? template).text)).not.toMatch(/[{}]/);
  });
});
