/** What a phase did to a register: who defines, copies and reads it before and after, and what took its place. */

import type { ReactNode } from "react";
import type { RegisterSite, RegisterStage, RegisterUse } from "../../../engine/api/types.ts";
import { useActions } from "../../session/hooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { Stack, Toolbar } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { LinkedText } from "../shared/linked-text.tsx";
import styles from "./why.module.css";

/** Sites named; the rest is counted. */
const MOST_NAMED = 4;

export function RegisterStageView({ name, stage }: { readonly name: string; readonly stage: RegisterStage }) {
  const { before, after, replaced, gone } = stage;
  const by = new Map<string, number>();
  for (const { by: reg } of replaced) by.set(reg ?? "no register", (by.get(reg ?? "no register") ?? 0) + 1);
  return (
    <Stack as="dl" gap="hair" pad={[1, 3]} className={cx(styles.life, "line-below")}>
      <Row title="definitions" before={before.defs} after={after.defs}>
        {after.defs === 0 ? null : <Sites sites={after.definedBy} all={after.defs} />}
      </Row>
      {before.copies + after.copies === 0 ? null : (
        <Row title="copies" before={before.copies} after={after.copies}>
          {after.copies === 0 ? null : <Sites sites={after.copiedBy} all={after.copies} />}
        </Row>
      )}
      <Row title="readers" before={before.uses} after={after.uses}>
        {before.uses === after.uses ? plural(after.uses, "instruction") : null}
      </Row>
      {replaced.length === 0 ? null : (
        <Row title="replaced by">
          {[...by].map(([reg, times], i) => (
            <span key={reg}>
              {i > 0 ? ", " : ""}
              <LinkedText text={reg} />
              {times > 1 ? ` (${times} times)` : ""}
            </span>
          ))}
          :{" "}
          {replaced.slice(0, MOST_NAMED).map((r, i) => (
            <span key={r.inst}>
              {i > 0 ? "; " : ""}
              <code>{r.before}</code> → <code>{r.after}</code>
            </span>
          ))}
          {replaced.length > MOST_NAMED ? ` and ${replaced.length - MOST_NAMED} more` : ""}
        </Row>
      )}
      {gone.length === 0 ? null : (
        <Row title="deleted">
          {gone.slice(0, MOST_NAMED).map((g, i) => (
            <span key={g.inst}>
              {i > 0 ? "; " : ""}
              <code>{g.text}</code>
            </span>
          ))}
          {gone.length > MOST_NAMED ? ` and ${gone.length - MOST_NAMED} more` : ""}
        </Row>
      )}
      {after.defs + after.uses === 0 ? <p className="muted">{name} is not in the program after this phase.</p> : null}
    </Stack>
  );
}

/** The register as the pipeline was given it. */
export function RegisterInput({ name, input }: { readonly name: string; readonly input: RegisterUse }) {
  return (
    <section aria-label="As written">
      <Toolbar>
        <Badge>as written</Badge>
      </Toolbar>
      {input.defs + input.uses === 0 ? (
        <p className="pad">{name} is not in the program as written: a phase created it.</p>
      ) : (
        <Stack as="dl" gap="hair" pad={[1, 3]} className={cx(styles.life, "line-below")}>
          <Row title="defined by">
            {input.defs === 0 ? "nothing: it is a parameter" : <Sites sites={input.definedBy} all={input.defs} />}
          </Row>
          {input.copies === 0 ? null : (
            <Row title="copied by">
              <Sites sites={input.copiedBy} all={input.copies} />
            </Row>
          )}
          <Row title="read by">{plural(input.uses, "instruction")}</Row>
        </Stack>
      )}
    </section>
  );
}

interface RowProps {
  readonly title: string;
  /** How many there were, and are, if the row compares. */
  readonly before?: number;
  readonly after?: number;
  readonly children: ReactNode;
}

function Row({ title, before = 0, after = 0, children }: RowProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {before === after ? null : (
          <span className="num">
            {before} before, {after} after{children === null ? "" : ": "}
          </span>
        )}
        {children}
      </dd>
    </div>
  );
}

function Sites({ sites, all }: { readonly sites: readonly RegisterSite[]; readonly all: number }) {
  const { selection } = useActions();
  const named = sites.slice(0, MOST_NAMED);
  return (
    <>
      {named.map(({ inst, text }, i) => (
        <span key={inst}>
          {i > 0 ? "; " : ""}
          <button type="button" className={styles.link} onClick={() => selection.select({ kind: "inst", id: inst })}>
            <code>{text}</code>
          </button>
        </span>
      ))}
      {all > named.length ? ` and ${all - named.length} more` : ""}
    </>
  );
}
