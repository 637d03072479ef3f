/** What a pass of one's own is called. */

export const OWN_FAMILY = "own";

/** The id of a pass of one's own, from its name. */
export const ownId = (name: string): string =>
  `own-${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|(?<!-)-+$/g, "") || "pass"
  }`;

/** Of a pass of one's own: no phase of ours is called so. */
export const isOwnId = (id: string): boolean => id.startsWith(`${OWN_FAMILY}-`);
