/** The rule of the current step by its line of the pseudocode: a press opens its code and documentation. */

import { useActions, useSession } from "../../session/hooks.ts";
import { selectTrace } from "../../session/selectors.ts";
import styles from "./rule.module.css";
import { useRule } from "./use-rule.ts";

/** The line without the reference's labels; one of symbols and offsets is its number only: the rest is a press away. */
const inShort = (line: string): string =>
  /sub_|\+\d{2,}|0x[\dA-F]{2}/.test(line) ? "" : `: ${line.replace(/^[CT]\d[a-d]?: | \(T\d\)/g, "")}`;

export function RuleLink() {
  const found = useRule();
  const embed = useSession((s) => s.view.embed);
  const line = useSession((s) => selectTrace(s)?.pseudocode[(found?.rule.line ?? 0) - 1] ?? "").trim();
  const { view } = useActions();
  if (found === null || embed) return null;
  const { rule } = found;
  return (
    <button
      data-testid="rule-link"
      type="button"
      className={styles.link}
      title={`Line ${rule.line} of the pseudocode: ${line}\nClick to see the code of this rule ('${rule.name}' of ${rule.family}) and its documentation`}
      onClick={() => view.open("rule")}
    >
      line {rule.line}
      <span className={styles.text}>{inShort(line)}</span>
      <span className={styles.narrow}> of the algorithm</span>
    </button>
  );
}
