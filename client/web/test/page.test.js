// The page itself: its headers, its languages and widths, and what it says when calls fail.
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

const FAILED = [/Failed to load resource|ERR_|status of/];
const CALLS = "**/dicepoker.v1.DicePokerService/**";

test("the policy allows the page's own files alone", async () => {
  const response = await fetch(service.url);
  assert.match(response.headers.get("content-security-policy"), /^default-src 'none'/);
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.equal(response.headers.get("cache-control"), "no-cache");
});

test("the first view is there within a second", async () => {
  const { page, close } = await visit(browser, service.url);
  await page.locator(".game").first().waitFor();
  // The measurement of the browser; only printed, since a busy machine is no laptop.
  const shown = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  console.log(`first view after ${Math.round(shown)} ms`);
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
      await page.goto(`${service.url}#/play`);
      await begin(page, "dice-poker-15");
      await page.locator(".felt .throw").click();
      await page.locator(".record:not(:disabled)").first().waitFor();
      await fits(page, `a game at ${width} px`);
      await isAccessible(page, `a game at ${width} px`);
      await picture(page, `game-${width}-${colorScheme}`);
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

test("a lost connection in mid-game loses nothing", async () => {
  const own = await explore();
  const { page, close } = await visit(browser, own.url, { tolerated: FAILED });
  await begin(page, "yahtzee");
  await page.locator(".felt .throw").click();
  await page.locator(".record:not(:disabled)").first().waitFor();
  const faces = () => page.locator(".felt .die").evaluateAll((dice) => dice.map((die) => die.getAttribute("aria-label")));
  const before = await faces();
  await own.stop();
  await page.locator(".record:not(:disabled)").first().click();
  const notice = page.locator(".notice");
  await notice.waitFor();
  assert.match(await notice.innerText(), /server cannot be reached.*game is kept/is);
  assert.deepEqual(await faces(), before);
  const again = await explore(own.port);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length >= 2);
  await close();
  await again.stop();
});

test("a slow server is waited for in words", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "yahtzee");
  await page.route(CALLS, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await route.continue();
  });
  await page.locator(".felt .throw").click();
  await page.getByText("Waiting for the server").waitFor();
  await page.locator(".record:not(:disabled)").first().waitFor();
  await page.unroute(CALLS);
  await close();
});

/** Answers every call, or those to `calls`, with a status of gRPC. */
const refuse = (page, status, message, calls = CALLS) =>
  page.route(calls, (route) =>
    route.fulfill({
      status: 200,
      headers: { "content-type": "application/grpc-web+proto", "grpc-status": String(status), "grpc-message": encodeURIComponent(message) },
      body: "",
    }),
  );

test("an error of the server is shown, and the call can be repeated", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "yahtzee");
  await refuse(page, 8, "too many calls");
  await page.locator(".felt .throw").click();
  await page.locator(".notice", { hasText: "too many calls" }).waitFor();
  await page.unroute(CALLS);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".record:not(:disabled)").first().waitFor();
  await close();
});

test("a server of an older contract is named as the cause", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "yahtzee");
  await refuse(page, 12, "unknown method Apply");
  await page.locator(".felt .throw").click();
  await page.locator(".notice", { hasText: "older contract" }).waitFor();
  await close();
});

test("rules that an older server cannot analyze are checked and edited all the same", async () => {
  const { page, close } = await visit(browser, service.url);
  await refuse(page, 12, "unknown method Analyze", "**/Analyze");
  await page.goto(`${service.url}#/rules`);
  await page.getByText("These rules are sound").waitFor();
  await page.locator(".analysis-card .notice", { hasText: "older contract" }).waitFor();
  await page.unroute("**/Analyze");
  await page.getByRole("spinbutton", { name: "Throws a turn" }).fill("2");
  await page.locator(".rows-analysis").waitFor();
  await page.locator(".analysis-card .notice").waitFor({ state: "detached" });
  await close();
});

test("a server that wants a token is given it", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "yahtzee");
  await refuse(page, 16, "no token");
  await page.locator(".felt .throw").click();
  await page.getByLabel("Token").fill("secret");
  await page.unroute(CALLS);
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().includes("Apply") && one.method() === "POST"),
    page.getByRole("button", { name: "Try again" }).click(),
  ]);
  assert.equal(await request.headerValue("authorization"), "Bearer secret");
  await close();
});

test("broken files and addresses are rejected with a message", async () => {
  const { page, close } = await visit(browser, service.url);
  const file = page.locator(".hero input[type=file]");
  const give = (text) => file.setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await file.waitFor({ state: "attached" });
  await give("{not json");
  await page.locator(".notice", { hasText: "game.json is no JSON" }).waitFor();
  await give('{"some": "thing"}');
  await page.locator(".notice", { hasText: "no game of dicepoker" }).waitFor();
  await give('{"dicepoker": 1, "ruleset": "yahtzee", "steps": [{"move": {"fly": {}}}], "position": {"scorecards": [{}]}}');
  await page.locator(".notice", { hasText: "broken" }).waitFor();
  await give('{"dicepoker": 99, "steps": []}');
  await page.locator(".notice", { hasText: "newer page" }).waitFor();
  await page.goto(`${service.url}#/play?game=AAAA`);
  await page.reload();
  await page.locator(".notice", { hasText: "address is broken" }).waitFor();
  await page.goto(`${service.url}#/review?game=x%%`);
  await page.locator(".notice", { hasText: "address is broken" }).waitFor();
  await close();
});
