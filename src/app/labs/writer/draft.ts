/** The lab that is being written: kept in the browser, so that no reload loses it. */

const KEY = "oriscope.lab.draft";

export function readDraft(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** False: the browser does not keep it. */
export function keepDraft(text: string): boolean {
  try {
    if (text === "") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, text);
    return true;
  } catch {
    return false;
  }
}
