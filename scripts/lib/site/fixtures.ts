/** The fixtures of a family, and links that open them as written: the phase alone, with the fixture's options. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeLink } from "../../../src/links/link-codec.ts";
import { EMPTY_LINK } from "../../../src/links/link-data.ts";
import { root } from "../root.mjs";

export interface FixtureFile {
  readonly file: string;
  readonly source: string;
  /** The values of a directive in its leading comments. */
  readonly said: (key: string) => string[];
}

export function fixturesOf(family: string): readonly FixtureFile[] {
  const folder = join(root, "src", "engine", "passes", family, "fixtures");
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".ori")) : [];
  return files.sort().map((file) => {
    const source = readFileSync(join(folder, file), "utf8");
    const said = (key: string): string[] =>
      [...source.matchAll(new RegExp(`^// ${key}: *(\\S.*?) *$`, "gm"))].map(([, value = ""]) => value);
    return { file, source, said };
  });
}

/** The part of the page's address after `#`. */
export function linkOfFixture({ file, source, said }: FixtureFile): Promise<string> {
  const [phase = ""] = said("phase");
  const before = said("before").flatMap((list) => list.split(",").map((id) => id.trim()));
  return encodeLink({
    ...EMPTY_LINK,
    source,
    title: file,
    phases: [...before, phase],
    knobs: said("knob"),
    noPhases: said("no-phase"),
    policy: said("policy")[0] === "measured" ? "measured" : "notes",
    target: said("target")[0] ?? null,
    level: Number(said("level")[0] ?? EMPTY_LINK.level),
    phase,
    step: -1,
  });
}
