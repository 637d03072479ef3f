/** What a user's pass is called. */

export const OWN_FAMILY = "own";

/** The id of a user's pass, from its name. */
export const ownId = (name: string): string =>
  `own-${
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|(?<!-)-+$/g, "") || "pass"
  }`;

/** Of a user's pass: no phase of ours is called so. */
export const isOwnId = (id: string): boolean => id.startsWith(`${OWN_FAMILY}-`);
