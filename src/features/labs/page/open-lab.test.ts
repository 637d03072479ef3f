import { expect, it } from "vitest";
import { looksLikeLab } from "./open-lab.ts";

it.each([
  ["---\nid: a\n---\n\n```task {id=t}\n```\n", true],
  ["\uFEFF--- \r\ntitle: x\r\nid: a\r\n---\r\n~~~ task\r\n~~~\r\n", true],
  ["---\nid: a\n---\n", false],
  ["```task {id=t}\n```\nid: a\n", false],
  [`---\n${"\n".repeat(200_000)}`, false],
])("what begins as a lab is known: %j", (text, lab) => {
  expect(looksLikeLab(text)).toBe(lab);
});
