/** The linked skeleton of a red-black tree in typed arrays: rotations, insertion and deletion repair, free list. No keys are compared here. */

/** Changes of links and colours; the observed tree listens. */
export interface RbListener {
  /** Links, colour or key of a node changed. */
  touched(node: number): void;
  rotated(direction: "left" | "right", pivot: number, risen: number): void;
  recolored(why: string, nodes: readonly number[]): void;
}

/** In the key word: bit 31 set is black, clear is red. Source: copy-propagation-and-cse, "Scope push". */
export const BLACK_BIT = 0x8000_0000;
/** Words of 32 bits in a node's bitmap. */
export const LEAF_WORDS = 8;

/** Nodes are pool indices, -1 is not a node (and black). Keys are 31-bit, unsigned. */
export class RbLinks {
  left = new Int32Array(16);
  right = new Int32Array(16);
  parent = new Int32Array(16);
  /** Key in the low 31 bits, colour in bit 31. */
  keyWord = new Uint32Array(16);
  words = new Uint32Array(16 * LEAF_WORDS);
  root = -1;
  /** Nodes in the tree. */
  count = 0;
  /** Head of the free list, chained through the first field of the record. */
  freeHead = -1;
  freeCount = 0;
  /** Nodes ever taken from the pool: in the tree or on the free list. */
  allocated = 0;

  private readonly listener: RbListener | null;

  constructor(listener: RbListener | null) {
    this.listener = listener;
  }

  key(node: number): number {
    return (this.keyWord[node] ?? 0) & 0x7fff_ffff;
  }

  isRed(node: number): boolean {
    return node >= 0 && (this.keyWord[node] ?? 0) < BLACK_BIT;
  }

  leftOf(node: number): number {
    return this.left[node] ?? -1;
  }
  rightOf(node: number): number {
    return this.right[node] ?? -1;
  }
  parentOf(node: number): number {
    return this.parent[node] ?? -1;
  }

  leftmost(node: number): number {
    let at = node;
    while (at >= 0 && this.leftOf(at) >= 0) at = this.leftOf(at);
    return at;
  }

  rightmost(node: number): number {
    let at = node;
    while (at >= 0 && this.rightOf(at) >= 0) at = this.rightOf(at);
    return at;
  }

  /** In-order successor, or -1. */
  following(node: number): number {
    if (this.rightOf(node) >= 0) return this.leftmost(this.rightOf(node));
    let child = node;
    let up = this.parentOf(node);
    while (up >= 0 && child === this.rightOf(up)) {
      child = up;
      up = this.parentOf(up);
    }
    return up;
  }

  /** In-order predecessor, or -1. */
  preceding(node: number): number {
    if (this.leftOf(node) >= 0) return this.rightmost(this.leftOf(node));
    let child = node;
    let up = this.parentOf(node);
    while (up >= 0 && child === this.leftOf(up)) {
      child = up;
      up = this.parentOf(up);
    }
    return up;
  }

  /** Takes a red, zeroed node from the free list or the pool and hangs it under `parent`. Call `repairInsert` next. */
  attach(key: number, parent: number, asLeft: boolean): number {
    let node = this.freeHead;
    if (node >= 0) {
      this.freeHead = this.leftOf(node);
      this.freeCount--;
    } else {
      node = this.allocated++;
      if (node >= this.left.length) this.widen();
    }
    this.left[node] = -1;
    this.right[node] = -1;
    this.parent[node] = parent;
    this.keyWord[node] = key;
    this.words.fill(0, node * LEAF_WORDS, (node + 1) * LEAF_WORDS);
    if (parent < 0) this.root = node;
    else if (asLeft) this.left[parent] = node;
    else this.right[parent] = node;
    this.count++;
    this.listener?.touched(node);
    if (parent >= 0) this.listener?.touched(parent);
    return node;
  }

  /** Restores the colour rules above a fresh red node. */
  repairInsert(fresh: number): void {
    let node = fresh;
    while (this.isRed(this.parentOf(node))) {
      const parent = this.parentOf(node);
      const grand = this.parentOf(parent);
      const parentIsLeft = parent === this.leftOf(grand);
      const uncle = parentIsLeft ? this.rightOf(grand) : this.leftOf(grand);
      if (this.isRed(uncle)) {
        this.paint(parent, false);
        this.paint(uncle, false);
        this.paint(grand, true);
        this.listener?.recolored("red uncle: parent and uncle black, grandparent red", [parent, uncle, grand]);
        node = grand;
        continue;
      }
      if (parentIsLeft) {
        if (node === this.rightOf(parent)) {
          node = parent;
          this.rotateLeft(node);
        }
      } else if (node === this.leftOf(parent)) {
        node = parent;
        this.rotateRight(node);
      }
      this.paint(this.parentOf(node), false);
      this.paint(grand, true);
      this.listener?.recolored("black uncle: parent black, grandparent red", [this.parentOf(node), grand]);
      if (parentIsLeft) this.rotateRight(grand);
      else this.rotateLeft(grand);
    }
    if (this.isRed(this.root)) {
      this.paint(this.root, false);
      this.listener?.recolored("the root is black", [this.root]);
    }
  }

  /** Splices a node out, repairs the colours and puts the node on the free list. Other nodes keep their identity. */
  detach(node: number): void {
    let removedBlack = !this.isRed(node);
    let child: number;
    let childParent: number;
    if (this.leftOf(node) < 0 || this.rightOf(node) < 0) {
      child = this.leftOf(node) < 0 ? this.rightOf(node) : this.leftOf(node);
      childParent = this.parentOf(node);
      this.replaceChild(node, child);
    } else {
      const heir = this.leftmost(this.rightOf(node));
      removedBlack = !this.isRed(heir);
      child = this.rightOf(heir);
      if (this.parentOf(heir) === node) {
        childParent = heir;
      } else {
        childParent = this.parentOf(heir);
        this.replaceChild(heir, child);
        this.hang(this.rightOf(node), heir, false);
      }
      this.replaceChild(node, heir);
      this.hang(this.leftOf(node), heir, true);
      this.paint(heir, this.isRed(node));
    }
    this.count--;
    this.left[node] = this.freeHead;
    this.right[node] = -1;
    this.parent[node] = -1;
    this.freeHead = node;
    this.freeCount++;
    this.listener?.touched(node);
    if (removedBlack) this.repairDelete(child, childParent);
  }

  /** Gives the free nodes back to the pool; only an empty tree can. True when it did. */
  releaseFree(): boolean {
    if (this.count > 0) return false;
    this.freeHead = -1;
    this.freeCount = 0;
    this.allocated = 0;
    return true;
  }

  private repairDelete(start: number, startParent: number): void {
    let node = start;
    let parent = startParent;
    while (parent >= 0 && !this.isRed(node)) {
      const onLeft = node === this.leftOf(parent);
      let sibling = onLeft ? this.rightOf(parent) : this.leftOf(parent);
      if (this.isRed(sibling)) {
        this.paint(sibling, false);
        this.paint(parent, true);
        this.listener?.recolored("red sibling: sibling black, parent red", [sibling, parent]);
        if (onLeft) this.rotateLeft(parent);
        else this.rotateRight(parent);
        sibling = onLeft ? this.rightOf(parent) : this.leftOf(parent);
      }
      const near = onLeft ? this.leftOf(sibling) : this.rightOf(sibling);
      const far = onLeft ? this.rightOf(sibling) : this.leftOf(sibling);
      if (!this.isRed(near) && !this.isRed(far)) {
        this.paint(sibling, true);
        this.listener?.recolored("black sibling with black children: sibling red", [sibling]);
        node = parent;
        parent = this.parentOf(node);
        continue;
      }
      if (!this.isRed(far)) {
        this.paint(near, false);
        this.paint(sibling, true);
        this.listener?.recolored("near nephew red: nephew black, sibling red", [near, sibling]);
        if (onLeft) this.rotateRight(sibling);
        else this.rotateLeft(sibling);
        sibling = near;
      }
      const outer = onLeft ? this.rightOf(sibling) : this.leftOf(sibling);
      this.paint(sibling, this.isRed(parent));
      this.paint(parent, false);
      this.paint(outer, false);
      this.listener?.recolored("far nephew red: sibling takes the parent's colour, parent and nephew black", [sibling, parent, outer]);
      if (onLeft) this.rotateLeft(parent);
      else this.rotateRight(parent);
      return;
    }
    if (this.isRed(node)) {
      this.paint(node, false);
      this.listener?.recolored("a red child takes the missing black", [node]);
    }
  }

  private rotateLeft(pivot: number): void {
    const risen = this.rightOf(pivot);
    this.hang(this.leftOf(risen), pivot, false);
    this.replaceChild(pivot, risen);
    this.hang(pivot, risen, true);
    this.listener?.rotated("left", pivot, risen);
  }

  private rotateRight(pivot: number): void {
    const risen = this.leftOf(pivot);
    this.hang(this.rightOf(risen), pivot, true);
    this.replaceChild(pivot, risen);
    this.hang(pivot, risen, false);
    this.listener?.rotated("right", pivot, risen);
  }

  /** `child` (or nothing) becomes a child of `parent`. */
  private hang(child: number, parent: number, asLeft: boolean): void {
    if (asLeft) this.left[parent] = child;
    else this.right[parent] = child;
    if (child >= 0) this.parent[child] = parent;
    if (this.listener === null) return;
    this.listener.touched(parent);
    if (child >= 0) this.listener.touched(child);
  }

  /** `by` (or nothing) takes the place of `node` under its parent; the links of `node` itself stay. */
  private replaceChild(node: number, by: number): void {
    const parent = this.parentOf(node);
    if (parent >= 0) {
      this.hang(by, parent, node === this.leftOf(parent));
      return;
    }
    this.root = by;
    if (by < 0) return;
    this.parent[by] = -1;
    this.listener?.touched(by);
  }

  private paint(node: number, red: boolean): void {
    const key = this.key(node);
    this.keyWord[node] = red ? key : key | BLACK_BIT;
    this.listener?.touched(node);
  }

  private widen(): void {
    const length = this.left.length * 2;
    const wide = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(length);
      to.set(from);
      return to;
    };
    this.left = wide(this.left);
    this.right = wide(this.right);
    this.parent = wide(this.parent);
    const keyWord = new Uint32Array(length);
    keyWord.set(this.keyWord);
    this.keyWord = keyWord;
    const words = new Uint32Array(length * LEAF_WORDS);
    words.set(this.words);
    this.words = words;
  }
}
