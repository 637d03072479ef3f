/** A region's card: its blocks, how many there are, and how to open it. */

import { useSessionObject } from "../../session/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/plural.ts";
import { openRegion } from "../graph-view.ts";
import type { DrawnNode } from "../model/drawing.ts";
import { ownName } from "../model/sides.ts";
import styles from "./card.module.css";

export function RegionCard({ node }: { readonly node: DrawnNode }) {
  const session = useSessionObject();
  return (
    <>
      <div className={styles.head}>
        <span className={styles.label}>{node.title}</span>
      </div>
      <div className={styles.regionText}>
        <span>{plural(node.blocks.length, "block")}</span>
        <Button
          variant="link"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            openRegion(session, ownName(node.id));
          }}
        >
          open
        </Button>
      </div>
    </>
  );
}
