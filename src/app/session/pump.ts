/** One request at a time, for what was wanted last: a request while one is running leads to exactly one more. */

export interface Pump {
  /** Requests the work (again). */
  request(): void;
  /** Forgets the running request: its end is ignored and the next request starts immediately. */
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
