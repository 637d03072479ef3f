/** A described record byte by byte: offset, field, bytes, and what they say. */

import { useEffect, useRef } from "react";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Bytes } from "./bytes.tsx";
import type { ByteRecord } from "./record-layouts.ts";
import styles from "./structures.module.css";

const byteText = (bytes: readonly number[]): string => bytes.map((b) => b.toString(16).padStart(2, "0")).join(" ");

/** Null: nothing is selected. `pick` says what can be. In a low pane, what was selected just now comes into sight with its bytes below. */
export function RecordBytes({ record, pick }: { readonly record: ByteRecord | null; readonly pick: string }) {
  const section = useRef<HTMLElement>(null);
  const title = record?.title ?? null;
  const shown = useRef(title);
  useEffect(() => {
    if (pick !== "" && title !== null && title !== shown.current) section.current?.scrollIntoView({ block: "nearest" });
    shown.current = title;
  }, [title, pick]);
  return (
    <section ref={section} className={styles.record} aria-label={record?.title ?? "Bytes"}>
      {record === null ? (
        <p className="muted">{pick}</p>
      ) : (
        <DataTable
          caption={record.title}
          mono
          rows={record.fields}
          rowKey={({ offset }) => offset}
          columns={[
            { title: "Offset", cell: ({ offset }) => `+${offset}` },
            { title: "Field", cell: ({ name }) => <span className={cx(name === "padding" && "muted")}>{name}</span> },
            { title: "Bytes", cell: ({ bytes }) => <Bytes text={byteText(bytes)} /> },
            { title: "Value", cell: ({ means }) => means },
          ]}
        />
      )}
    </section>
  );
}
