/**
 * Recognises the language of a text by marks that only one of them has. One table, and not a field of each language: the order of a mark depends on the marks of the
 * others, and a text whose language is not read here is refused by name.
 */

import type { SourceFormat } from "../../../base/formats.ts";

/** Only the head of a text is examined. */
const HEAD = 200_000;

/** Marks in the order of their weight: the first one found decides. */
const MARKS: readonly (readonly [SourceFormat, { test(text: string): boolean }])[] = [
  // Before PTX: a label `.entry:` looks like a directive.
  ["bril", /^[ \t]*@[A-Za-z_%][\w.%]*\s*(?:\([\w\s.%:,<>]*\)\s*)?(?::\s*[\w<>]+\s*)?\{/m],
  ["bril", /^\s*\{\s*"functions"\s*:/],
  // Before Ori: functions without parameters look alike.
  ["ptx", /^[ \t]*\.(?:version[ \t]+\d|address_size[ \t]+\d)/m],
  ["ori", { test: hasOriHeader }],
  ["ptx", /^[ \t]*(?:\.(?:visible|weak|extern)[ \t]+)*\.(?:entry|func)\b/m],
  [
    "sass",
    /^[ \t]*(?:code for sm_\d|Function ?:|\.headerflags\b|Fatbin elf code|\.CUASM_OFFSET_LABEL|\[B[0-5-]{6}:|\.section[ \t]+\.text\.|\.elftype)/m,
  ],
  ["sass", /^[ \t]*\/\*[0-9a-f]{4,6}\*\//im],
  // Text without addresses: what only the assembler's own spelling has.
  ["sass", /^[ \t]*(?:@!?U?P\w+[ \t]+)?[A-Z][\w.]*[ \t][^;\n]*(?:`\(|\.reuse\b|\bdesc\[UR\d)/m],
  ["sass", /^[ \t]*(?:@!?U?P\w+[ \t]+)?(?:LOP3\.LUT|IMAD\.(?:MOV|IADD|SHL)|[IF]SETP(?:\.[A-Z0-9]+)+[ \t]+U?P\w,[ \t]*U?P\w,)/m],
  // Debuggers and profilers, by address; registers of other machines are in lower case.
  ["sass", /^[ \t]*(?:=>[ \t]*)?0x[0-9a-f]{4,16}[ \t]*(?:<[^<>\n]{0,200}>)?:[ \t]*(?:@!?U?P\w+[ \t]+)?[A-Z][A-Z0-9]+[. \t;]/m],
  [
    "sass",
    /^[ \t]*"?\d{1,9}"?[\t,][ \t]{0,8}"?(?:0x)?[0-9a-f]{8,16}"?[\t,][ \t"]{0,8}(?:@!?U?P\w{1,9}[ \t]{1,8})?[A-Z][A-Z0-9]{1,15}[. \t;]/m,
  ],
  ["ptx", /^[ \t]*(?:@!?%\w+[ \t]+)?[a-z]+(?:\.\w+)+[ \t](?:[^;\n%]|%(?!\w))*%\w[^;\n]*;/m],
];

/** A kernel's or function's header whose parentheses contain no declaration of PTX. Each position of the text is examined once. */
function hasOriHeader(text: string): boolean {
  const next = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? text.length;
  };
  const declares = /\.(?:param|reg)/g;
  let [close, declaration] = [-1, -1];
  for (const { index, 0: header } of text.matchAll(/^[ \t]*\.(?:kernel|func)[ \t]+[A-Za-z_$][\w$.]*[ \t]*\(/gm)) {
    const inside = index + header.length;
    if (close < inside) close = next(/\)/g, inside);
    if (declaration < inside) declaration = next(declares, inside);
    if (declaration >= close) return true;
  }
  return false;
}

/** The format of a text; Ori if nothing indicates a different one. */
export function recogniseFormat(text: string): SourceFormat {
  const bare = bareHead(text);
  for (const [format, mark] of MARKS) if (mark.test(bare)) return format;
  return "ori";
}

// Comments may quote anything; SASS addresses are comments, too, and stay.
const bareHead = (text: string): string => text.slice(0, HEAD).replace(/\/\/[^\n]*/g, "");

/** What other assemblers write and Ori never does; what becomes PTX by a command is in `toolchains.ts`. */
const FOREIGN: readonly (readonly [machine: string, RegExp])[] = [
  ["AMD GPU assembly", /^[ \t]*(?:\.amdgcn_target|\.amdhsa_\w+|[sv]_(?:load|add|mov|lshl|and|or|cmp|endpgm)\w*\b)/m],
  [
    "x86 assembly",
    /^[ \t]{0,80}(?:=>[ \t]{0,8})?(?:0x[0-9a-f]{1,16}[ \t]{0,8}<[^<>\n]{0,200}>:|[0-9a-f]{1,16}:[ \t]{1,8}(?:[0-9a-f]{2} ){1,16})?[ \t]{0,64}(?:mov|lea|push|pop|add|sub|cmp|xor|test|call)[bwlq]?[ \t]{1,40}\S{0,80}%[re]?[a-z]{2}\b/m,
  ],
  ["x86 assembly", /^[ \t]*(?:mov|lea|push|pop|add|sub|cmp|xor)[ \t]+(?:[re][abcds][xip]|r\d+d?)\b/m],
  ["ARM assembly", /^[ \t]*(?:ldr|str|stp|ldp|mov|add|sub|cmp)[ \t]+[wx]\d+,/m],
  ["assembly for another machine", /^[ \t]*\.(?:cfi_startproc|globl[ \t]|p2align)/m],
];

/** A kind of text that is none of the formats, and the line (1-based) that shows it; null when none does. */
export function recogniseForeign(text: string): { readonly what: string; readonly line: number } | null {
  const head = text.slice(0, HEAD);
  for (const [what, mark] of FOREIGN) {
    const found = mark.exec(head);
    if (found !== null) return { what, line: head.slice(0, found.index).split("\n").length };
  }
  return null;
}
