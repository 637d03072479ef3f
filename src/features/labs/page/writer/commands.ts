/** Commands for authors of labs. */

import { type Command, onShown } from "../../../../app/session/command.ts";
import type { Session } from "../../../../app/session/session.ts";
import { messageOf } from "../../../../app/ui/failure.ts";
import { draftIn } from "../state.ts";
import { draftOf, setDraft, undoDraft } from "./draft.ts";

export const LAB_COMMANDS: readonly Command[] = [
  {
    id: "lab.write",
    title: "Write a lab",
    found: "question, quiz, exercise, course, homework, assignment",
    menu: "file",
    keys: [],
    enabled: (s) => !s.view.embed,
    run: (session) => session.actions.view.set({ dialog: "lab-writer" }),
  },
  {
    id: "lab.undo",
    title: "Bring the lab back that was put aside",
    menu: null,
    keys: [],
    enabled: (s) => (draftIn(s.lab)?.former ?? null) !== null,
    otherwise: () => "No lab was put aside.",
    run: (session) => {
      undoDraft(session);
      session.actions.view.set({ dialog: "lab-writer" });
    },
  },
  onShown({
    id: "lab.ask",
    title: "Ask about this step",
    found: "question, quiz, exercise, task, exam, predict",
    menu: "step",
    separated: true,
    keys: [],
    // An open question would be asked in its own words.
    enabled: (s) => s.run.result !== null && s.position.moment !== null && s.position.run >= 0 && s.engine.veil === null && !s.view.embed,
    run: (session) => void ask(session),
  }),
];

async function ask(session: Session): Promise<void> {
  const { store, api, actions } = session;
  const { document, options, position, run } = store.getState();
  const phase = run.result?.phases[position.run];
  const { good } = document;
  if (phase === undefined || good === null) return;
  const first = good.kernels[0]?.name;
  if (run.result?.kernel !== first) {
    actions.notify("warning", `A lab’s program may have only one kernel: remove all but ${first ?? "one"} from the text.`);
    return;
  }
  try {
    // What writes labs comes when it is wanted.
    const { cannotAsk, withQuestion } = await import("./ask.ts");
    const { step } = position;
    const [event = null] = step < 0 ? [] : await api.events(position.run, step, 1);
    const asked = { text: document.text, format: good.format, phase, step, event, options: options.pipeline };
    const problem = cannotAsk(asked);
    if (problem !== null) {
      actions.notify("warning", `No question can be made from this step: ${problem}.`);
      return;
    }
    const draft = await draftOf(session);
    setDraft(session, withQuestion(draft.text, asked));
    actions.view.set({ dialog: "lab-writer" });
  } catch (error) {
    actions.notify("error", `The question could not be created: ${messageOf(error)}`);
  }
}
