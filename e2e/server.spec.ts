import { expect, test } from "@playwright/test";

test("the server says what is missing, what files are, and who may show the page in a frame", async ({ request }) => {
  for (const path of ["./", "./icon.svg"]) {
    const response = await request.get(path);
    expect(response.status()).toBe(200);
    expect(response.headers()).toMatchObject({ "x-content-type-options": "nosniff", "content-security-policy": "frame-ancestors *" });
  }
  for (const path of ["./assets/gone-12345678.js", "./gone.html", "./some/where"]) {
    const response = await request.get(path);
    expect(response.status()).toBe(404);
    expect(await response.text()).not.toContain("Oriscope");
  }
});

test("the page works in a sandboxed frame that allows what it needs", async ({ page, baseURL }) => {
  await page.route("**/outer.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<iframe sandbox="allow-scripts allow-same-origin" src="${baseURL}#embed/" width="1000" height="600"></iframe>`,
    }),
  );
  await page.goto("./outer.html");
  const frame = page.frameLocator("iframe");
  await expect(frame.getByTestId("sentence")).not.toBeEmpty();
  await frame.getByRole("button", { name: "Step into", exact: true }).click();
  await expect(frame.getByTestId("sentence")).not.toContainText("Input of");
});
