import { describe, expect, it } from "vitest";
import { features as needed } from "../../scripts/lib/layers.ts";
import { CORE } from "../app/core.ts";
import { namedRuns } from "../app/session/comparison.ts";
import { localPort } from "../app/session/engine-port.ts";
import { exampleNamed } from "../app/session/example.ts";
import type { Feature } from "../app/session/feature.ts";
import { openHelp } from "../app/session/help.ts";
import { formatsOf } from "../app/session/language.ts";
import { placeNamed } from "../app/session/places.ts";
import { selectEarlier } from "../app/session/provenance.ts";
import { createSession } from "../app/session/session.ts";
import type { RecordOnly } from "../app/session/work-part.ts";
import { openLinkData } from "../app/share/open-link.ts";
import { linkOf, recordOf } from "../app/share/parts.ts";
import { createFakeEngine } from "../app/testing/fake-engine.ts";
import { until } from "../app/testing/until.ts";
import { EMPTY_LINK, LINK_VERSION, type LinkData, restoreLinkData } from "../links/link-data.ts";
import { localEngine } from "../worker/local.ts";
import { FEATURES } from "./page.ts";

const TEXT = `.kernel k(n: R0)
A:
    MOV R1, 0
B:
    IADD R1, R1, 1
    ISETP.GE P0, R1, R0
@P0 BRA C
    BRA B
C:
    EXIT
`;

const LISTS: readonly (readonly [what: string, features: readonly Feature[]])[] = [
  ["no feature", []],
  ["all features", FEATURES],
  ...FEATURES.map(
    ({ id }) =>
      [`all but ${id} and what needs it`, FEATURES.filter((feature) => feature.id !== id && feature.needs?.includes(id) !== true)] as const,
  ),
];

it("need what the layer rules let them import, and cannot be in a list without it", () => {
  for (const { id, needs = [] } of FEATURES) expect(needs, id).toEqual(needed[id]);
  const features = [...CORE, ...FEATURES.filter(({ id }) => id !== "ownpass")];
  expect(() => createSession(localPort(createFakeEngine), { features })).toThrow("labs needs ownpass");
});

it("what a link and a work contain for features that are not there is kept", async () => {
  const data: LinkData = {
    ...EMPTY_LINK,
    source: TEXT,
    pass: { title: "mine", source: "pass", at: null },
    futures: [{ name: "f", parent: 0, pinned: false, interventions: [] }],
  };
  const record: RecordOnly = { aside: [{ title: "closed", source: "older", at: null }], linked: true, second: "B" };
  const session = createSession(localPort(createFakeEngine), { features: CORE });
  expect(await openLinkData(session, data, { origin: "own", whole: record })).toBeNull();
  const { pass, futures } = data;
  expect(linkOf(session, session.store.getState())).toMatchObject({ pass, futures });
  expect(recordOf(session, session.store.getState())).toMatchObject({ ...record, pass, futures });
  // Another program has none of it; undo brings it back.
  session.actions.document.openText({ text: ".kernel other\nA:\n    EXIT\n", title: "other" });
  expect(recordOf(session, session.store.getState())).toMatchObject({ pass: null, futures: [], aside: [] });
  session.actions.document.setText(TEXT);
  expect(recordOf(session, session.store.getState())).toMatchObject({ ...record, pass, futures });
  session.dispose();
});

it.each([
  ["bril", "@main {\n  ret;\n}\n", "This is Bril,"],
  ["sass", "/*0000*/ EXIT ;\n", "This is SASS,"],
] as const)("a text in %s is refused by the name of the language and kept where nothing reads it", async (format, source, said) => {
  const features = [...CORE, ...FEATURES.filter(({ id }) => id !== format)];
  const session = createSession(
    localPort(() => localEngine({}, {})),
    { features },
  );
  expect(formatsOf(session)).not.toContain(format);
  // A text that shows its language, and one of which only the link says it.
  for (const [text, kept] of [
    [source, null],
    ["nothing\n", format],
  ] as const) {
    await openLinkData(session, { ...EMPTY_LINK, source: text, format, title: text }, { origin: "link" });
    await until(session, ({ document: { open, format: read } }) => {
      return read === kept && open?.diagnostics[0]?.message.includes(said) === true;
    });
    const state = session.store.getState();
    expect(linkOf(session, state)).toMatchObject({ source: text, format: kept });
    expect(recordOf(session, state)).toMatchObject({ source: text, format: kept });
  }
  session.actions.document.openText({ text: TEXT, title: "mine", format: null });
  await until(session, ({ position }) => position.moment !== null);
  session.dispose();
});

it("a pane that is brought in sight takes the place of the lab where one is in front; the picture is beside it", () => {
  const { actions, patch, store } = createSession(localPort(createFakeEngine), { features: FEATURES });
  patch("lab", { source: { text: "", title: "a lab", classKey: "", course: null }, front: true });
  actions.view.showPane("graph");
  expect(store.getState().lab.front).toBe(true);
  actions.view.open("why");
  expect(store.getState().lab.front).toBe(false);
});

describe("while the last run is of an earlier program, which is hidden", () => {
  const isOfRun =
    /^(step|phase|export|selection\.focus|view\.rule|graph\.(view|search|svg|png|fit)|lab\.ask|future\.(skip|stop|edit|another|leave|insert|earlier|later|put-in|next))/;
  const wrong = TEXT.replace("IADD", "IADX");

  async function opened() {
    const session = createSession(localPort(localEngine), { features: [...CORE, ...FEATURES] });
    session.actions.document.openText({ text: TEXT, title: "first" });
    session.actions.position.goToPhase("analyze-control-flow", 0);
    await until(session, ({ position, run }) => position.moment?.step === 0 && !run.stale && position.state === "loaded");
    const can = (id: string) => session.command(id)?.enabled(session.store.getState());
    const why = (id: string) => session.command(id)?.otherwise?.(session.store.getState());
    return { session, can, why, state: () => session.store.getState() };
  }

  it("no command acts on that, and each says why", async () => {
    const { session, can, why, state } = await opened();
    expect(["step.into", "future.edit", "export.ori", "selection.focus"].map(can)).toEqual([true, true, true, true]);
    session.actions.document.openText({ text: wrong, title: "second" });
    expect(why("step.into")).toBe("The program has not run yet.");
    await until(session, ({ document: { open, revision } }) => open?.revision === revision && !open.ok);
    expect(session.commands.filter(({ id, enabled }) => isOfRun.test(id) && enabled(state())).map(({ id }) => id)).toEqual([]);
    for (const id of ["step.into", "step.match", "future.edit", "future.skip", "export.ori", "export.html-phase", "selection.focus"])
      expect(why(id), id).toBe("The program has errors. Correct them first.");
    session.actions.document.openText({ text: "", title: "untitled" });
    await until(session, ({ document: { open, revision } }) => open?.revision === revision);
    expect(why("step.into")).toBe("The text contains no kernel. Write one, or open a program.");
    session.actions.document.openText({ text: TEXT, title: "third" });
    await until(session, (s) => !selectEarlier(s) && s.position.trace !== null);
    expect(["step.into", "future.edit", "export.ori"].map(can)).toEqual([true, true, true]);
    session.dispose();
  });

  it("the last result of the program itself can still be stepped through, and left for a future", async () => {
    const { session, can, state } = await opened();
    session.actions.document.setText(wrong);
    await until(session, ({ document: { open } }) => open?.ok === false);
    expect(state().run.stale).toBe(true);
    expect(["step.into", "future.edit", "future.leave-out", "export.ori"].map(can)).toEqual([true, true, true, true]);
    session.dispose();
  });
});

it("runs and examples of several features are joined", () => {
  const brings = (name: string): Feature => ({
    id: name,
    runs: () => [{ name, title: name, pipeline: {}, isShown: false }],
    examples: [
      { id: `example-${name}`, title: name, group: name, format: "ori", phase: null, about: "", look: "", load: async () => TEXT },
    ],
  });
  const session = createSession(localPort(createFakeEngine), { features: [...CORE, brings("a"), brings("b")] });
  expect(namedRuns(session, session.store.getState()).map(({ name }) => name)).toEqual(["a", "b"]);
  expect(exampleNamed(session, "example-b")?.title).toBe("b");
  session.dispose();
});

it.each([
  ["fuel", "fuel"],
  ["align", "align"],
  ["futures", "tree"],
])("the place %s, also of earlier versions, is an experiment of a feature", (name, experiment) => {
  expect(placeNamed(FEATURES, name)?.opens).toEqual({ experiment });
});

it("where no feature explains things, asking for a page opens no dialog", () => {
  for (const [features, dialog] of [
    [CORE, null],
    [[...CORE, ...FEATURES], "handbook"],
  ] as const) {
    const session = createSession(localPort(createFakeEngine), { features });
    openHelp(session, "phase:ori-branch-opt");
    expect(session.store.getState().view.dialog).toBe(dialog);
    session.dispose();
  }
});

describe.each(LISTS)("with %s", (_, list) => {
  it("a program opens, steps, is kept and comes back from its link", async () => {
    const session = createSession(localPort(createFakeEngine), { features: [...CORE, ...list] });
    const { store, actions } = session;
    const shown = () => store.getState().position.moment?.step;
    actions.document.openText({ text: TEXT, title: "mine", format: "ori" });
    await until(session, () => shown() !== undefined);
    actions.position.goToPhase("ori-branch-opt", 3);
    await until(session, () => shown() === 3);

    // Each command can be asked about the state, and none is there twice.
    const states = session.commands.map((command) => [command.id, command.enabled(store.getState()), command.checked?.(store.getState())]);
    expect(new Set(states.map(([id]) => id)).size).toBe(states.length);
    expect(recordOf(session, store.getState())).toMatchObject({ source: TEXT, aside: [], linked: false });

    const link = restoreLinkData(LINK_VERSION, linkOf(session, store.getState()))?.data ?? null;
    if (link === null) throw new Error("it cannot be read");
    const other = createSession(localPort(createFakeEngine), { features: [...CORE, ...list] });
    expect(await openLinkData(other, link, { origin: "link", quiet: true })).toBeNull();
    await until(other, ({ position }) => position.moment?.step === 3);
    expect(linkOf(other, other.store.getState())).toEqual(linkOf(session, store.getState()));
    session.dispose();
    other.dispose();
  });
});
