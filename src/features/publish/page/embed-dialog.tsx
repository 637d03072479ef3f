/** The snippet that puts this step into another page: size, colours and toolbar chosen, copied with one press. */

import { useEffect, useState } from "react";
import { useActions, useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { copyText } from "../../../app/share/clipboard.ts";
import { addressOf } from "../../../app/share/files.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Dialog } from "../../../app/ui/dialog.tsx";
import { TextField } from "../../../app/ui/field.tsx";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { Select } from "../../../app/ui/select.tsx";
import { embedFragment } from "../../../embed/embed-fragment.ts";
import styles from "./embed-dialog.module.css";

const KINDS = [
  { value: "element", title: "element with embed.js" },
  { value: "frame", title: "plain iframe" },
] as const;
const THEMES = [
  { value: "page", title: "same as the surrounding page" },
  { value: "light", title: "light" },
  { value: "dark", title: "dark" },
] as const;
const TOOLBARS = [
  { value: "step", title: "step buttons" },
  { value: "none", title: "none" },
] as const;
type Of<T extends readonly { readonly value: string }[]> = T[number]["value"];

export function EmbedDialog() {
  const open = useSession((s) => s.view.dialog === "link");
  const { view } = useActions();
  return (
    <Dialog open={open} onClose={() => view.set({ dialog: null })} title="Embed this step">
      {open ? <Choices /> : null}
    </Dialog>
  );
}

function Choices() {
  const session = useSessionObject();
  const [link, setLink] = useState<string | null | undefined>(undefined);
  const [kind, setKind] = useState<Of<typeof KINDS>>("element");
  const [theme, setTheme] = useState<Of<typeof THEMES>>("page");
  const [toolbar, setToolbar] = useState<Of<typeof TOOLBARS>>("step");
  const [height, setHeight] = useState("440");
  useEffect(() => {
    addressOf(session, "page").then(setLink, () => setLink(null));
  }, [session]);
  if (link === undefined) return <p>Making the link…</p>;
  if (link === null)
    return <p>The program is too long for a link. Export it as an HTML file instead: that file can be stepped without this page.</p>;
  const pixels = /^\d{3,4}$/.test(height) ? Number(height) : null;
  const chosen = { theme: theme === "page" ? null : theme, toolbar, height: pixels ?? 440 };
  const text = snippet(link, kind, chosen, (fragment, options) => embedFragment(fragment, options));
  const copy = () => copyText(session, text, "The snippet was copied to the clipboard.", ": select the snippet and copy it.");
  return (
    <Stack gap={3}>
      <Row wrap align="end" gap={3}>
        <Select label="Insert as" value={kind} options={KINDS} onChange={setKind} />
        <Select label="Colours" value={theme} options={THEMES} onChange={setTheme} />
        <Select label="Toolbar" value={toolbar} options={TOOLBARS} onChange={setToolbar} />
        <TextField label="Height in pixels" value={height} onChange={setHeight} error={pixels === null ? "100 to 9999" : null} />
      </Row>
      <textarea
        className={cx(styles.snippet, "input")}
        aria-label="Snippet"
        readOnly
        value={text}
        rows={6}
        onFocus={(event) => event.target.select()}
      />
      <div>
        <Button onClick={() => void copy()}>Copy the snippet</Button>
      </div>
    </Stack>
  );
}

/** The HTML to paste into your own page. */
interface Chosen {
  readonly theme: "light" | "dark" | null;
  readonly toolbar: "step" | "none";
  readonly height: number;
}

function snippet(
  link: string,
  kind: "element" | "frame",
  { theme, toolbar, height }: Chosen,
  fragmentOf: (link: string, options: Pick<Chosen, "theme" | "toolbar">) => string,
): string {
  const at = link.indexOf("#");
  const page = link.slice(0, at);
  if (kind === "frame") {
    const address = `${page}#${fragmentOf(link.slice(at + 1), { theme, toolbar })}`;
    return `<iframe src="${attribute(address)}" title="Oriscope" loading="lazy"\n  style="width: 100%; height: ${height}px; border: 0"></iframe>\n`;
  }
  const said = [...(theme === null ? [] : [` theme="${theme}"`]), ...(toolbar === "step" ? [] : [` toolbar="${toolbar}"`])].join("");
  return (
    `<script src="${attribute(new URL("embed.js", page).href)}" defer></script>\n` +
    `<oriscope-view src="${attribute(link)}"${said} height="${height}"></oriscope-view>\n`
  );
}

const attribute = (text: string): string => text.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`);
