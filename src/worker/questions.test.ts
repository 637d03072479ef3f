import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { QUESTIONS } from "../features/questions.ts";

const MADE_FROM_THE_TABLE = [
  "client",
  "host",
  "local",
  "veiled-engine",
  "first-answers",
  "../app/session/watch-engine",
  "../app/session/engine-port",
];
/** Also the words for what a question sets. */
const WORDS = new Set(["text", "run"]);

describe("the table of questions", () => {
  it.each(MADE_FROM_THE_TABLE)("is all that %s knows of them: it names none", (file) => {
    const code = readFileSync(new URL(`${file}.ts`, import.meta.url), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const quoted = Object.keys(QUESTIONS).filter((name) => !WORDS.has(name) && code.includes(`"${name}"`));
    const called = Object.keys(QUESTIONS).filter((name) => new RegExp(`(?:api|remote|engine)\\.${name}\\b`).test(code));
    expect([...quoted, ...called]).toEqual([]);
  });
});
