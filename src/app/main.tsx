/** Starts the page. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startEngine } from "../worker/client.ts";
import { App } from "./app.tsx";
import { createSession } from "./session/session.ts";
import { keepPreferences } from "./share/preferences.ts";
import { keepSaved, openAtStart, openFragment } from "./share/startup.ts";
import "./ui/tokens.css";
import "./ui/base.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root element");

const session = createSession(startEngine());
keepPreferences(session);
createRoot(root).render(
  <StrictMode>
    <App session={session} />
  </StrictMode>,
);
void openAtStart(session).then(() => keepSaved(session));
window.addEventListener("hashchange", () => {
  if (window.location.hash.length > 1) void openFragment(session, window.location.hash.slice(1));
});
