/** Copies to shared memory that threads have begun and not waited for, in groups, thread by thread. */

type Copy = () => void;

/** Of one thread. A loop may close millions of groups without waiting: a group costs a number. */
interface Queue {
  /** Oldest first. */
  copies: Copy[];
  /** For each closed group, oldest first, how many of `copies` belong to it and to those before it. */
  ends: number[];
}

export class AsyncCopies {
  private readonly queues = new Map<number, Queue>();

  begin(thread: number, copy: Copy): void {
    this.queueOf(thread).copies.push(copy);
  }

  /** A group of no copies counts, too. */
  close(thread: number): void {
    const { copies, ends } = this.queueOf(thread);
    ends.push(copies.length);
  }

  /** Carries out the oldest groups until no more than `open` are left. */
  wait(thread: number, open: number): void {
    const queue = this.queues.get(thread);
    const closed = (queue?.ends.length ?? 0) - open;
    const count = queue?.ends[closed - 1];
    if (queue === undefined || count === undefined) return;
    queue.ends = queue.ends.slice(closed).map((end) => end - count);
    for (const copy of queue.copies.splice(0, count)) copy();
  }

  private queueOf(thread: number): Queue {
    let queue = this.queues.get(thread);
    if (queue === undefined) {
      queue = { copies: [], ends: [] };
      this.queues.set(thread, queue);
    }
    return queue;
  }
}
