/** Announces each step's sentence to screen readers. While a key is held, only the last one. */

import { useEffect, useState } from "react";
import { useSession } from "../session/hooks.ts";
import { selectSentence } from "../session/selectors.ts";

const QUIET_MS = 250;

export function Announcer() {
  const sentence = useSession(selectSentence);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(sentence), QUIET_MS);
    return () => clearTimeout(timer);
  }, [sentence]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {said}
    </div>
  );
}
