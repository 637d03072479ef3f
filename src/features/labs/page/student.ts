/** The student who used this browser last, as they typed it: the next lab begins with it. */

import { browserStorage } from "../../../app/ui/browser-storage.ts";

const KEY = "oriscope.lab.student";

export function lastStudent(): { readonly name: string; readonly number: string } {
  const { name, number } = browserStorage("localStorage").fields(KEY);
  return { name: typeof name === "string" ? name : "", number: typeof number === "string" ? number : "" };
}

export const rememberStudent = (name: string, number: string): void =>
  void browserStorage("localStorage").set(KEY, JSON.stringify({ name, number }));

export const forgetStudent = (): void => browserStorage("localStorage").remove(KEY);
