/** A described record byte by byte: offset, field, bytes, and what they say. */

import { useEffect, useRef } from "react";
import { cx } from "../../ui/cx.ts";
import panel from "../shared/panel.module.css";
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
        <table className={cx(panel.table, "mono")}>
          <caption>{record.title}</caption>
          <thead>
            <tr>
              <th scope="col">Offset</th>
              <th scope="col">Field</th>
              <th scope="col">Bytes</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {record.fields.map((field) => (
              <tr key={field.offset}>
                <td className="num">+{field.offset}</td>
                <td className={cx(field.name === "padding" && "muted")}>{field.name}</td>
                <td>
                  <Bytes text={byteText(field.bytes)} />
                </td>
                <td>{field.means}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
