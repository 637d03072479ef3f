/** What the page sends the engine about the text: whole texts, and edits of the previous text. */
import type { Page } from "@playwright/test";

interface Told {
  /** The text as the engine has it. */
  text: string;
  edits: number;
  /** Characters of all edits. */
  characters: number;
}

/** Call it before the page is opened. */
export async function noteTexts(page: Page): Promise<() => Promise<Told>> {
  await page.addInitScript(() => {
    interface Call {
      readonly path?: readonly string[];
      readonly argumentList?: readonly { readonly value: unknown }[];
    }
    interface Edit {
      readonly length: number;
      readonly from: number;
      readonly to: number;
      readonly text: string;
    }
    const told: Told = { text: "", edits: 0, characters: 0 };
    Object.assign(window, { told });
    const send = Reflect.get(Worker.prototype, "postMessage") as (...args: unknown[]) => void;
    Worker.prototype.postMessage = function postMessage(this: Worker, ...args: unknown[]) {
      const { path: [method] = [], argumentList = [] } = (args[0] ?? {}) as Call;
      const given = argumentList[1]?.value;
      if (method === "open" || method === "openFirst") told.text = given as string;
      if (method === "openEdited") {
        const { length, from, to, text } = given as Edit;
        if (told.text.length !== length) throw new Error(`an edit of ${length} characters, where the engine has ${told.text.length}`);
        told.text = told.text.slice(0, from) + text + told.text.slice(to);
        told.edits++;
        told.characters += text.length;
      }
      Reflect.apply(send, this, args);
    };
  });
  return () => page.evaluate(() => ({ ...(window as unknown as { readonly told: Told }).told }));
}
