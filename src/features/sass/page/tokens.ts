/** SASS in the editor. */

import type { LanguageTokens } from "../../../app/session/language.ts";

const monarch: LanguageTokens["monarch"] = {
  defaultToken: "",
  tokenizer: {
    root: [
      [/\/\*/, "comment", "@comment"],
      [/\/\/.*$/, "comment"],
      [/^\s*\.[A-Za-z_][\w.$]*/, "directive"],
      [/^\s*\.?[A-Za-z_][\w.$]*(?=:)/, "label"],
      [/@!?U?P[\dT]+/, "predicate"],
      [/`\([^)]*\)/, "label"],
      [/\bSR_\w+(?:\.\w+)?/, "special"],
      [/\b(?:U?P\d+|U?PT)\b/, "predicate"],
      [/\b(?:U?R\d+|U?RZ|B\d+|SB\d+)\b/, "register"],
      [/-?0x[0-9a-fA-F]+|-?\b\d+(?:\.\d+)?\b/, "number"],
      [/[A-Z][A-Z0-9]*(?:\.[A-Z0-9_]+)*/, "keyword"],
    ],
    comment: [
      [/[^*/]+/, "comment"],
      [/\*\//, "comment", "@pop"],
      [/[*/]/, "comment"],
    ],
  },
};

export const TOKENS: LanguageTokens = { monarch };
