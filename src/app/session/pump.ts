/** One request at a time, for what is wanted last: a request while one is under way leads to exactly one more. */

export interface Pump {
  /** Asks for the work to be done (again). */
  request(): void;
  /** Forgets what is under way: its end is ignored and the next request starts at once. */
  reset(): void;
  readonly busy: boolean;
}

/** `work` gets a function that says whether its outcome is still wanted. A rejection is passed to `failed` and ends the round. */
export function createPump(work: (wanted: () => boolean) => Promise<void>, failed: (error: unknown) => void): Pump {
  let token = 0;
  let busy = false;
  let again = false;
  async function loop(mine: number): Promise<void> {
    const wanted = () => mine === token;
    do {
      again = false;
      try {
        await work(wanted);
      } catch (error) {
        if (wanted()) failed(error);
      }
    } while (wanted() && again);
    if (wanted()) busy = false;
  }
  return {
    request() {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      void loop(token);
    },
    reset() {
      token++;
      busy = false;
      again = false;
    },
    get busy() {
      return busy;
    },
  };
}
