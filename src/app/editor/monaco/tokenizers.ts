/** Tokenizers: Ori's from the opcode table, those of PTX, SASS and Bril simple ones. */

import type { OpcodeRow } from "../../../engine/api/types.ts";
import { languages } from "./api.ts";

export type LanguageId = "ori" | "ptx" | "sass" | "bril";

const BRACKETS: languages.LanguageConfiguration = {
  comments: { lineComment: "//", blockComment: ["/*", "*/"] },
  brackets: [
    ["{", "}"],
    ["[", "]"],
    ["(", ")"],
  ],
  wordPattern: /[A-Za-z_$.%][A-Za-z0-9_$.]*/,
};

const COMMENT: languages.IMonarchLanguageRule[] = [
  [/[^*/]+/, "comment"],
  [/\*\//, "comment", "@pop"],
  [/[*/]/, "comment"],
];

function oriTokens(opcodes: readonly OpcodeRow[]): languages.IMonarchLanguage {
  return {
    defaultToken: "",
    opcodes: opcodes.map((o) => o.name),
    tokenizer: {
      root: [
        [/\/\/.*$/, "comment"],
        [/\/\*/, "comment", "@comment"],
        [/"[^"]*"?/, "string"],
        [/^\s*\.[a-z]\w*/, "directive"],
        [/[A-Za-z_$.][\w$.]*(?=\s*:(?!\s*R[D\d]))/, "label"],
        [/@!?U?P[\dT]+/, "predicate"],
        [/SR_[A-Z0-9_.]+/, "special"],
        [/!?\b(?:U?P\d+|U?PT)\b/, "predicate"],
        [/\b(?:U?R\d+|RD\d+|B\d+|U?RZ)\b/, "register"],
        [/\bc\[/, { token: "special", next: "@cbank" }],
        [/-?0[xfd][0-9a-fA-F]+|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/, "number"],
        [/([A-Z][A-Z0-9]*)((?:\.[A-Za-z0-9]+)*)/, { cases: { "$1@opcodes": { token: "keyword" }, "@default": { token: "label" } } }],
        [/[A-Za-z_$.][\w$.]*/, "label"],
      ],
      cbank: [
        [/[^\]]+/, "number"],
        [/\]\[/, "special"],
        [/\]/, { token: "special", next: "@pop" }],
      ],
      comment: COMMENT,
    },
  };
}

const PTX: languages.IMonarchLanguage = {
  defaultToken: "",
  tokenizer: {
    root: [
      [/\/\/.*$/, "comment"],
      [/\/\*/, "comment", "@comment"],
      [/"[^"]*"?/, "string"],
      [/^\s*[$A-Za-z_][\w$]*(?=:)/, "label"],
      [/@!?%\w+/, "predicate"],
      [/%p\d+/, "predicate"],
      [/%(?:tid|ntid|ctaid|nctaid|laneid|warpid|clock)\S*?(?=[,;\s])/, "special"],
      [/%\w+/, "register"],
      [/\$[\w$]+/, "label"],
      [/\.[a-zA-Z]\w*/, "directive"],
      [/-?0[xXfFdD][0-9a-fA-F]+|-?\d+(?:\.\d+)?/, "number"],
      [/[a-z]\w*(?:\.[a-z0-9_]+)*/, "keyword"],
    ],
    comment: COMMENT,
  },
};

const SASS: languages.IMonarchLanguage = {
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
    comment: COMMENT,
  },
};

/** Text and JSON: what looks like a key is one only before a colon, and in the text form that is a variable. */
const BRIL: languages.IMonarchLanguage = {
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

const BRIL_BRACKETS: languages.LanguageConfiguration = {
  comments: { lineComment: "#" },
  brackets: [
    ["{", "}"],
    ["(", ")"],
    ["<", ">"],
  ],
  wordPattern: /[@.]?[A-Za-z_%][\w.%]*/,
};

/** Registers the languages; Ori's tokenizer knows the given opcodes. */
export function registerTokenizers(opcodes: readonly OpcodeRow[]): void {
  const tokens: Readonly<Record<LanguageId, languages.IMonarchLanguage>> = { ori: oriTokens(opcodes), ptx: PTX, sass: SASS, bril: BRIL };
  for (const id of ["ori", "ptx", "sass", "bril"] as const) {
    if (!languages.getLanguages().some((l) => l.id === id)) languages.register({ id });
    languages.setLanguageConfiguration(id, id === "bril" ? BRIL_BRACKETS : BRACKETS);
    languages.setMonarchTokensProvider(id, tokens[id]);
  }
}
