/** The gallery: all examples, with a search whose Enter opens the first one found. */

import { useEffect, useMemo, useState } from "react";
import { absentPass } from "../names/absent-passes.ts";
import { phaseName } from "../names/phases.ts";
import { type ExampleProgram, examplesOf, openExample } from "../session/example.ts";
import type { GalleryGroup } from "../session/feature.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import type { Session } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { messageOf } from "../ui/failure.ts";
import { TextField } from "../ui/field.tsx";
import { Row, Stack } from "../ui/layout.tsx";
import { Select } from "../ui/select.tsx";
import type { PhaseExample } from "./by-phase.ts";
import { LEVEL_TITLES, LEVELS, type Level, levelOf } from "./example.ts";
import styles from "./gallery.module.css";
import { searchExamples, wordsOf } from "./search.ts";
import { ShapePicture } from "./shape-picture.tsx";

export function Gallery() {
  const session = useSessionObject();
  const open = useSession((s) => s.view.dialog === "examples");
  return (
    <Dialog open={open} onClose={() => session.actions.view.set({ dialog: null })} title="Examples" wide>
      <GalleryBody />
    </Dialog>
  );
}

interface Fetched {
  readonly byPhase: readonly PhaseExample[];
  readonly others: readonly GalleryGroup[];
}

/** A list that cannot be loaded is empty, and reported. */
async function fetchLists(session: Session): Promise<Fetched> {
  const orNone = <T,>(what: string, list: Promise<readonly T[]>): Promise<readonly T[]> =>
    list.catch((error) => {
      session.actions.notify("error", `${what} could not be loaded: ${messageOf(error)}`);
      return [];
    });
  const [byPhase, ...others] = await Promise.all([
    orNone(
      "The examples by phase",
      import("./by-phase.ts").then((module) => module.PHASE_EXAMPLES),
    ),
    ...session.features.map(({ gallery }) => orNone("A part of the list", Promise.all(gallery === undefined ? [] : [gallery(session)]))),
  ]);
  return { byPhase, others: others.flat() };
}

function GalleryBody() {
  const session = useSessionObject();
  const current = useSession((s) => s.document.example);
  const [query, setQuery] = useState("");
  const [level, setLevel] = useState<Level | null>(null);
  const [fetched, setFetched] = useState<Fetched | null>(null);
  useEffect(() => {
    let shown = true;
    // Some hundred small programs, and what features add: fetched when the gallery opens, not with the page. All are waited for, so that no card moves.
    void fetchLists(session).then((lists) => {
      if (shown) setFetched(lists);
    });
    return () => {
      shown = false;
    };
  }, [session]);
  const words = wordsOf(query);
  const all = useMemo(
    () => [...examplesOf(session), ...(fetched?.byPhase ?? [])].filter((e) => level === null || levelOf(e) === level),
    [session, fetched, level],
  );
  const { examples: found, instead } = useMemo(() => searchExamples(all, query), [all, query]);
  const groups = [...new Set(found.map((e) => e.group))];
  const show = (example: ExampleProgram): void => {
    session.actions.view.set({ dialog: null });
    void openExample(session, example);
  };
  // What a search found is in its order, so that Enter opens the first card.
  const ofExamples = new Set(examplesOf(session).map((e) => e.group));
  // The others are of a phase each.
  const topics = words.length > 0 ? groups : groups.filter((group) => ofExamples.has(group));
  const phases = groups.filter((group) => !topics.includes(group));
  const others = (fetched?.others ?? []).filter((group) => level === null || group.level === level);
  return (
    <>
      <form
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) show(found[0]);
        }}
      >
        <TextField
          label="Search examples"
          hideLabel
          type="search"
          placeholder="Search: loop, switch, common subexpression, barrier …"
          value={query}
          onChange={setQuery}
          autoFocus
        />
        <Select
          label="Level"
          hideLabel
          value={level ?? "all"}
          options={[{ value: "all", title: "All levels" }, ...LEVELS.map((l) => ({ value: l, title: LEVEL_TITLES[l] }))]}
          onChange={(value) => setLevel(LEVELS.find((l) => l === value) ?? null)}
        />
      </form>
      {fetched === null ? <EmptyState title="Loading the list of examples…" /> : null}
      {instead === null ? null : (
        <p role="status">
          No example has “{query.trim()}”. These have “{instead}”.
        </p>
      )}
      {fetched !== null && found.length === 0 ? (
        <EmptyState title={absentPass(query) ?? "No example matches. Try fewer words, or the name of a phase."} />
      ) : null}
      {fetched === null || words.length > 0 ? null : (
        <Row as="nav" wrap gap={1} aria-label="Topics">
          {[...topics, ...others.map(({ title }) => title), ...(phases[0] === undefined ? [] : [EACH_PHASE])].map((topic) => (
            <Button key={topic} onClick={() => bring(topic === EACH_PHASE ? (phases[0] ?? "") : topic)}>
              {topic}
            </Button>
          ))}
        </Row>
      )}
      {fetched === null ? null : (
        <>
          {topics.map((group) => (
            <Group key={group} group={group} examples={found} current={current} onShow={show} />
          ))}
          {others.map((group) => (
            <OtherGroup key={group.title} group={group} words={words} />
          ))}
          {phases.map((group) => (
            <Group key={group} group={group} examples={found} current={current} onShow={show} />
          ))}
        </>
      )}
    </>
  );
}

const EACH_PHASE = "Each phase";

/** Brings a group to the top of the dialog, with the focus on its first card. */
function bring(group: string): void {
  const section = document.querySelector<HTMLElement>(`[role="dialog"] section[aria-label="${CSS.escape(group)}"]`);
  section?.querySelector("button")?.focus({ preventScroll: true });
  section?.scrollIntoView({ block: "start" });
}

interface GroupProps {
  readonly group: string;
  readonly examples: readonly ExampleProgram[];
  readonly current: string | null;
  readonly onShow: (example: ExampleProgram) => void;
}

function Group({ group, examples, current, onShow }: GroupProps) {
  return (
    <Stack as="section" gap={2} className={styles.group} aria-label={group}>
      <h3>
        {phaseName(group)?.plain ?? group}
        {phaseName(group) === null ? null : <span className="muted"> {group}</span>}
      </h3>
      <ul className={styles.list}>
        {examples
          .filter((e) => e.group === group)
          .map((example) => (
            <li key={example.id}>
              <button
                type="button"
                className={cx(styles.card, example.id === current && styles.current)}
                data-example={example.id}
                onClick={() => onShow(example)}
              >
                <span className="strong">{example.title}</span>
                <ShapePicture example={example} />
                <span>{example.about}</span>
                <span className="muted">{example.look}</span>
              </button>
            </li>
          ))}
      </ul>
    </Stack>
  );
}

function OtherGroup({ group, words }: { readonly group: GalleryGroup; readonly words: readonly string[] }) {
  const cards = group.cards.filter(({ found }) => words.every((word) => found.toLowerCase().includes(word)));
  if (cards.length === 0) return null;
  return (
    <Stack as="section" gap={2} className={styles.group} aria-label={group.title}>
      <h3>
        {group.title} <span className="muted">{group.about}</span>
      </h3>
      <ul className={styles.list}>
        {cards.map(({ id, title, about, more, open }) => (
          <li key={id}>
            <button type="button" className={styles.card} data-other-card={id} onClick={open}>
              <span className="strong">{title}</span>
              <span>{about}</span>
              <span className="muted">{more}</span>
            </button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
