import { expect, it } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { createSession } from "../../../app/session/session.ts";
import { createFakeEngine } from "../../../app/testing/fake-engine.ts";
import { readListing } from "./listing.ts";
import { SASS_PAGE } from "./page.ts";

it("a listing that cannot be read is reported, and the one before stays", async () => {
  const session = createSession(localPort(createFakeEngine), { features: [SASS_PAGE] });
  const { store } = session;
  await readListing(session, { name: "a.sass", since: 0 }, () => Promise.resolve("A"));
  await readListing(session, { name: "folder", since: 0 }, () => Promise.reject(new DOMException("It is a folder.", "NotReadableError")));
  expect(store.getState().align.listing).toMatchObject({ name: "a.sass", text: "A" });
  expect(store.getState().notices.map(({ text }) => text)).toEqual(["folder could not be read: It is a folder."]);
});
