import { expect, it } from "vitest";
import { templateSource } from "../../engine/check/testing/subject.ts";
import { isNestedTooDeeply } from "./nested.ts";

it("tells a text that nobody writes from one that somebody does", () => {
  for (const open of ["[", "(", "{"]) {
    expect(isNestedTooDeeply(`export default ${open.repeat(95_000)}`)).toBe(true);
    expect(isNestedTooDeeply(open.repeat(100))).toBe(false);
  }
  expect(isNestedTooDeeply("f([{}]);\n".repeat(20_000))).toBe(false);
  expect(isNestedTooDeeply(`${")".repeat(1_000)}${"(".repeat(100)}`)).toBe(false);
  for (const name of ["dead-code", "licm", "liveness"]) expect(isNestedTooDeeply(templateSource(name))).toBe(false);
});
