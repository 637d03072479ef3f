/** Bril in the editor. */

import type { LanguageTokens } from "../../../app/session/language.ts";

/** Text and JSON: what looks like a key is one only before a colon, and in the text form that is a variable. */
const monarch: LanguageTokens["monarch"] = {
  defaultToken: "",
  tokenizer: {
    root: [
      [/#.*$/, "comment"],
      [/"(?:op|dest|type|args|funcs|labels|label|value|name|instrs|functions)"(?=\s*:)/, "directive"],
      [/"[^"]*"?/, "string"],
      [/'(?:\\.|[^'])'/, "string"],
      [/@[\w.%]+/, "special"],
      [/\.[A-Za-z_%][\w.%]*/, "label"],
      [/\b(?:int|bool|float|char|ptr)\b(?=\s*[=;>,)<{])/, "directive"],
      [/([\w.%]+)(?=\s*:)/, "register"],
      [/(=\s*)([a-z][\w]*)/, ["", "keyword"]],
      [/^(\s*)([a-z]\w*)(?=[\s;])/, ["", "keyword"]],
      [/\b(?:true|false)\b/, "number"],
      [/[A-Za-z_%][\w.%]*/, "register"],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, "number"],
    ],
  },
};

const configuration: LanguageTokens["configuration"] = {
  comments: { lineComment: "#" },
  brackets: [
    ["{", "}"],
    ["(", ")"],
    ["<", ">"],
  ],
  wordPattern: /[@.]?[A-Za-z_%][\w.%]*/,
};

export const TOKENS: LanguageTokens = { monarch, configuration };
