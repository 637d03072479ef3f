/** The rule of the current step by its line of the pseudocode: a press opens its code and documentation. */

import { useActions, useSession } from "../../session/hooks.ts";
import { readLine } from "../../session/position/folds.ts";
import { selectTrace } from "../../session/selectors.ts";
import styles from "./rule.module.css";
import { useRule } from "./use-rule.ts";

/** The line without the name of its condition. */
const inShort = (line: string): string => `: ${line.replace(/^[CT]\d[a-d]?: /, "")}`;

export function RuleLink() {
  const found = useRule();
  const embed = useSession((s) => s.view.embed);
  const { text: line } = readLine(useSession((s) => selectTrace(s)?.pseudocode[(found?.rule.line ?? 0) - 1] ?? "").trim());
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
