import { describe, expect, it } from "vitest";
import { embedFragment, readEmbed } from "./embed-fragment.ts";
import { fromFrame, toFrame } from "./messages.ts";

describe("the address of an embedded frame", () => {
  it.each([
    ["v1.abc", {}],
    ["", {}],
    ["v1.abc", { theme: "dark", toolbar: "none", origin: "https://blog.example:8080" }],
  ] as const)("comes back as it went: %s %j", (link, options) => {
    expect(readEmbed(`#${embedFragment(link, options)}`)).toEqual({
      link,
      options: { theme: null, toolbar: "step", origin: null, ...options },
    });
  });

  it("is the old one where nothing is said", () => {
    expect(embedFragment("v1.abc")).toBe("embed/v1.abc");
    expect(readEmbed("embed")).toMatchObject({ link: "" });
    expect(readEmbed("v1.embed")).toBeNull();
    expect(readEmbed("embedded/v1.a")).toBeNull();
  });

  it.each(["*", "null", "javascript:alert(1)", "https://a.example/path", "https://*"])("takes %s for no origin", (origin) => {
    expect(readEmbed(`embed?origin=${encodeURIComponent(origin)}/v1.a`)?.options.origin).toBeNull();
  });
});

it.each([
  null,
  1,
  "x",
  {},
  { oriscope: 2, type: "step", direction: 1 },
  { oriscope: 1, type: "step", direction: 5 },
  { oriscope: 1, type: "theme", theme: "red" },
])("a message of another sort is not heard: %j", (value) => {
  expect(toFrame(value)).toBeNull();
  expect(fromFrame(value)).toBeNull();
});
