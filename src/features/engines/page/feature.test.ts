import { it } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { createSession } from "../../../app/session/session.ts";
import { openLinkData } from "../../../app/share/open-link.ts";
import { createFakeEngine } from "../../../app/testing/fake-engine.ts";
import { until } from "../../../app/testing/until.ts";
import { EMPTY_LINK } from "../../../links/link-data.ts";
import { ENGINES } from "./feature.ts";

it("a link says when the result is not the one it was made of", async () => {
  const session = createSession(localPort(createFakeEngine), { features: [ENGINES] });
  const source = ".kernel k(n: R0)\nA:\n    MOV R1, 0\n    EXIT\n";
  await openLinkData(session, { ...EMPTY_LINK, source, engine: "0.0.0", digest: "other" }, { origin: "link" });
  await until(session, (s) => s.notices[0]?.text.includes("differs") === true);
  session.dispose();
});
