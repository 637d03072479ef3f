/** Files and streams of a process. */

import { lstatSync, mkdirSync, readdirSync, readFileSync, type Stats, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { isatty } from "node:tty";
import { messageOf } from "../base/errors.ts";
import { InputError, type Io } from "./io.ts";
import { replaceFile } from "./replace-file.ts";

export const nodeIo: Io = {
  readText: (path) => {
    const text = read(path).toString("utf8");
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  },
  readBytes: (path) => read(path),
  out: (text) => write(1, text),
  err: (text) => write(2, text),
  terminal: isatty(1),
  // `performance` would be loaded for it.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  files: {
    list(path) {
      try {
        if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
        return readdirSync(path)
          .sort()
          .map((name) => join(path, name));
      } catch (error) {
        throw new InputError(messageOf(error));
      }
    },
    sizeOf(path) {
      try {
        const found = lstatSync(path, { throwIfNoEntry: false });
        return found === undefined || found.isFile() ? (found?.size ?? 0) : `it is ${kindOf(found)}, not a file`;
      } catch (error) {
        return messageOf(error);
      }
    },
    write(path, content) {
      try {
        mkdirSync(dirname(path), { recursive: true });
        replaceFile(path, content);
      } catch (error) {
        throw new InputError(messageOf(error));
      }
    },
    same(one, other) {
      const [a, b] = [stat(one), stat(other)];
      return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
    },
    env: (name) => process.env[name],
    entry: process.argv[1] ?? null,
  },
};

function stat(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return "a link";
  if (found.isDirectory()) return "a folder";
  return found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device";
}

function read(path: string): Buffer {
  try {
    return readFileSync(path === "-" ? 0 : path);
  } catch (error) {
    throw new InputError(messageOf(error));
  }
}

/** Writes all of it, however slowly the other end of a pipe reads; a closed one ends the program quietly, a full disk with a message. */
function write(stream: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(stream, bytes, at);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") lost(stream, error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** A command whose output cannot be written fails, even if it found no fault. */
function lost(stream: 1 | 2, error: unknown): never {
  if (stream === 1) write(2, `oriscope: the output could not be written: ${messageOf(error)}\n`);
  process.exit(1);
}
