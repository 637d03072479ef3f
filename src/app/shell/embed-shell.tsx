/** A frame inside another page: graph and text side by side, step buttons, nothing to edit. */

import { useMemo } from "react";
import { readEmbed } from "../../embed/embed-fragment.ts";
import { MomentTab } from "../editor/moment-tab.tsx";
import { Announcer } from "../outline/announcer.tsx";
import { FeatureSlot } from "../session/feature-slot.tsx";
import { useSession } from "../session/hooks.ts";
import { Now } from "../timeline/now.tsx";
import { TransportBar } from "../timeline/transport-bar.tsx";
import { cx } from "../ui/cx.ts";
import { Stack, Toolbar } from "../ui/layout.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { useWidth } from "../ui/use-width.ts";
import { Activity } from "./activity.tsx";
import { Centre } from "./centre.tsx";
import { NoticeStack } from "./notice-stack.tsx";
import { Region } from "./region.tsx";
import styles from "./shell.module.css";

export function EmbedShell() {
  const embedded = useMemo(() => readEmbed(window.location.hash)?.options ?? { toolbar: "step" }, []);
  const whole = wholeAddress();
  const title = useSession((s) => s.document.title);
  const width = useWidth();
  return (
    <Stack className={cx(styles.shell, styles.framed)}>
      <Stack as="main" grow>
        <Toolbar raised role="toolbar" aria-label="Transport">
          {embedded.toolbar === "none" ? null : <TransportBar small />}
          {width === "phone" ? null : <strong className="ellipsis">{title}</strong>}
          <span className="grow" />
          <Activity />
          <a
            href={whole}
            target="_blank"
            rel="noreferrer"
            onClick={(event) => {
              event.preventDefault();
              window.open(whole, "_blank", "noopener");
            }}
          >
            Open in Oriscope
          </a>
        </Toolbar>
        <FeatureSlot of="banners" />
        <Now />
        <Stack grow className={styles.holder}>
          <NoticeStack />
          <Splitter
            id="embed"
            orientation={width === "phone" ? "vertical" : "horizontal"}
            panes={[
              {
                id: "graph",
                size: width === "phone" ? "68%" : "60%",
                content: (
                  <Region pane="graph" label="Graph">
                    <Centre />
                  </Region>
                ),
              },
              {
                id: "text",
                bar: "Resize",
                size: width === "phone" ? "32%" : "40%",
                content: (
                  <Region pane="editor" label="Text at this step">
                    <MomentTab />
                  </Region>
                ),
              },
            ]}
          />
        </Stack>
      </Stack>
      <Announcer />
    </Stack>
  );
}

/** The page that the frame is a part of, with the same link. */
function wholeAddress(): string {
  const url = new URL(window.location.href);
  url.hash = readEmbed(url.hash)?.link ?? url.hash;
  return url.href;
}
