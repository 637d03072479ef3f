/** Where a listing comes in: pasted, dropped, or chosen as a file. */

import { type DragEvent, useId, useState } from "react";
import { useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import styles from "./align.module.css";
import { listingsOf } from "./feature.ts";
import { readListing, setListing, useListing } from "./listing.ts";

/** A larger listing is not put into the text field again. */
const MOST_SHOWN = 200_000;

export function ListingInput({ problem }: { readonly problem: string | null }) {
  const session = useSessionObject();
  const id = useId();
  // What could not be read can be mended.
  const since = useSession((s) => s.document.since);
  const refused = useListing(since);
  const [text, setText] = useState(refused !== null && refused.text.length < MOST_SHOWN ? refused.text : "");
  const [over, setOver] = useState(false);
  // The listings among the examples belong to the unchanged PTX next to them: a kernel of the same name may be a different one.
  const source = useSession((s) => (s.document.edited ? null : s.document.example));
  const known = source === null ? [] : listingsOf(session, source);
  const takeFile = (file: File | undefined): void => {
    if (file !== undefined) void readListing(session, { name: file.name, since }, () => file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) takeFile(file);
    else setText(event.dataTransfer.getData("text/plain"));
  };
  return (
    <Stack
      as="form"
      gap={2}
      pad={[2, 3]}
      aria-label="Listing to align with"
      className={cx(over && styles.over)}
      data-takes-drops
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") setListing(session, { name: "pasted listing", text, since });
      }}
    >
      <label htmlFor={id}>
        SASS of the same kernel, from <code>nvdisasm -c</code>, <code>cuobjdump -sass</code> or Compiler Explorer
      </label>
      <textarea
        id={id}
        className={cx(styles.text, "input")}
        value={text}
        rows={8}
        spellCheck={false}
        placeholder="Paste a listing, or drop a file here."
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setText(event.target.value)}
      />
      {problem === null ? null : (
        <span id={`${id}-problem`} className="tone-error">
          {problem}
        </span>
      )}
      <Row as="span" wrap gap={2}>
        <Button type="submit" variant="primary" disabled={text.trim() === ""}>
          Align
        </Button>
        <label className="quiet">
          <span>or a file: </span>
          <input type="file" accept=".sass,.txt,.asm,.cuasm" onChange={(event) => takeFile(event.target.files?.[0])} />
        </label>
        {known.map(({ title, load }) => (
          <Button key={title} onClick={() => void readListing(session, { name: title, since }, load)}>
            Use {title}
          </Button>
        ))}
      </Row>
    </Stack>
  );
}
