/** Decodes large links and cases off the page's thread. */
import { decodeCase, decodeLink } from "../../links/link-codec.ts";
import type { DecodeAnswer, DecodeCall } from "./decoding.ts";

self.addEventListener("message", async ({ data }: MessageEvent<DecodeCall>) => {
  const answer: DecodeAnswer = data.kind === "link" ? await decodeLink(data.text) : decodeCase(data.text, data.file);
  self.postMessage(answer);
});
