/**
 * What a lab hides from readers of its file: right options and dropped conditions as salted digests. It prevents reading, not searching: anyone who tries all options, or all
 * conditions of the phase, finds them, as this file does.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { conditionsOf } from "../../futures/engine/intervened.ts";

const PREFIX = "veil:";
/** `veil:SALT.DIGEST`, for a condition with its phase: `veil:49:SALT.DIGEST`. */
export const VEILED = /^veil:(?:([\w.-]{1,60}):)?([0-9a-f]{8,32})\.([0-9a-f]{16})$/;

export const isVeiled = (text: unknown): text is string => typeof text === "string" && text.startsWith(PREFIX);

const digest = (...words: readonly string[]): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(words)))).slice(0, 16);

/** `salt`: hexadecimal digits that occur nowhere else in the file. */
export function veilDrop(drop: string, salt: string): string {
  const [phase = "", condition = ""] = drop.split(":");
  return `${PREFIX}${phase}:${salt}.${digest(salt, phase, condition)}`;
}

export const veilRight = (text: string, right: boolean, salt: string): string => `${PREFIX}${salt}.${digest(salt, text, String(right))}`;

/** `49:value-overwritten` from the text of a file; a string that begins with `!` says what is wrong. */
export function unveilDrop(veiled: string): string {
  const [, phase, salt = "", found] = VEILED.exec(veiled) ?? [];
  if (phase === undefined) return "!a veiled condition is veil:PHASE:SALT.DIGEST, as lab veil writes it";
  const known = conditionsOf(phase);
  if (known === null) return `!there is no phase '${phase}' with conditions`;
  const condition = known.flatMap((c) => [c.name, c.code]).find((name) => digest(salt, phase, name) === found);
  return condition === undefined ? `!no condition of phase ${phase} has this digest` : `${phase}:${condition}`;
}

/** Whether the option is right; null: the digest is of another text. */
export function unveilRight(veiled: string, text: string): boolean | null {
  const [, , salt = "", found] = VEILED.exec(veiled) ?? [];
  return [true, false].find((right) => digest(salt, text, String(right)) === found) ?? null;
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A task's fields as they read without the veil. `problems` receives what cannot be lifted. */
export function unveiled(fields: Readonly<Record<string, unknown>>, problems: (problem: Problem) => void): Record<string, unknown> {
  const plain = { ...fields };
  const drop = (text: unknown, path: Problem["path"]): unknown => {
    if (!isVeiled(text)) return text;
    const found = unveilDrop(text);
    if (!found.startsWith("!")) return found;
    problems({ path, message: found.slice(1) });
    return text;
  };
  if ("drop" in plain) plain.drop = drop(plain.drop, ["drop"]);
  if (Array.isArray(plain.against)) plain.against = plain.against.map((text, i) => drop(text, ["against", i]));
  if (Array.isArray(plain.options)) {
    plain.options = plain.options.map((option: unknown, i) => {
      if (typeof option !== "object" || option === null || !("right" in option) || !isVeiled(option.right)) return option;
      const right = unveilRight(option.right, "text" in option ? String(option.text) : "");
      if (right === null)
        problems({ path: ["options", i, "right"], message: "the veil is of another text: run lab veil again on the open file" });
      return { ...option, right: right === true };
    });
  }
  return plain;
}
