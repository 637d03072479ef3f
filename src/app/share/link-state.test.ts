import { describe, expect, it } from "vitest";
import { decodeLink, encodeLink } from "../../links/link-codec.ts";
import { EMPTY_LINK } from "../../links/link-data.ts";
import { localPort } from "../session/engine-port.ts";
import { createSession } from "../session/session.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { until } from "../testing/until.ts";
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

describe("links", () => {
  it("bring another session to the same text, options, place, selection and breakpoints", async () => {
    const first = createSession(localPort(createFakeEngine));
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
    const second = createSession(localPort(createFakeEngine));
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

  it("are reported to features, with the digest of the result, once it is there", async () => {
    const seen: unknown[] = [];
    const session = createSession(localPort(createFakeEngine), {
      features: [{ id: "made-up", linkOpened: (_, { digest }, now) => seen.push([digest, now]) }],
    });
    await openLinkData(session, { ...EMPTY_LINK, source: TEXT, digest: "other" }, { origin: "link" });
    await until(session, () => seen.length > 0);
    expect(seen).toEqual([["other", session.store.getState().run.result?.digest]]);
  });
});
