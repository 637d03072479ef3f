/** Forms in which an answer grows: the moves of an algorithm, lines put in order. */

import { useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "../../../../app/ui/button.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import type { Form } from "../../engine/forms.ts";
import type { MadeMove } from "../../engine/kinds/simulate.ts";
import styles from "../lab.module.css";
import type { LabSession } from "../lab-session.ts";
import { useLab } from "../use-lab.ts";
import { workOf } from "../work.ts";
import { Line } from "./fields.tsx";
import { type FormProps, listOf, placed, textsOf } from "./form.ts";

type Of<K extends Form["kind"]> = FormProps<Extract<Form, { readonly kind: K }>>;

export function MovesForm({ form, draft, onDraft, labs, task, locked }: Of<"moves">) {
  const moves = textsOf(draft, "moves");
  const [move, setMove] = useState("");
  const { seen, fresh } = useJudged(labs, task, moves);
  const quiet = form.mode === "at-end";
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
      {moves.length === 0 ? null : <Moves moves={moves} judged={quiet ? [] : (seen?.made ?? [])} />}
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

function Moves({ moves, judged }: { readonly moves: readonly string[]; readonly judged: readonly MadeMove[] }) {
  return (
    <ol className={styles.moves} aria-label="Moves so far">
      {placed(moves).map(({ item: text, place }) => {
        const was = judged[place];
        const wrong = was?.move === text && was.problem !== null;
        return (
          <li key={place} data-wrong={wrong || undefined}>
            <code>{text}</code>
            {wrong ? <span>{was.instead === null ? " taken back" : ` instead: ${was.instead}`}</span> : null}
          </li>
        );
      })}
    </ol>
  );
}

interface Judged {
  readonly key: string;
  readonly made: readonly MadeMove[];
  readonly done: boolean;
}

/** The result of the moves. `seen`: the last one that is known; `fresh`: that of exactly these moves. */
function useJudged(labs: LabSession, task: string, moves: readonly string[]) {
  const seed = useLab((s) => s.seed);
  const variant = useLab((s) => workOf(s.work, task).variant);
  const [seen, setSeen] = useState<Judged | null>(null);
  const key = JSON.stringify([seed, variant, moves]);
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
  return { seen, fresh: seen?.key === key ? seen : null };
}

export function OrderForm({ form, draft, onDraft, locked }: Of<"order">) {
  const order = listOf(draft, "order").map(Number);
  const { root, focusNext } = useNextFocus();
  const put = (order: readonly number[], ...focus: readonly string[]): void => {
    focusNext(focus);
    onDraft(order.length === 0 ? null : { order });
  };
  const move = (at: number, by: -1 | 1): void => {
    const moved = [...order];
    const [item] = moved.splice(at, 1);
    if (item === undefined) return;
    moved.splice(at + by, 0, item);
    put(moved, `${by < 0 ? "up" : "down"} ${item}`);
  };
  const remove = (index: number, at: number): void => {
    const rest = order.filter((other) => other !== index);
    put(rest, `out ${rest[at] ?? rest.at(-1)}`, `in ${index}`);
  };
  const left = form.lines.filter((line) => !order.includes(line.index));
  return (
    <Stack ref={root} gap={2}>
      <Stack as="ol" gap="hair" className={styles.items} aria-label="Your order">
        {order.map((index, at) => {
          const line = form.lines.find((one) => one.index === index) ?? { index, text: "" };
          return (
            <li key={index}>
              <code>{line.text}</code>
              <Row as="span" gap="hair">
                <OrderButton does="up" line={line} disabled={locked || at === 0} onClick={() => move(at, -1)} />
                <OrderButton does="down" line={line} disabled={locked || at === order.length - 1} onClick={() => move(at, 1)} />
                <OrderButton does="out" line={line} disabled={locked} onClick={() => remove(index, at)} />
              </Row>
            </li>
          );
        })}
      </Stack>
      {order.length === 0 ? <p className="muted">Nothing is in order yet. Some lines may not belong here.</p> : null}
      <Stack as="ul" gap="hair" className={styles.items} aria-label="Lines to choose from">
        {left.map((line, at) => (
          <li key={line.index}>
            <code>{line.text}</code>
            <OrderButton
              does="in"
              line={line}
              disabled={locked}
              onClick={() => put([...order, line.index], `in ${(left[at + 1] ?? left[at - 1])?.index}`, `out ${line.index}`)}
            />
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

const ORDER_BUTTONS = {
  up: { sign: "↑", label: "Up" },
  down: { sign: "↓", label: "Down" },
  out: { sign: "Out", label: "Remove" },
  in: { sign: "In", label: "Insert" },
};

interface OrderButtonProps extends ButtonProps {
  readonly does: keyof typeof ORDER_BUTTONS;
  readonly line: { readonly index: number; readonly text: string };
}

function OrderButton({ does, line: { index, text }, ...rest }: OrderButtonProps) {
  const { sign, label } = ORDER_BUTTONS[does];
  return (
    <Button variant="quiet" data-order={`${does} ${index}`} aria-label={`${label}: ${text}`} {...rest}>
      {sign}
    </Button>
  );
}

/** After a press the first of these buttons that is there gets the focus: the one that was pressed may be gone. */
function useNextFocus() {
  const root = useRef<HTMLDivElement>(null);
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
  const focusNext = (names: readonly string[]): void => {
    next.current = names;
  };
  return { root, focusNext };
}
