/** The rule of the current step by its name: a press opens its code and documentation. */

import { useActions, useSession } from "../../session/hooks.ts";
import styles from "./rule.module.css";
import { useRule } from "./use-rule.ts";

export function RuleLink() {
  const found = useRule();
  const embed = useSession((s) => s.view.embed);
  const { view } = useActions();
  if (found === null || embed) return null;
  const { rule } = found;
  return (
    <button
      data-testid="rule-link"
      type="button"
      className={styles.link}
      title={`Rule '${rule.name}' of ${rule.family}: its code and documentation`}
      onClick={() => {
        view.openInspector("bottom", "rule");
        view.showPane("inspectors");
      }}
    >
      rule <code>{rule.name}</code>
    </button>
  );
}
