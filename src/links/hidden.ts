/** Characters that are not seen but change what is seen of a text: those that control a terminal, and those that turn the direction of what follows. */

const NOT_SEEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Lines and tabs stay; a carriage return alone would write over its line. */
const CONTROLS = /(?![\n\t]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A name in one line, without them: they would only hide its content. */
export const withoutHidden = (text: string): string => text.replace(NOT_SEEN, "");

/** A text of lines with each of them written out, as in `\u{1b}`. */
export const revealed = (text: string): string => text.replace(CONTROLS, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
