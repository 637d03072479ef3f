/** What people type for a command whose title says it otherwise. */

const ALSO: Readonly<Record<string, string>> = {
  "file.examples": "gallery, samples, programs, kernels, demo",
  "file.new": "paste, empty, blank",
  "file.save": "save, store, write",
  "file.copy-link": "share, url, address",
  "file.embed": "iframe, share, slides",
  "export.html-phase": "print, paper, pdf, save page, handout",
  "export.html-pipeline": "print, paper, pdf, save page, handout",
  "export.dot": "graphviz, picture, image",
  "export.mermaid": "picture, diagram, image",
  "view.diff": "diff, difference, changes, compare texts",
  "breakpoints.clear": "delete breakpoints",
  "future.remove": "delete the future",
  "future.clear": "delete futures, clean up",
  "future.leave-out": "leave out, disable, omit",
  "future.insert": "repeat, run again",
  "pass.close": "delete the pass",
  "pass.write": "own pass, plug-in, custom optimization, script",
  "lab.ask": "question, quiz, exercise, task, exam, predict",
  "lab.write": "question, quiz, exercise, course, homework, assignment",
  "policy.notes": "policy, as documented, rules of the reference",
  "policy.measured": "policy, as measured, ptxas 13",
  "run.again": "rerun, refresh, start again",
  "run.check": "prove, correctness, equivalence, verify meaning",
  "help.tour": "tutorial, introduction, help, getting started",
  "help.handbook": "help, documentation, manual, glossary",
  "overlay.dominators": "dominator tree, idom",
};

export const wordsFor = (command: string): string => ALSO[command] ?? "";

/** Commands that have words of this list, for its test. */
export const NAMED: readonly string[] = Object.keys(ALSO);
