/** The engines stored next to the page: its own, and those of earlier releases that links name. */

import * as v from "valibot";
import type { OtherEngine } from "../../../app/session/state.ts";

const listSchema = v.object({
  engines: v.array(
    v.object({
      id: v.string(),
      version: v.string(),
      files: v.pipe(v.array(v.pipe(v.string(), v.regex(/^assets\/[\w.-]+$/))), v.minLength(1)),
    }),
  ),
});

/** What a link contains about the engine that it was made with. */
export interface EngineOfLink {
  readonly engine: string;
  readonly build: string;
}

/**
 * The engine of a link, if it is not `own` and the site has it; null otherwise. A link from before builds were named
 * means the latest engine of its version. Never rejects: without a list there are no others.
 */
export async function engineOfLink({ engine, build }: EngineOfLink, own: EngineOfLink): Promise<OtherEngine | null> {
  if (build === "" ? engine === "" || engine === own.engine : build === own.build) return null;
  try {
    const response = await fetch(new URL("./engines.json", document.baseURI));
    if (!response.ok) return null;
    const list = v.safeParse(listSchema, await response.json());
    return list.success ? chosenEngine(list.output.engines, { engine, build }) : null;
  } catch {
    return null;
  }
}

type Listed = v.InferOutput<typeof listSchema>["engines"];

function chosenEngine(engines: Listed, { engine, build }: EngineOfLink): OtherEngine | null {
  const found = engines.find((one) => (build === "" ? one.version === engine : one.id === build));
  const script = found?.files[0];
  return found === undefined || script === undefined
    ? null
    : { build: found.id, version: found.version, script: new URL(script, document.baseURI).href };
}
