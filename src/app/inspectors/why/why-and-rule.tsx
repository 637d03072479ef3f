/** Why, and below it the rule that the step comes from, with its source code. */

import { useActions, useSession } from "../../session/hooks.ts";
import { Stack } from "../../ui/layout.tsx";
import { late } from "../late.tsx";
import { Fold } from "../shared/fold.tsx";
import { Why } from "./why.tsx";

/** With the code of the rules: loaded when it is unfolded. */
const Rule = late(async () => (await import("../rule/rule.tsx")).RuleInspector);

export function WhyAndRule() {
  const open = useSession((s) => s.view.open);
  const { view } = useActions();
  return (
    <>
      <Stack grow>
        <Why />
      </Stack>
      <Fold title="The rule and its source" open={open.rule} fills onToggle={() => view.set({ open: { ...open, rule: !open.rule } })}>
        <Rule />
      </Fold>
    </>
  );
}
