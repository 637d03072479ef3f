/** The one setting that says whose rules a decision follows where the reference and the measured compiler differ. */

/** `notes`: what the reference describes, with measured numbers where it gives none. `measured`: what ptxas 13.0.88 was seen to do. */
export type Policy = "notes" | "measured";

export const POLICIES: readonly Policy[] = ["notes", "measured"];

export const isPolicy = (text: string): text is Policy => (POLICIES as readonly string[]).includes(text);

/** The policy whose answer is shown next to a decision. */
export const otherPolicy = (policy: Policy): Policy => (policy === "notes" ? "measured" : "notes");

/** `none`: it does not reach that decision. For a whole phase: `same` or `other`, the resulting program, or `unknown`. */
export type OtherVerdict = "yes" | "no" | "none" | "same" | "other" | "unknown";

/** The other policy's decision, as facts of the decision's event: the one form that views read. `answer` says what it does and why. */
export const otherFacts = (other: Policy, verdict: OtherVerdict, answer: string) => ({
  otherPolicy: other,
  otherVerdict: verdict,
  otherAnswer: answer,
});
