/** The gallery: all examples, with a search whose Enter opens the first one found. */

import { useEffect, useMemo, useState } from "react";
import { absentPass } from "../../../app/names/absent-passes.ts";
import { phaseName } from "../../../app/names/phases.ts";
import { type ExampleProgram, examplesOf, openExample } from "../../../app/session/example.ts";
import type { GalleryCard, GalleryGroup } from "../../../app/session/feature.ts";
import { useSession, useSessionObject } from "../../../app/session/hooks.ts";
import type { Session } from "../../../app/session/session.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Dialog } from "../../../app/ui/dialog.tsx";
import { EmptyState } from "../../../app/ui/empty-state.tsx";
import { messageOf } from "../../../app/ui/failure.ts";
import { TextField } from "../../../app/ui/field.tsx";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { Select } from "../../../app/ui/select.tsx";
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
  const [query, setQuery] = useState("");
  const [level, setLevel] = useState<Level | null>(null);
  const fetched = useLists();
  const words = wordsOf(query);
  const all = useMemo(
    () => [...examplesOf(session), ...(fetched?.byPhase ?? [])].filter((e) => level === null || levelOf(e) === level),
    [session, fetched, level],
  );
  const { examples: found, instead } = useMemo(() => searchExamples(all, query), [all, query]);
  const examples = groupsOf(found);
  // What a search found is in its order, so that Enter opens the first card. Those of no topic are of a phase each.
  const topicNames = new Set((words.length > 0 ? found : examplesOf(session)).map((e) => e.group));
  const topics = examples.filter(({ name }) => topicNames.has(name));
  const phases = examples.filter(({ name }) => !topicNames.has(name));
  const others = (fetched?.others ?? [])
    .filter((group) => level === null || group.level === level)
    .map((group) => otherGroup(group, words));
  const show = (example: ExampleProgram): void => {
    session.actions.view.set({ dialog: null });
    void openExample(session, example);
  };
  return (
    <>
      <Row
        as="form"
        gap={2}
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) show(found[0]);
        }}
      >
        <TextField
          grow
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
      </Row>
      {fetched === null ? <EmptyState title="Loading the list of examples…" /> : null}
      {instead === null ? null : (
        <p role="status">
          No example has “{query.trim()}”. These have “{instead}”.
        </p>
      )}
      {fetched !== null && found.length === 0 ? (
        <EmptyState title={absentPass(query) ?? "No example matches. Try fewer words, or the name of a phase."} />
      ) : null}
      {fetched === null || words.length > 0 ? null : <Topics groups={[...topics, ...others]} firstOfPhases={phases[0]} />}
      {fetched === null
        ? null
        : [...topics, ...others, ...phases].map((group) => <GroupOfCards key={group.name} group={group} onShow={show} />)}
    </>
  );
}

/** Some hundred small programs, and what features add: fetched when the gallery opens, not with the page. All are waited for, so that no card moves. */
function useLists(): Fetched | null {
  const session = useSessionObject();
  const [fetched, setFetched] = useState<Fetched | null>(null);
  useEffect(() => {
    let shown = true;
    void fetchLists(session).then((lists) => {
      if (shown) setFetched(lists);
    });
    return () => {
      shown = false;
    };
  }, [session]);
  return fetched;
}

interface Group {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly cards: readonly (ExampleProgram | GalleryCard)[];
}

const groupsOf = (examples: readonly ExampleProgram[]): readonly Group[] =>
  [...new Set(examples.map((e) => e.group))].map((name) => {
    const phase = phaseName(name);
    return { name, title: phase?.plain ?? name, about: phase === null ? "" : name, cards: examples.filter((e) => e.group === name) };
  });

const otherGroup = ({ title, about, cards }: GalleryGroup, words: readonly string[]): Group => ({
  name: title,
  title,
  about,
  cards: cards.filter(({ found }) => words.every((word) => found.toLowerCase().includes(word))),
});

/** Brings each group to the top of the dialog, with the focus on its first card. */
function Topics({ groups, firstOfPhases }: { readonly groups: readonly Group[]; readonly firstOfPhases: Group | undefined }) {
  const bring = (name: string): void => {
    const section = document.querySelector<HTMLElement>(`[role="dialog"] section[aria-label="${CSS.escape(name)}"]`);
    section?.querySelector("button")?.focus({ preventScroll: true });
    section?.scrollIntoView({ block: "start" });
  };
  return (
    <Row as="nav" wrap gap={1} aria-label="Topics">
      {groups.map(({ name }) => (
        <Button key={name} onClick={() => bring(name)}>
          {name}
        </Button>
      ))}
      {firstOfPhases === undefined ? null : <Button onClick={() => bring(firstOfPhases.name)}>Each phase</Button>}
    </Row>
  );
}

function GroupOfCards({ group, onShow }: { readonly group: Group; readonly onShow: (example: ExampleProgram) => void }) {
  const current = useSession((s) => s.document.example);
  const { name, title, about, cards } = group;
  if (cards.length === 0) return null;
  return (
    <Stack as="section" gap={2} aria-label={name}>
      <h3 className="quiet">
        {title}
        {about === "" ? null : <span className="muted"> {about}</span>}
      </h3>
      <ul className={styles.list}>
        {cards.map((card) => (
          <li key={card.id}>
            {"open" in card ? (
              <button type="button" className={cx(styles.card, "boxed")} data-other-card={card.id} onClick={card.open}>
                <span className="strong">{card.title}</span>
                <span>{card.about}</span>
                <span className="muted">{card.more}</span>
              </button>
            ) : (
              <button
                type="button"
                className={cx(styles.card, "boxed", card.id === current && "accented")}
                data-example={card.id}
                onClick={() => onShow(card)}
              >
                <span className="strong">{card.title}</span>
                <ShapePicture example={card} />
                <span>{card.about}</span>
                <span className="muted">{card.look}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  );
}
