/** Where importers put the address windows: the numbers the interpreter uses (a test keeps them equal). */

/** Generic address of local memory's first byte. Shared memory's is 0, so that `cvta.shared` is a move. */
export const LOCAL_WINDOW = 0x0100_0000;
