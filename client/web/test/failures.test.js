// What the page says when calls, files and addresses fail, and that it loses nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { ask, begin, explore, launch, visit } from "./harness.js";

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

/** Makes the server unreachable for every call, or for those to `calls`. */
const cut = (page, calls = CALLS) => page.route(calls, (route) => route.abort("connectionrefused"));

const again = (page) => page.getByRole("button", { name: "Try again" }).click();

const away = (page, where = "") => page.locator(`${where} .notice`, { hasText: "server cannot be reached" }).first().waitFor();

/** Gives a text as a file to the page. */
const give = (page, text) =>
  page.locator("main input[type=file]").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(text) });

/** The faces of the dice on the table. */
const facesOn = (page) => page.locator(".felt .die").evaluateAll((dice) => dice.map((die) => die.getAttribute("aria-label")));

test("a lost connection in mid-game loses nothing", async () => {
  const own = await explore();
  const { page, close } = await visit(browser, own.url, { tolerated: FAILED });
  await begin(page, "yahtzee");
  await page.locator(".felt .throw").click();
  await page.locator(".record:not(:disabled)").first().waitFor();
  const before = await facesOn(page);
  await own.stop();
  await page.locator(".record:not(:disabled)").first().click();
  const notice = page.locator(".notice");
  await notice.waitFor();
  assert.match(await notice.innerText(), /server cannot be reached.*game is kept/is);
  assert.deepEqual(await facesOn(page), before);
  const next = await explore(own.port);
  await again(page);
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length >= 2);
  await close();
  await next.stop();
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
  await again(page);
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
  await page.locator(".game").first().waitFor();
  for (const [text, message] of [
    ["{not json", "game.json is not a JSON file"],
    ['{"some": "thing"}', "not a game of dicepoker"],
    ["[]", "not a game of dicepoker"],
    ['{"dicepoker": 1, "ruleset": "yahtzee", "steps": [{"move": {"fly": {}}}], "position": {"scorecards": [{}]}}', "broken"],
    ['{"dicepoker": 99, "steps": []}', "newer page"],
    [" ".repeat((4 << 20) + 1), "too large"],
  ]) {
    await give(page, text);
    await page.locator(".notice", { hasText: message }).waitFor();
  }
  for (const address of ["play?game=AAAA", "review?game=x%%", "analyse?request=AAAA"]) {
    await page.goto(`${service.url}#/${address}`);
    await page.reload();
    await page.locator(".notice", { hasText: "address is broken" }).waitFor();
  }
  // The room works all the same.
  await page.locator(".results .ranked").first().waitFor();
  await page.goto(`${service.url}#/review`);
  await give(page, "{not json");
  await page.locator(".notice", { hasText: "game.json is not a JSON file" }).waitFor();
  await close();
});

test("a broken file of rules leaves those being edited as they are", async () => {
  const { page, close } = await visit(browser, `${service.url}#/rules`);
  await page.getByText("These rules are sound").waitFor();
  await page.getByRole("spinbutton", { name: "Throws a turn" }).fill("2");
  for (const [text, message] of [
    ["{not json", "game.json is not a JSON file"],
    ["null", "not a definition of rules"],
    ['{"categories": 5}', "not a definition of rules"],
    ['{"ruleset": "no-such-game"}', "no-such-game"],
  ]) {
    await give(page, text);
    await page.locator(".verdicts .notice", { hasText: message }).waitFor();
    assert.equal(await page.getByRole("spinbutton", { name: "Throws a turn" }).inputValue(), "2");
  }
  // As the command line prints a definition, with names of JSON instead of those of the contract.
  await give(page, JSON.stringify(ask(service.url, "rulesets", "show", "kniffel", "--definition")));
  await page.getByText("These rules are sound").waitFor();
  assert.equal(await page.getByRole("spinbutton", { name: "Throws a turn" }).inputValue(), "3");
  await page.getByRole("region", { name: "Upper bonuses" }).getByText("63").first().waitFor();
  await close();
});

test("a game by rules that the server refuses is not begun, and the fields are named", async () => {
  const { page, close } = await visit(browser, service.url, { tolerated: FAILED });
  await page.locator(".game").first().waitFor();
  const definition = { ...ask(service.url, "rulesets", "show", "yahtzee", "--definition"), rolls: 99 };
  await give(page, JSON.stringify({ definition, seats: [{ name: "Ada" }], steps: [], position: { rollsLeft: 3, scorecards: [{}] } }));
  await page.locator(".notice", { hasText: "definition.rolls" }).waitFor();
  await begin(page, "yahtzee");
  await close();
});

test("a page without its server says so in every room, and goes on once it is back", async () => {
  const { page, close } = await visit(browser, service.url, { tolerated: FAILED });
  await begin(page, "yahtzee");
  await page.locator(".felt .throw").click();
  await page.locator(".record:not(:disabled)").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length === 2);
  await page.waitForFunction(() => location.hash.includes("game="));
  const [, game] = new URL(page.url()).hash.split("?");
  for (const [room, done] of [
    ["play", ".game"],
    ["analyse", ".results .ranked"],
    [`review?${game}`, ".steps .step"],
    ["rules", ".rows-analysis"],
  ]) {
    await cut(page);
    await page.goto(`${service.url}#/${room}`);
    await page.reload();
    await away(page);
    await page.unroute(CALLS);
    await again(page);
    await page.locator(done).first().waitFor();
    await page.locator(".notice").waitFor({ state: "detached" });
  }
  await close();
});

test("an edited position and edited rules stay when the connection is lost", async () => {
  const { page, close } = await visit(browser, `${service.url}#/analyse`, { tolerated: FAILED });
  await page.locator(".results .ranked").first().waitFor();
  await cut(page);
  const cell = page.getByRole("textbox", { name: "Chance, player 1" });
  await cell.fill("21");
  await page.keyboard.press("Enter");
  await away(page, ".results");
  assert.equal(await cell.inputValue(), "21");
  await page.unroute(CALLS);
  await again(page);
  await page.locator(".notice").waitFor({ state: "detached" });
  await page.goto(`${service.url}#/rules`);
  await page.getByText("These rules are sound").waitFor();
  await cut(page);
  const throws = page.getByRole("spinbutton", { name: "Throws a turn" });
  await throws.fill("2");
  await page.getByText("These rules are not checked yet").waitFor();
  await page.locator(".verdict .notice", { hasText: "Your rules are kept" }).waitFor();
  assert.equal(await throws.inputValue(), "2");
  await page.unroute(CALLS);
  await again(page);
  await page.getByText("These rules are sound").waitFor();
  await close();
});

test("a connection lost in a bot's turn leaves the game where it was, here and in the address", async () => {
  const { page, close } = await visit(browser, service.url, { tolerated: FAILED });
  await begin(page, "yahtzee");
  await page.locator(".felt .throw").click();
  await cut(page, "**/PlayTurn");
  await page.locator(".record:not(:disabled)").first().click();
  await page.locator(".notice", { hasText: "Your game is kept" }).waitFor();
  assert.equal(await page.locator(".sheet .points").count(), 1);
  await page.waitForTimeout(300);
  await page.reload();
  await page.locator(".notice", { hasText: "Your game is kept" }).waitFor();
  assert.equal(await page.locator(".sheet .points").count(), 1);
  await page.unroute("**/PlayTurn");
  await again(page);
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length === 2);
  await page.locator(".felt .throw:not(:disabled)").waitFor();
  await close();
});

test("an analysis whose stream breaks keeps the figures before it", async () => {
  const own = await explore();
  const { page, close } = await visit(browser, `${own.url}#/rules`, { tolerated: FAILED });
  await page.locator('.analysis-card[aria-busy="false"] .rows-analysis').waitFor({ timeout: 120_000 });
  await page.getByRole("button", { name: "Analyze more exactly" }).click();
  await page.locator('.analysis-card[aria-busy="true"]').waitFor();
  await own.stop();
  await away(page, ".analysis-card");
  assert.ok((await page.locator(".rows-analysis tbody tr").count()) > 10);
  await close();
});

test("a server that never answers is given up in words, and nothing is lost", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "yahtzee");
  await page.clock.install();
  await page.route(CALLS, () => {});
  await page.locator(".felt .throw").click();
  await page.clock.fastForward(2_000);
  await page.getByText("Waiting for the server").waitFor();
  await page.clock.fastForward(60_000);
  const notice = page.locator(".notice", { hasText: "did not answer in time" });
  await notice.waitFor();
  assert.match(await notice.innerText(), /game is kept/);
  await page.unroute(CALLS);
  await page.clock.resume();
  await again(page);
  await page.locator(".record:not(:disabled)").first().waitFor();
  await close();
});

test("a server without the methods of the page is named as the cause in every room", async () => {
  const { page, close } = await visit(browser, service.url);
  await refuse(page, 12, "unknown method");
  for (const room of ["play", "analyse", "rules"]) {
    await page.goto(`${service.url}#/${room}`);
    await page.reload();
    await page.locator(".notice", { hasText: "older contract" }).first().waitFor();
  }
  await close();
});
