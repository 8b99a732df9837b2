// The page itself: its headers, its languages, widths and colours.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { begin, explore, fits, isAccessible, launch, picture, visit } from "./harness.js";

let service, browser;
before(async () => {
  [service, browser] = await Promise.all([explore(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

test("the policy allows the page's own files alone", async () => {
  const response = await fetch(service.url);
  assert.match(response.headers.get("content-security-policy"), /^default-src 'none'/);
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.equal(response.headers.get("cache-control"), "no-cache");
});

test("the first view is there within a second", async () => {
  const { page, close } = await visit(browser, service.url);
  await page.locator(".game").first().waitFor();
  const [shown, files, bytes] = await page.evaluate(() => {
    const loaded = performance.getEntriesByType("resource").filter(({ initiatorType }) => initiatorType !== "fetch");
    const [page] = performance.getEntriesByType("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return [paint.startTime, loaded.length, [page, ...loaded].reduce((sum, { transferSize }) => sum + transferSize, 0)];
  });
  // The time is only printed, since a busy machine is no laptop; what it depends on is bounded.
  console.log(`first view after ${Math.round(shown)} ms: ${bytes} bytes in ${1 + files} files`);
  assert.ok(files <= 3 && bytes < 200_000, `${bytes} bytes in ${1 + files} files`);
  await close();
});

for (const width of [360, 1440]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`all rooms fit ${width} px and are accessible in the ${colorScheme}`, async () => {
      const { page, close } = await visit(browser, service.url, { width, height: 800, colorScheme });
      for (const [room, ready] of [["play", ".game"], ["analyse", ".ranked"], ["review", ".empty-room"], ["rules", ".entry"]]) {
        await page.goto(`${service.url}#/${room}`);
        await page.locator(ready).first().waitFor();
        await page.waitForTimeout(150);
        await fits(page, `${room} at ${width} px`);
        await isAccessible(page, `${room} at ${width} px`);
        await picture(page, `${room}-${width}-${colorScheme}`);
      }
      await close();
    });

    test(`games of every kind fit ${width} px and are accessible in the ${colorScheme}`, async () => {
      const { page, close } = await visit(browser, service.url, { width, height: 800, colorScheme });
      for (const ruleset of ["dice-poker-15", "yamb", "poquer-tradicional", "dice-poker-witcher"]) {
        await begin(page, ruleset);
        await page.getByRole("button", { name: "Hints" }).click();
        await page.locator(".felt .throw").click();
        // The first hint of a large sheet takes a while.
        await page.locator(".hints .ranked").first().waitFor({ timeout: 120_000 });
        await fits(page, `${ruleset} at ${width} px`);
        await isAccessible(page, `${ruleset} at ${width} px`);
        await picture(page, `${ruleset}-${width}-${colorScheme}`);
        await page.getByRole("button", { name: "Hints" }).click();
        await page.getByRole("button", { name: "New game" }).click();
      }
      await close();
    });
  }
}

for (const [language, tag, word] of [["Português", "pt", "Jogar"], ["Lietuvių", "lt", "Žaisti"]]) {
  test(`the page speaks ${language} and remembers it`, async () => {
    const { page, close } = await visit(browser, service.url, { width: 360, height: 740 });
    await page.getByRole("combobox", { name: "Language" }).selectOption(tag);
    for (const room of ["play", "analyse", "review", "rules"]) {
      await page.goto(`${service.url}#/${room}`);
      await page.reload();
      await page.locator("main h1, main h2").first().waitFor();
      await page.waitForTimeout(300);
      await fits(page, `${room} in ${language}`);
      await picture(page, `${room}-${tag}`);
    }
    assert.equal(await page.locator("html").getAttribute("lang"), tag);
    assert.equal(await page.locator(".rooms a").first().innerText(), word);
    await close();
  });
}

test("a browser that stores nothing has the page all the same", async () => {
  const { page, close } = await visit(browser, service.url);
  await page.addInitScript(() => {
    for (const store of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, store, {
        get() {
          throw new DOMException("forbidden", "SecurityError");
        },
      });
    }
  });
  await page.reload();
  await begin(page, "yahtzee");
  await page.locator(".felt .throw").click();
  await page.locator(".record:not(:disabled)").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length >= 2);
  await close();
});
