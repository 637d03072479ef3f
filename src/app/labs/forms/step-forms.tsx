/** Forms in which an answer grows: the moves of an algorithm, lines put in order. */

import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Form } from "../../../labs/forms.ts";
import type { MadeMove } from "../../../labs/kinds/simulate.ts";
import { Button } from "../../ui/button.tsx";
import styles from "../lab.module.css";
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
  const seed = useStore(labs.store, (s) => s.seed);
  const variant = useStore(labs.store, (s) => workOf(s.work, task).variant);
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
    <div className={styles.rows}>
      <p className="muted">{form.moves}</p>
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
      <div className={styles.pair}>
        <Line label="Next move" value={move} onChange={setMove} onEnter={make} locked={locked || done} />
        <Button disabled={locked || done || move.trim() === ""} onClick={make}>
          Make the move
        </Button>
        {quiet && moves.length > 0 ? (
          <Button variant="quiet" disabled={locked} onClick={() => onDraft(moves.length === 1 ? null : { moves: moves.slice(0, -1) })}>
            Take back
          </Button>
        ) : null}
      </div>
      <p role="status" className={styles.said}>
        {done
          ? "All moves are made: press Answer."
          : last === undefined
            ? ""
            : last.problem === null
              ? "Right."
              : `Not so: ${last.problem}.`}
      </p>
    </div>
  );
}

export function OrderForm({ form, draft, onDraft, locked }: Of<"order">) {
  const order = listOf(draft, "order").map(Number);
  const textAt = (index: number): string => form.lines.find((line) => line.index === index)?.text ?? "";
  const put = (next: readonly number[]): void => onDraft(next.length === 0 ? null : { order: next });
  const move = (at: number, by: -1 | 1): void => {
    const next = [...order];
    const [item] = next.splice(at, 1);
    if (item !== undefined) next.splice(at + by, 0, item);
    put(next);
  };
  const left = form.lines.filter((line) => !order.includes(line.index));
  return (
    <div className={styles.rows}>
      <ol className={styles.items} aria-label="Your order">
        {order.map((index, at) => (
          <li key={index}>
            <code>{textAt(index)}</code>
            <span className={styles.tools}>
              <Button variant="quiet" aria-label={`Up: ${textAt(index)}`} disabled={locked || at === 0} onClick={() => move(at, -1)}>
                ↑
              </Button>
              <Button
                variant="quiet"
                aria-label={`Down: ${textAt(index)}`}
                disabled={locked || at === order.length - 1}
                onClick={() => move(at, 1)}
              >
                ↓
              </Button>
              <Button
                variant="quiet"
                aria-label={`Take out: ${textAt(index)}`}
                disabled={locked}
                onClick={() => put(order.filter((other) => other !== index))}
              >
                Out
              </Button>
            </span>
          </li>
        ))}
      </ol>
      {order.length === 0 ? <p className="muted">Nothing is in order yet. Some lines may not belong.</p> : null}
      <ul className={styles.items} aria-label="Lines to choose from">
        {left.map(({ index, text }) => (
          <li key={index}>
            <code>{text}</code>
            <Button variant="quiet" aria-label={`Put in: ${text}`} disabled={locked} onClick={() => put([...order, index])}>
              In
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
