/** Links and cases from anywhere: small ones are read at once, large ones in a worker, so that no text blocks the page. */

import { type DecodedLink, decodeCase, decodeLink, decodeSmallLink, SMALL } from "../../links/link-codec.ts";
import type { DecodeAnswer, DecodeCall } from "./decoding.ts";

/** The limits of the format keep reading far below this. */
const PATIENCE_MS = 20_000;

/** Reads an address or its fragment. Never rejects. */
export async function readLink(text: string): Promise<DecodedLink> {
  const small = await decodeSmallLink(text);
  return small === "large" ? elsewhere({ kind: "link", text }) : small;
}

/** Reads a case that was saved to a file of this name. Never rejects. */
export function readCase(text: string, file: string): Promise<DecodedLink> {
  return text.length <= SMALL ? Promise.resolve(decodeCase(text, file)) : elsewhere({ kind: "case", text, file });
}

function elsewhere(call: DecodeCall): Promise<DecodedLink> {
  return new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = new Worker(new URL("./decode.worker.ts", import.meta.url), { type: "module" });
    } catch {
      resolve(here(call));
      return;
    }
    const finish = (answer: DecodedLink | Promise<DecodedLink>) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(
      () => finish({ ok: false, message: `${call.kind === "link" ? "The link" : call.file} took too long to read.`, source: null }),
      PATIENCE_MS,
    );
    worker.addEventListener("message", ({ data }: MessageEvent<DecodeAnswer>) => finish(data));
    // It could not be loaded: a pause is better than no answer, and the format's limits keep it short.
    worker.addEventListener("error", () => finish(here(call)));
    worker.postMessage(call);
  });
}

async function here(call: DecodeCall): Promise<DecodedLink> {
  return call.kind === "link" ? decodeLink(call.text) : decodeCase(call.text, call.file);
}
