/** JSON with places: values know their offsets, numbers keep their digits, duplicate keys are found. */

import type { Place } from "../../../engine/import/diagnostics.ts";

export type JsonNode =
  | { readonly kind: "object"; readonly at: Place; readonly endLine: number; readonly members: ReadonlyMap<string, JsonNode> }
  | { readonly kind: "array"; readonly at: Place; readonly endLine: number; readonly items: readonly JsonNode[] }
  | { readonly kind: "string"; readonly at: Place; readonly text: string }
  | { readonly kind: "number"; readonly at: Place; readonly text: string }
  | { readonly kind: "word"; readonly at: Place; readonly word: "true" | "false" | "null" };

export interface JsonReport {
  readonly problem: (at: Place, message: string) => void;
  readonly twice: (at: Place, key: string) => void;
}

/** No program needs more; deeper ones would need as deep a stack. */
const MAX_DEPTH = 64;

/** The value of a text; null after its first problem, which has been reported. Linear. */
export function readJson(text: string, report: JsonReport): JsonNode | null {
  try {
    return new Reader(text, report).whole();
  } catch (error) {
    if (error instanceof Stop) return null;
    throw error;
  }
}

class Stop extends Error {}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\n]*/y;
const WORDS = ["true", "false", "null"] as const;

class Reader {
  private readonly text: string;
  private readonly report: JsonReport;
  private at = 0;
  private line = 1;
  private lineStart = 0;

  constructor(text: string, report: JsonReport) {
    this.text = text;
    this.report = report;
  }

  whole(): JsonNode {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail("there is more after the end of the JSON value");
    return value;
  }

  private value(depth: number): JsonNode {
    this.space();
    const from = this.at;
    const at = this.place(1);
    if (depth > MAX_DEPTH) this.fail(`values are nested deeper than ${MAX_DEPTH}`);
    switch (this.text[this.at]) {
      case "{":
        return this.object(at, depth);
      case "[":
        return this.array(at, depth);
      case '"': {
        const text = this.string();
        return { kind: "string", text, at: { ...at, length: this.at - from } };
      }
    }
    const word = WORDS.find((w) => this.text.startsWith(w, this.at));
    if (word !== undefined) {
      this.at += word.length;
      return { kind: "word", word, at: { ...at, length: word.length } };
    }
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text)?.[0];
    if (found === undefined) this.fail(this.at < this.text.length ? "expected a JSON value" : "the JSON ends too early");
    this.at += found.length;
    return { kind: "number", text: found, at: { ...at, length: found.length } };
  }

  private object(at: Place, depth: number): JsonNode {
    const members = new Map<string, JsonNode>();
    this.at++;
    for (let first = true; !this.take("}"); first = false) {
      if (!first) this.expect(",", "',' or '}'");
      this.space();
      const place = this.place(1);
      if (this.text[this.at] !== '"') this.fail("expected a key in quotes");
      const key = this.string();
      this.expect(":", "':' after the key");
      const value = this.value(depth + 1);
      if (members.has(key)) this.report.twice({ ...place, length: key.length + 2 }, key);
      else members.set(key, value);
    }
    return { kind: "object", at, endLine: this.line, members };
  }

  private array(at: Place, depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.at++;
    for (let first = true; !this.take("]"); first = false) {
      if (!first) this.expect(",", "',' or ']'");
      items.push(this.value(depth + 1));
    }
    return { kind: "array", at, endLine: this.line, items };
  }

  private string(): string {
    this.at++;
    let text = "";
    for (;;) {
      PLAIN.lastIndex = this.at;
      text += PLAIN.exec(this.text)?.[0] ?? "";
      this.at = PLAIN.lastIndex;
      const c = this.text[this.at];
      if (c === '"') {
        this.at++;
        return text;
      }
      if (c !== "\\") this.fail("a string does not end on its line");
      text += this.escape();
    }
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? "";
    if (letter === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("\\u takes four hexadecimal digits");
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const index = '"\\/bfnrt'.indexOf(letter);
    if (letter === "" || index < 0) this.fail(`there is no escape \\${letter}`);
    this.at += 2;
    return '"\\/\b\f\n\r\t'[index] ?? "";
  }

  private space(): void {
    for (; this.at < this.text.length; this.at++) {
      const c = this.text.charCodeAt(this.at);
      if (c === 10) {
        this.line++;
        this.lineStart = this.at + 1;
      } else if (c !== 32 && c !== 9 && c !== 13) return;
    }
  }

  private take(sign: string): boolean {
    this.space();
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private expect(sign: string, what: string): void {
    if (!this.take(sign)) this.fail(this.at < this.text.length ? `expected ${what}` : "the JSON ends too early");
  }

  private place(length: number): Place {
    return { line: this.line, column: this.at - this.lineStart + 1, length };
  }

  private fail(message: string): never {
    this.report.problem(this.place(this.at < this.text.length ? 1 : 0), message);
    throw new Stop();
  }
}
