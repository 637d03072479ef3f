/** What can be put into an empty editor. Lies over it, and lets presses through to it. */

import { useActions, useSession } from "../session/hooks.ts";
import { Button } from "../ui/button.tsx";
import styles from "./blank.module.css";

export function Blank() {
  const blank = useSession((s) => s.document.revision > 0 && !/\S/.test(s.document.text));
  const refused = useSession((s) => s.view.refused !== null);
  const { view } = useActions();
  if (!blank || refused) return null;
  return (
    <div className={styles.blank} data-testid="blank">
      <p className={styles.lead}>Paste a program here, or drop a file.</p>
      <dl className={styles.kinds}>
        <dt>PTX</dt>
        <dd>
          <code>nvcc -ptx kernel.cu</code>
        </dd>
        <dt>SASS</dt>
        <dd>
          <code>cuobjdump -sass kernel.cubin</code>
        </dd>
        <dt>Ori</dt>
        <dd>
          the optimizer’s own form, as the examples have it: begin with <code>.kernel name</code>
        </dd>
        <dt>Bril</dt>
        <dd>text or JSON, as compiler courses use it</dd>
      </dl>
      <p className={styles.more}>
        <Button onClick={() => view.set({ dialog: "examples" })}>Open an example</Button>
        <Button onClick={() => view.set({ dialog: "ways-in" })}>From CUDA, C, Triton …</Button>
      </p>
    </div>
  );
}
