/** The check light: is the graph reducible before the phase and at this step, by the interval test? */

import type { Reducibility } from "../../../engine/api/types.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { lastChange } from "../../session/last-change.ts";
import { selectMoment, selectTrace } from "../../session/selectors.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icons.tsx";
import { Row, Toolbar } from "../../ui/layout.tsx";
import styles from "./tails.module.css";

/** Blocks of a limit graph that are named. */
const MOST_NAMED = 6;

export function ReducibilityCheck() {
  const moment = useSession(selectMoment);
  const trace = useSession(selectTrace);
  const at = moment === null ? null : { run: moment.run, step: lastChange(trace, moment.step) };
  const { data } = useEngineQuery(at === null ? null : `reducible|${at.run}|${at.step}`, async (api) => {
    const asked = at ?? { run: -1, step: null };
    const [before, now] = await Promise.all([api.reducibility({ run: asked.run, step: -1 }), api.reducibility(asked)]);
    return { run: asked.run, before, now };
  });
  const known = data !== null && data.run === moment?.run ? data : null;
  const broken = known?.before.reducible === true && !known.now.reducible;
  return (
    <Toolbar as="section" aria-label="Reducibility check">
      <Light title="before" test={known?.before ?? null} tone="warn" />
      <Light title="at this step" test={known?.now ?? null} tone={broken ? "error" : "warn"} />
      <span className={cx(styles.verdict, "strong")}>
        {known === null
          ? ""
          : broken
            ? "lost"
            : known.before.reducible
              ? "kept"
              : known.now.reducible
                ? "gained"
                : "was irreducible before"}
      </span>
      {known === null ? null : <Detail test={known.now} />}
    </Toolbar>
  );
}

function Light({ title, test, tone }: { readonly title: string; readonly test: Reducibility | null; readonly tone: Tone }) {
  return (
    <Row as="span" gap={1} className="nowrap">
      {title}{" "}
      {test === null ? (
        <Badge>testing…</Badge>
      ) : (
        <Badge tone={test.reducible ? "ok" : tone}>
          <Icon name={test.reducible ? "check" : "warning"} size={12} />
          {test.reducible ? "reducible" : "irreducible"}
        </Badge>
      )}
    </Row>
  );
}

/** What the interval test did, and what it could not take apart. */
function Detail({ test }: { readonly test: Reducibility }) {
  const moment = useSession(selectMoment);
  const { selection } = useActions();
  const { left, t1, t2 } = test;
  return (
    <span className="muted">
      interval test: T1 ×{t1}, T2 ×{t2},{" "}
      {left.length <= 1 ? (
        "one node is left"
      ) : (
        <>
          {left.length} nodes are left:{" "}
          {left.slice(0, MOST_NAMED).map((id) => (
            <span key={id} className={styles.node}>
              <Button variant="link" onClick={() => selection.select({ kind: "block", id })}>
                {moment?.blocks.get(id)?.label ?? `#${id}`}
              </Button>
            </span>
          ))}
          {left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : null}
        </>
      )}
    </span>
  );
}
