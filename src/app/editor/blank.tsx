/** Shown over an empty editor, without catching clicks: what can be put into it; below are other ways to open a program. */

import { Fragment } from "react";
import { FORMAT_NAMES } from "../../base/formats.ts";
import { useSessionObject } from "../session/hooks.ts";
import { languagesOf } from "../session/language.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Row, Stack } from "../ui/layout.tsx";
import styles from "./blank.module.css";
import { useBlank } from "./use-blank.ts";

export function Blank() {
  const session = useSessionObject();
  if (!useBlank()) return null;
  return (
    <Stack gap={3} className={styles.blank} data-testid="blank">
      <p className="large">Paste a program here, or drop a file.</p>
      <dl className={cx(styles.kinds, "quiet")}>
        <dt>PTX</dt>
        <dd>
          <code>nvcc -ptx kernel.cu</code>
        </dd>
        <dt>Ori</dt>
        <dd>
          the optimizer’s own form, used by the examples; begin with <code>.kernel name</code>
        </dd>
        {languagesOf(session).map(({ id, about, command }) => (
          <Fragment key={id}>
            <dt>{FORMAT_NAMES[id]}</dt>
            <dd>{command === undefined ? about : <code>{command}</code>}</dd>
          </Fragment>
        ))}
      </dl>
    </Stack>
  );
}

export function OtherWays() {
  const blank = useBlank();
  const session = useSessionObject();
  const examples = session.command("file.examples");
  if (!blank) return null;
  return (
    <Row as="p" wrap gap={2} pad={[2, 3]} rigid>
      {examples === null ? null : <Button onClick={() => examples.run(session)}>Open an example</Button>}
      <Button onClick={() => session.actions.view.set({ dialog: "toolchains" })}>From CUDA, C, Triton …</Button>
    </Row>
  );
}
