/** The stored broken passes: each is a template with one error. */

import { readFileSync } from "node:fs";
import { templateSource } from "./subject.ts";

export interface BrokenPass {
  readonly id: string;
  /** The template that it comes from. */
  readonly from: string;
  /** One sentence. */
  readonly bug: string;
  readonly find: string;
  readonly put: string;
  /** Of a random program on which Check finds it. */
  readonly seed: number;
}

export const BROKEN = JSON.parse(
  readFileSync(new URL("../../../../../../passes/broken.json", import.meta.url), "utf8"),
) as readonly BrokenPass[];

/** The template's source with the error. */
export function brokenSource({ id, from, find, put }: BrokenPass): string {
  const source = templateSource(from);
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`${id}: its place is found ${places} times in ${from}`);
  return source.replace(find, () => put);
}
