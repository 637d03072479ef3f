/** Programs that come with the page: a feature lists them, and any part may open one. */

import type { PipelineOptions, SourceFormat } from "../../engine/api/types.ts";
import { messageOf } from "../ui/failure.ts";
import type { Session } from "./session.ts";
import { USUAL } from "./state.ts";

export interface ExampleProgram {
  readonly id: string;
  readonly title: string;
  /** Its topic. */
  readonly group: string;
  /** What it is. */
  readonly about: string;
  /** What to look at. */
  readonly look: string;
  readonly format: SourceFormat;
  /** Phase to open it at; null: the first that changes it. */
  readonly phase: string | null;
  /** The kernel to open; the default is the first. */
  readonly kernel?: string | undefined;
  /** What it is run with; the default is the open options. */
  readonly options?: Partial<PipelineOptions>;
  readonly load: () => Promise<string>;
}

/** A file by its name. `phase` and `kernel` say where to open it. */
export type ExampleRow = readonly [id: string, title: string, phase: string | null, about: string, look: string, kernel?: string];

type Placed = Pick<ExampleProgram, "id" | "group" | "format" | "load">;

export const exampleOf = ([, title, phase, about, look, kernel]: ExampleRow, placed: Placed): ExampleProgram => ({
  ...placed,
  title,
  about,
  look,
  phase,
  kernel,
});

/** The text of a file among those that `import.meta.glob` found. */
export const fileOf = (files: Record<string, () => Promise<string>>, path: string) => async (): Promise<string> => {
  const load = files[path];
  if (load === undefined) throw new Error(`There is no file ${path}.`);
  return await load();
};

type Page = Pick<Session, "features">;

export const examplesOf = ({ features }: Page): readonly ExampleProgram[] => features.flatMap(({ examples }) => examples ?? []);

/** null: this page has no example of this name. */
export const exampleNamed = ({ features }: Page, id: string): ExampleProgram | null =>
  examplesOf({ features }).find((example) => example.id === id) ?? null;

/** Opens it at its phase. */
export async function openExample({ actions }: Session, example: ExampleProgram): Promise<void> {
  try {
    const text = await example.load();
    const { id, title, format, kernel = null, options, phase } = example;
    const pipeline = options === undefined ? {} : { ...USUAL, ...options };
    actions.document.openText({ text, title, format, example: id, origin: "example", pipeline, kernel });
    if (phase === null) actions.position.goToFirstChange();
    else actions.position.goToPhase(phase, "change");
    actions.view.set({ editorTab: "source" });
  } catch (error) {
    actions.notify("error", `The example could not be loaded: ${messageOf(error)}`);
  }
}
