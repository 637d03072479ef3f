/** The MCP server on standard input and output. It listens on no port and reads no file. */

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ENGINE_VERSION } from "../../../engine/api/version.ts";
import { addTools } from "./tools.ts";

/** Serves until the other end closes its side. */
export async function serveMcp(): Promise<void> {
  const server = new McpServer({ name: "oriscope", version: ENGINE_VERSION });
  addTools(server);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once("end", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
}
