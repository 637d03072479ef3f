import { describe, expect, it } from "vitest";
import { decodeLink, encodeLink } from "../../links/link-codec.ts";
import { FEATURES } from "../features.ts";
import { FUTURES } from "../futures/feature.ts";
import { ownPass } from "../ownpass/feature.ts";
import { localPort } from "../session/engine-port.ts";
import { createSession, type Session } from "../session/session.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { openLinkData } from "./open-link.ts";
import { linkOf } from "./parts.ts";

const TEXT = `.kernel k(n: R0)
A:
    MOV R1, 0
B:
    IADD R1, R1, 1
@P0 BRA C
    BRA B
C:
    EXIT
`;

async function until(session: Session, ready: (s: ReturnType<Session["store"]["getState"]>) => boolean): Promise<void> {
  for (let i = 0; i < 400 && !ready(session.store.getState()); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(ready(session.store.getState())).toBe(true);
}

describe("links", () => {
  it("bring another session to the same text, options, place, selection and breakpoints", async () => {
    const first = createSession(localPort(createFakeEngine), { features: FEATURES });
    first.actions.document.openText({ text: TEXT, title: "mine", format: "ori" });
    await until(first, (s) => s.position.moment !== null);
    first.actions.run.setOptions({ level: 2, policy: "measured", knobs: ["a=1"] });
    await until(first, (s) => !s.run.stale && !s.run.running);
    first.actions.position.goToPhase("ori-branch-opt", 3);
    await until(first, (s) => s.position.moment?.step === 3 && s.position.trace?.id === "ori-branch-opt");
    first.actions.selection.select({ kind: "edge", from: 1, to: 3 });
    first.actions.breakpoints.toggle({ kind: "subject", subject: { kind: "block", id: 2 } });
    first.actions.breakpoints.toggle({ kind: "line", line: 4 });
    first.actions.view.arrange("present");
    first.actions.view.set({ editorTab: "moment", centre: "outline" });

    const link = await decodeLink(await encodeLink(linkOf(first, first.store.getState())));
    if (!link.ok) throw new Error(link.message);
    const second = createSession(localPort(createFakeEngine), { features: FEATURES });
    await openLinkData(second, link.data, { origin: "link" });
    await until(second, (s) => s.position.moment?.step === 3 && s.selection.selected !== null && s.breakpoints.list.length === 2);

    const a = first.store.getState();
    const b = second.store.getState();
    expect(b.document).toMatchObject({ text: TEXT, title: "mine", format: null });
    expect(b.options.pipeline).toEqual(a.options.pipeline);
    expect(b.position.trace?.id).toBe("ori-branch-opt");
    expect(b.selection.selected).toEqual(a.selection.selected);
    expect(b.breakpoints.list).toEqual(a.breakpoints.list);
    // The arrangement is temporary: the reader's own stays the preference.
    expect(b.view).toMatchObject({ editorTab: "moment", centre: "outline", preset: "present", ownPreset: "study" });
    expect(b.notices).toEqual([]);
    expect(linkOf(second, b)).toEqual(linkOf(first, a));
  });

  it("bring a pass of one's own along, which is shown and does not run by itself", async () => {
    const refuse = () => Promise.reject(new Error("nothing runs without a press"));
    const first = createSession(localPort(createFakeEngine), { features: [FUTURES, ownPass(refuse)] });
    first.actions.document.openText({ text: TEXT, title: "mine", format: "ori" });
    first.actions.ownpass.open({ source: "export default 1;", title: "mine", place: { side: "after", run: "15" } });
    await until(first, (s) => s.position.moment !== null);
    const link = await decodeLink(await encodeLink(linkOf(first, first.store.getState())));
    if (!link.ok) throw new Error(link.message);
    expect(link.data.pass).toEqual({ title: "mine", source: "export default 1;", at: { side: "after", run: "15" } });

    const second = createSession(localPort(createFakeEngine), { features: [FUTURES, ownPass(refuse)] });
    await openLinkData(second, link.data, { origin: "link" });
    await until(second, (s) => s.position.moment !== null);
    const { ownpass, options, notices } = second.store.getState();
    expect(ownpass).toMatchObject({ source: "export default 1;", place: { side: "after", run: "15" }, linked: true, on: false });
    expect(options.pipeline.own ?? null).toBe(null);
    expect(notices).toEqual([]);
    expect(linkOf(second, second.store.getState()).pass).toEqual(link.data.pass);
    // A link without one, as all older ones, leaves it alone.
    await openLinkData(second, { ...link.data, pass: null }, { origin: "link" });
    expect(second.store.getState().ownpass.source).toBe("export default 1;");
  });

  it("say when the result is not the one the link was made of", async () => {
    const session = createSession(localPort(createFakeEngine), { features: FEATURES });
    session.actions.document.openText({ text: TEXT, title: "mine" });
    await until(session, (s) => s.position.moment !== null);
    const data = { ...linkOf(session, session.store.getState()), engine: "0.0.0", digest: "other" };
    const other = createSession(localPort(createFakeEngine), { features: FEATURES });
    await openLinkData(other, data, { origin: "link" });
    await until(other, (s) => s.notices.length > 0);
    expect(other.store.getState().notices[0]?.text).toContain("differs");
  });
});
