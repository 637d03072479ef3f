/** Recognises whether a text is Ori, PTX or SASS by marks that only one of them has. */

import type { SourceFormat } from "./types.ts";

/** Only the head of a text is looked at. */
const HEAD = 200_000;

/** Marks in the order of their weight: the first one found decides. */
const MARKS: readonly (readonly [SourceFormat, RegExp])[] = [
  ["ori", /^[ \t]*\.(?:kernel|func)[ \t]+[A-Za-z_$][\w$.]*[ \t]*\((?![^)]*\.(?:param|reg))/m],
  ["ptx", /^[ \t]*\.(?:version[ \t]+\d|address_size[ \t]+\d)/m],
  ["ptx", /^[ \t]*(?:\.(?:visible|weak|extern)[ \t]+)*\.(?:entry|func)\b/m],
  [
    "sass",
    /^[ \t]*(?:code for sm_\d|Function ?:|\.headerflags\b|Fatbin elf code|\.CUASM_OFFSET_LABEL|\[B[0-5-]{6}:|\.section[ \t]+\.text\.|\.elftype)/m,
  ],
  ["sass", /^[ \t]*\/\*[0-9a-f]{4,6}\*\//im],
  // Text without addresses: what only the assembler's own spelling has.
  ["sass", /^[ \t]*(?:@!?U?P\w+[ \t]+)?[A-Z][\w.]*[ \t][^;\n]*(?:`\(|\.reuse\b|\bdesc\[UR\d)/m],
  ["sass", /^[ \t]*(?:@!?U?P\w+[ \t]+)?(?:LOP3\.LUT|IMAD\.(?:MOV|IADD|SHL)|[IF]SETP(?:\.[A-Z0-9]+)+[ \t]+U?P\w,[ \t]*U?P\w,)/m],
  ["ptx", /^[ \t]*(?:@!?%\w+[ \t]+)?[a-z]+(?:\.\w+)+[ \t]+[^;\n]*%\w+[^;\n]*;/m],
];

/** The format of a text; Ori when nothing speaks for another one. */
export function recogniseFormat(text: string): SourceFormat {
  const head = text.slice(0, HEAD);
  // Comments may quote anything; SASS addresses are comments, too, and stay.
  const bare = head.replace(/\/\/[^\n]*/g, "");
  for (const [format, mark] of MARKS) if (mark.test(bare)) return format;
  return "ori";
}
