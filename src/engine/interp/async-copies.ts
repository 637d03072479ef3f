/** Copies to shared memory that threads have begun and not waited for, in groups, thread by thread. */

type Copy = () => void;

interface Queue {
  /** Begun since the last group was closed. */
  begun: Copy[];
  /** Oldest first. */
  groups: Copy[][];
}

export class AsyncCopies {
  private readonly queues = new Map<number, Queue>();

  begin(thread: number, copy: Copy): void {
    let queue = this.queues.get(thread);
    if (queue === undefined) {
      queue = { begun: [], groups: [] };
      this.queues.set(thread, queue);
    }
    queue.begun.push(copy);
  }

  /** A group of no copies counts, too. */
  close(thread: number): void {
    const queue = this.queues.get(thread);
    if (queue === undefined) this.queues.set(thread, { begun: [], groups: [[]] });
    else {
      queue.groups.push(queue.begun);
      queue.begun = [];
    }
  }

  /** Carries out the oldest groups until no more than `open` are left. */
  wait(thread: number, open: number): void {
    const queue = this.queues.get(thread);
    if (queue === undefined || queue.groups.length <= open) return;
    const done = queue.groups.splice(0, queue.groups.length - open);
    for (const group of done) for (const copy of group) copy();
  }
}
