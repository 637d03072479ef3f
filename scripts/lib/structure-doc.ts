/** Draws the actual dependencies between the engine's folders: what the rule allows is in `layers.ts`. */

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "rolldown/utils";
import { engineRooms, importsOf } from "./layers.ts";
import { root } from "./root.mjs";

/** A Mermaid graph. An arrow that follows from others is left out. */
export function structureGraph(): string {
  const engine = "src/engine";
  const uses = new Map<string, Set<string>>(engineRooms.map((room) => [room, new Set()]));
  for (const path of readdirSync(join(root, engine), { recursive: true, encoding: "utf8" })) {
    const file = `${engine}/${path.replaceAll("\\", "/")}`;
    if (!file.endsWith(".ts") || /\.test\.ts$|\/(testing|fixtures)\//.test(file)) continue;
    for (const { source } of importsOf(parseSync(file, readFileSync(join(root, file), "utf8")).program)) {
      const target = source.startsWith(".") ? posix.join(posix.dirname(file), source) : "";
      const [own, other] = [file, target].map((of) => of.split("/")[2] ?? "");
      if (own !== undefined && other !== undefined && own !== other && uses.has(other)) uses.get(own)?.add(other);
    }
  }
  const reach = new Map<string, Set<string>>();
  for (const room of engineRooms) reach.set(room, new Set([...(uses.get(room) ?? [])].flatMap((to) => [to, ...(reach.get(to) ?? [])])));
  const arrows = engineRooms.flatMap((room) => {
    const direct = [...(uses.get(room) ?? [])];
    const follows = (to: string) => direct.some((other) => other !== to && reach.get(other)?.has(to));
    return engineRooms.filter((to) => direct.includes(to) && !follows(to)).map((to) => `  ${room} --> ${to}`);
  });
  return ["```mermaid", "flowchart BT", ...arrows, "```", ""].join("\n");
}
