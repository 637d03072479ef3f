import { useMemo } from "react";
import { isBlank } from "../session/actions/programs.ts";
import { useSession } from "../session/hooks.ts";

/** There is no program: the text is empty. */
export function useBlank(): boolean {
  const text = useSession((s) => s.document.text);
  // Of a text of millions of empty lines, not at every change of anything.
  const blank = useMemo(() => isBlank(text), [text]);
  const begun = useSession((s) => s.document.revision > 0 && s.view.refused === null);
  return begun && blank;
}
