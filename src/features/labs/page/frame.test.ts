import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { DeskLab } from "../engine/desk.ts";
import { type FramedLab, type FrameWindow, toFrame } from "./frame.ts";
import type { LabState } from "./lab-model.ts";
import { newWork } from "./work.ts";

const HOST = "https://book.example.org";
const LAB = { id: "cfg-1", version: 1, max: 8, tasks: [{ id: "a" }, { id: "b" }] } as unknown as DeskLab;

function framed(search = `?lab-host=${encodeURIComponent(HOST)}`) {
  const sent: { readonly message: Readonly<Record<string, unknown>>; readonly origin: string }[] = [];
  const heard = new Set<(event: MessageEvent<unknown>) => void>();
  const parent = { postMessage: (message: object, origin: string) => void sent.push({ message: { ...message }, origin }) };
  const window: FrameWindow = {
    location: { search },
    parent,
    addEventListener: (_, hear) => void heard.add(hear),
    removeEventListener: (_, hear) => void heard.delete(hear),
  };
  const work = newWork(LAB, "", 0);
  const store = createStore<LabState>()(() => ({ status: "ready", lab: LAB, work }) as unknown as LabState);
  const opened: string[] = [];
  const offered: LabState["course"][] = [];
  const lab: FramedLab = {
    get: store.getState,
    subscribe: store.subscribe,
    handIn: () => "the hand-in",
    setCourse: (course) => void offered.push(course),
    openHandIn: async (text) => {
      opened.push(text);
      if (text === "late") throw new Error("it took longer than 30 s");
      return text === "bad" ? "it is no hand-in" : null;
    },
  };
  const stop = toFrame(lab, window);
  const say = async (data: unknown, origin = HOST, source: unknown = parent): Promise<void> => {
    for (const hear of heard) hear({ data, origin, source } as MessageEvent<unknown>);
    await Promise.resolve();
    await Promise.resolve();
  };
  const click = async (): Promise<void> => {
    offered.at(-1)?.submit?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { sent, heard, opened, offered, store, stop, say, click };
}

describe("a lab in a frame of another page", () => {
  it("tells its size, and after a click how far it is after each change, and only the origin that the address names", async () => {
    const { sent, store, stop, click, offered } = framed();
    store.setState(({ work }) => ({ work: { ...work, name: "Ann", tasks: {} } }));
    expect(sent.map(({ message }) => message.subject ?? message.event)).toEqual(["lti.frameResize"]);
    expect(offered.at(-1)).toMatchObject({ label: `Send to ${HOST}` });
    await click();
    expect(sent.map(({ message }) => message.subject ?? message.event)).toEqual(["lti.frameResize", "progress"]);
    const result = { id: "a", kind: "choice", status: "right", points: 3, max: 4, reason: "", theory: null } as const;
    const task = { draft: null, answer: 1, result, tries: 1, hints: 0, variant: 0, shown: false, at: 1 } as const;
    store.setState(({ work }) => ({ work: { ...work, tasks: { a: task } } }));
    expect(sent.at(-1)?.message).toEqual({
      ...{ type: "oriscope.lab", event: "progress", lab: "cfg-1", version: 1, points: 3, max: 8, answered: 1, tasks: 2 },
      handIn: "the hand-in",
    });
    expect(new Set(sent.map((s) => s.origin))).toEqual(new Set([HOST]));
    const before = sent.length;
    stop();
    store.setState(({ work }) => ({ work: { ...work, tasks: {} } }));
    expect(sent).toHaveLength(before);
  });

  it("opens a hand-in of the page around it after a click, and of nobody else", async () => {
    const { sent, opened, offered, say, click } = framed();
    const open = { type: "oriscope.lab.open", handIn: "work" };
    await say(open, "https://evil.example.org");
    await say(open, HOST, { postMessage: () => undefined });
    await say({ ...open, handIn: 7 });
    await say({ ...open, type: "other" });
    await say("oriscope.lab.open");
    await say(null);
    expect(opened).toEqual([]);
    expect(offered).toHaveLength(1);
    await say(open);
    expect(opened).toEqual([]);
    expect(offered.at(-1)).toMatchObject({ line: `${HOST} brings saved work. It would replace yours.` });
    await click();
    expect(opened).toEqual(["work"]);
    expect(sent.at(-1)?.message).toMatchObject({ event: "opened", message: null });
    await say({ ...open, handIn: "bad" });
    await click();
    expect(sent.at(-1)?.message).toMatchObject({ event: "refused", message: "it is no hand-in" });
    await say({ ...open, handIn: "late" });
    await click();
    expect(sent.at(-1)?.message).toMatchObject({ event: "refused", message: "it took longer than 30 s" });
  });

  it.each(["", "?lab-host=*", "?lab-host=book.example.org", "?lab-host=https://a.example.org/path", "?lab-host=javascript:x"])(
    "says and hears nothing where the address names no origin: %s",
    (search) => {
      const { sent, heard } = framed(search);
      expect([sent.length, heard.size]).toEqual([0, 0]);
    },
  );
});
