/** One self-contained HTML file that steps through a trace: from a disk, without a network, without the engine. */

import type { Elk } from "../../../../layout/elk/elk.ts";
import type { TraceDocument } from "../trace-document.ts";
import { PLAYER_HASH, PLAYER_SCRIPT, PLAYER_STYLE } from "./player.generated.ts";
import { playerData } from "./player-data.ts";

/** The file's own policy: its one script, by its hash, and nothing from anywhere. */
const POLICY = `default-src 'none'; script-src '${PLAYER_HASH}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

export async function traceHtml(document: TraceDocument, elk: Elk, changesOnly = false): Promise<string> {
  const data = await playerData(document, elk, changesOnly);
  return `<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(data.generator)}">
<title>${escapeHtml(data.title)}</title>
<style>${PLAYER_STYLE}</style>
</head>
<body>
<noscript>This file steps through a trace, which needs JavaScript.</noscript>
<script type="application/json" id="data">${escapeJson(JSON.stringify(data))}</script>
<script>${PLAYER_SCRIPT}</script>
</body>
</html>
`;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** No text can end the element or open a comment in it: every < is an escape of JSON. */
const escapeJson = (text: string): string =>
  text.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
