/** Forms in which an answer grows: the moves of an algorithm, lines put in order. */

import { useEffect, useRef, useState } from "react";
import { Button } from "../../../../app/ui/button.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import type { Form } from "../../engine/forms.ts";
import type { MadeMove } from "../../engine/kinds/simulate.ts";
import styles from "../lab.module.css";
import { useLab } from "../use-lab.ts";
import { workOf } from "../work.ts";
import { Line } from "./fields.tsx";
import { type FormProps, listOf, placed, textsOf } from "./form.ts";

type Of<K extends Form["kind"]> = FormProps<Extract<Form, { readonly kind: K }>>;

interface Made {
  readonly key: string;
  readonly made: readonly MadeMove[];
  readonly done: boolean;
}

export function MovesForm({ form, draft, onDraft, labs, task, locked }: Of<"moves">) {
  const moves = textsOf(draft, "moves");
  const seed = useLab((s) => s.seed);
  const variant = useLab((s) => workOf(s.work, task).variant);
  const [move, setMove] = useState("");
  const [seen, setSeen] = useState<Made | null>(null);
  const key = JSON.stringify([seed, variant, moves]);
  const quiet = form.mode === "at-end";
  useEffect(() => {
    let gone = false;
    const [atSeed, atVariant, made] = JSON.parse(key) as [number, number, readonly string[]];
    labs.desk.ask("moves", task, atSeed, atVariant, made).then(
      (answer) => {
        if (!gone) setSeen({ key, ...answer });
      },
      () => {
        // The thread has ended; the moves are kept, and judged with the answer.
        if (!gone) setSeen(null);
      },
    );
    return () => {
      gone = true;
    };
  }, [key, labs, task]);
  const fresh = seen?.key === key ? seen : null;
  const last = quiet ? undefined : fresh?.made.at(-1);
  const done = !quiet && fresh?.done === true;
  const make = (): void => {
    const text = move.trim();
    if (text === "" || locked || done) return;
    onDraft({ moves: [...moves, text] });
    setMove("");
  };
  return (
    <Stack gap={2}>
      <p className="muted">
        {/* Moves are between grave accents. */}
        {placed(form.moves.split("`")).map(({ item, place }) => (place % 2 === 1 ? <code key={place}>{item}</code> : item))}
      </p>
      {moves.length === 0 ? null : (
        <ol className={styles.moves} aria-label="Moves so far">
          {placed(moves).map(({ item: text, place }) => {
            const was = quiet ? undefined : seen?.made[place];
            const wrong = was?.move === text && was.problem !== null;
            return (
              <li key={place} data-wrong={wrong || undefined}>
                <code>{text}</code>
                {wrong ? <span>{was.instead === null ? " taken back" : ` instead: ${was.instead}`}</span> : null}
              </li>
            );
          })}
        </ol>
      )}
      <Row wrap align="end" gap={2} className={styles.pair}>
        <Line label="Next move" value={move} onChange={setMove} onEnter={make} locked={locked || done} />
        <Button disabled={locked || done || move.trim() === ""} onClick={make}>
          Make this move
        </Button>
        {quiet && moves.length > 0 ? (
          <Button variant="quiet" disabled={locked} onClick={() => onDraft(moves.length === 1 ? null : { moves: moves.slice(0, -1) })}>
            Take back
          </Button>
        ) : null}
      </Row>
      <p role="status" className={styles.said}>
        {done
          ? "All moves are made: press Answer."
          : last === undefined
            ? ""
            : last.problem === null
              ? "Right."
              : `Wrong: ${last.problem}.`}
      </p>
    </Stack>
  );
}

export function OrderForm({ form, draft, onDraft, locked }: Of<"order">) {
  const order = listOf(draft, "order").map(Number);
  const textAt = (index: number): string => form.lines.find((line) => line.index === index)?.text ?? "";
  const root = useRef<HTMLDivElement>(null);
  /** Buttons that the focus goes to after a press, the first that is there: the one that was pressed may have gone. */
  const next = useRef<readonly string[]>([]);
  // After the lists are drawn again.
  useEffect(() => {
    const wanted = next.current;
    next.current = [];
    for (const name of wanted) {
      const button = root.current?.querySelector<HTMLElement>(`[data-order="${name}"]`);
      if (button === null || button === undefined) continue;
      button.focus();
      return;
    }
  });
  const put = (order: readonly number[], ...focus: readonly string[]): void => {
    next.current = focus;
    onDraft(order.length === 0 ? null : { order });
  };
  const move = (at: number, by: -1 | 1): void => {
    const moved = [...order];
    const [item] = moved.splice(at, 1);
    if (item === undefined) return;
    moved.splice(at + by, 0, item);
    put(moved, `${by < 0 ? "up" : "down"} ${item}`);
  };
  const left = form.lines.filter((line) => !order.includes(line.index));
  return (
    <Stack ref={root} gap={2}>
      <Stack as="ol" gap="hair" className={styles.items} aria-label="Your order">
        {order.map((index, at) => (
          <li key={index}>
            <code>{textAt(index)}</code>
            <Row as="span" gap="hair">
              <Button
                variant="quiet"
                data-order={`up ${index}`}
                aria-label={`Up: ${textAt(index)}`}
                disabled={locked || at === 0}
                onClick={() => move(at, -1)}
              >
                ↑
              </Button>
              <Button
                variant="quiet"
                data-order={`down ${index}`}
                aria-label={`Down: ${textAt(index)}`}
                disabled={locked || at === order.length - 1}
                onClick={() => move(at, 1)}
              >
                ↓
              </Button>
              <Button
                variant="quiet"
                data-order={`out ${index}`}
                aria-label={`Remove: ${textAt(index)}`}
                disabled={locked}
                onClick={() => {
                  const rest = order.filter((other) => other !== index);
                  put(rest, `out ${rest[at] ?? rest.at(-1)}`, `in ${index}`);
                }}
              >
                Out
              </Button>
            </Row>
          </li>
        ))}
      </Stack>
      {order.length === 0 ? <p className="muted">Nothing is in order yet. Some lines may not belong here.</p> : null}
      <Stack as="ul" gap="hair" className={styles.items} aria-label="Lines to choose from">
        {left.map(({ index, text }, at) => (
          <li key={index}>
            <code>{text}</code>
            <Button
              variant="quiet"
              data-order={`in ${index}`}
              aria-label={`Insert: ${text}`}
              disabled={locked}
              onClick={() => put([...order, index], `in ${(left[at + 1] ?? left[at - 1])?.index}`, `out ${index}`)}
            >
              In
            </Button>
          </li>
        ))}
      </Stack>
    </Stack>
  );
}
