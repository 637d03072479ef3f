/** Why the rewrite of a step was made: its reasons as sentences, those that another step shows with a way to it. */

import { useActions, useEngineQuery } from "../../session/hooks.ts";
import { Stack } from "../../ui/layout.tsx";
import styles from "./why.module.css";

export function Because({ run, step }: { readonly run: number; readonly step: number }) {
  const { position } = useActions();
  const { data, fresh } = useEngineQuery(`reasons|${run}|${step}`, (api) => api.reasons(run, step));
  if (data === null || !fresh || data.length === 0) return null;
  return (
    <Stack as="ul" gap="hair" className={styles.because} aria-label="Because">
      {data.map(({ sentence, step: at }, i) => {
        const said = `${i === 0 ? "Because" : "and because"} ${sentence}${i === data.length - 1 ? "." : ","}`;
        return (
          <li key={sentence}>
            {at === null ? (
              said
            ) : (
              // A button is its own box: with a part of the sentence in it, the rest would be on other lines.
              <button type="button" className={styles.link} title={`Go to step ${at + 1}`} onClick={() => position.seek(at)}>
                {said}
              </button>
            )}
          </li>
        );
      })}
    </Stack>
  );
}
