/** Tokenizers: Ori's from the opcode table, a simple one of PTX, and those of the languages that features bring. */

import type { OpcodeRow } from "../../../engine/api/types.ts";
import type { TextLanguage } from "../../session/language.ts";
import { languages } from "./api.ts";

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

/** Registers the languages; Ori's tokenizer knows the given opcodes. */
export function registerTokenizers(opcodes: readonly OpcodeRow[]): void {
  for (const [id, tokens] of [
    ["ori", oriTokens(opcodes)],
    ["ptx", PTX],
  ] as const) {
    register(id);
    languages.setMonarchTokensProvider(id, tokens);
  }
}

/** Tokens that a feature brings come with its first text. */
export function registerBrought(brought: readonly TextLanguage[]): void {
  for (const { id, tokens } of brought) {
    register(id);
    const create = async (): Promise<languages.IMonarchLanguage> => {
      const { monarch, configuration } = await tokens();
      if (configuration !== undefined) languages.setLanguageConfiguration(id, configuration);
      return monarch;
    };
    languages.registerTokensProviderFactory(id, { create });
  }
}

function register(id: string): void {
  if (!languages.getLanguages().some((l) => l.id === id)) languages.register({ id });
  languages.setLanguageConfiguration(id, BRACKETS);
}
