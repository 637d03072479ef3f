/** The messages between the page and the worker that decodes. */
import type { DecodedLink } from "../../links/link-codec.ts";

export type DecodeCall =
  | { readonly kind: "link"; readonly text: string }
  | { readonly kind: "case"; readonly text: string; readonly file: string };

export type DecodeAnswer = DecodedLink;
