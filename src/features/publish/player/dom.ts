/** Making elements. Text only ever becomes text nodes. */

/** One that is undefined is left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(name), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes,
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: readonly (Node | string)[]): E {
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
