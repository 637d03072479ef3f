/** A sanitised tree of elements as React's: nothing of the file becomes markup by itself. */

import type { ElementContent, Root } from "hast";
import { createElement, Fragment, type ReactNode } from "react";

interface TreeProps {
  readonly tree: Root;
  /** A link of our own was followed: `moment:first/49`, `phase:49`. */
  readonly onLink: (href: string) => void;
}

/** What a lab's text may be made of; pictures would ask other hosts, and are named only. */
const TAGS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li em strong code pre blockquote q table thead tbody tr th td hr br del".split(" "),
);

export function Tree({ tree, onLink }: TreeProps) {
  return <>{tree.children.map((node, index) => toReact(node as ElementContent, index, onLink))}</>;
}

function toReact(node: ElementContent, key: number, onLink: TreeProps["onLink"]): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const children = node.children.map((child, index) => toReact(child, index, onLink));
  if (node.tagName === "a") {
    const href = String(node.properties.href ?? "");
    if (/^https?:|^mailto:/.test(href))
      return (
        <a key={key} href={href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    return /^(?:moment|phase|opcode|knob):/.test(href) ? (
      <button key={key} type="button" className="link-button" onClick={() => onLink(href)}>
        {children}
      </button>
    ) : (
      <Fragment key={key}>{children}</Fragment>
    );
  }
  if (node.tagName === "img") return <em key={key}>{String(node.properties.alt ?? "picture")}</em>;
  if (!TAGS.has(node.tagName)) return <Fragment key={key}>{children}</Fragment>;
  // The pane's own title is the first heading; the text's begin below it.
  const level = /^h([1-6])$/.exec(node.tagName)?.[1];
  const tag = level === undefined ? node.tagName : `h${Math.min(6, Number(level) + 1)}`;
  return createElement(tag, { key }, ...(children.length === 0 ? [] : children));
}
