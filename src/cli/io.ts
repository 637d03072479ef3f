/** The outside world as commands see it, so that tests can replace it. */

export interface Io {
  /** Text of a file, `-` for standard input; throws with a message for people. */
  readonly readText: (path: string) => string;
  /** Bytes of a file. */
  readonly readBytes: (path: string) => Uint8Array;
  readonly out: (text: string, kind?: Printed) => void;
  readonly err: (text: string) => void;
  /** Milliseconds of any origin. */
  readonly now: () => number;
  /** `out` is a terminal. */
  readonly terminal?: boolean;
  /** What commands for many files need in addition; absent where there is only text. */
  readonly files?: Files;
}

/** What is printed: text for people (the default), data printed unchanged, such as a program, or JSON. */
export type Printed = "text" | "data" | "json";

export interface Files {
  /** Files of a folder in the order of their names; null: it is no folder. Throws with a message for people. */
  readonly list: (path: string) => readonly string[] | null;
  /** Size in bytes of a regular file made by others, or 0 if there is none; a string says why it is not read: a link, a device or a pipe could lead anywhere and never end. */
  readonly sizeOf: (path: string) => number | string;
  /** Creates the folders above the file, too. An existing file is replaced after everything is written, so that a full disk does not destroy it. */
  readonly write: (path: string, content: string | Uint8Array) => void;
  /** Both name one file that is there. */
  readonly same: (one: string, other: string) => boolean;
  readonly env: (name: string) => string | undefined;
  /** The program that threads start from; null: everything is done in this one. */
  readonly entry: string | null;
}

/** What a command ends with: 0 fine, 1 the input or a check failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Wrong usage: the message is written to stderr with a hint at `--help`, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The input can't be read or used: the message is written to stderr, the exit code is 1. */
export class InputError extends Error {
  override readonly name = "InputError";
}
