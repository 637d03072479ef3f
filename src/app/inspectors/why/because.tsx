/** Why the rewrite of a step was made: its reasons as sentences, those that another step shows with a way to it. */

import { useActions, useEngineQuery } from "../../session/hooks.ts";
import styles from "./why.module.css";

export function Because({ run, step }: { readonly run: number; readonly step: number }) {
  const { position } = useActions();
  const { data, fresh } = useEngineQuery(`reasons|${run}|${step}`, (api) => api.reasons(run, step));
  if (data === null || !fresh || data.length === 0) return null;
  return (
    <ul className={styles.because} aria-label="Because">
      {data.map(({ sentence, step: at }, i) => (
        <li key={sentence}>
          {i === 0 ? "Because " : "and because "}
          {at === null ? (
            sentence
          ) : (
            <button type="button" className={styles.link} title={`Go to step ${at + 1}`} onClick={() => position.seek(at)}>
              {sentence}
            </button>
          )}
          {i === data.length - 1 ? "." : ","}
        </li>
      ))}
    </ul>
  );
}
