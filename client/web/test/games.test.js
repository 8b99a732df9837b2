// Whole games in a browser against a bot of level 5, saved, resumed and reviewed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";

import { ask, begin, explore, isAccessible, launch, picture, playToTheEnd, visit } from "./harness.js";

let service, browser;
before(async () => {
  [service, browser] = await Promise.all([explore(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const FAMILIES = [
  ["score sheet", "yahtzee", 1],
  ["race", "poquer-tradicional", 100],
  ["showdown", "dice-poker-witcher", 100],
];

for (const [family, ruleset, unit] of FAMILIES) {
  test(`a ${family} is played to its end, saved, and reviewed as the service reviews it`, async () => {
    const { page, close } = await visit(browser, service.url);
    await begin(page, ruleset);
    await playToTheEnd(page);
    await picture(page, `end-${ruleset}`);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
    const file = await saved.path();
    const game = JSON.parse(readFileSync(file, "utf8"));
    assert.equal(game.over, true);
    assert.equal(game.ruleset, ruleset);

    await page.getByRole("button", { name: "Review the game" }).click();
    await page.locator(".steps .step").first().waitFor();
    const theirs = ask(service.url, "review", file);
    assert.equal(await page.locator(".steps .step").count(), theirs.steps.length);
    const shown = await page.locator(".figures tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
    theirs.players.forEach((player, seat) => {
      const regret = Number(shown[seat][2].replace(/[−±]/, "").replace(" %", ""));
      assert.ok(Math.abs(regret - (player.regret ?? 0) * unit) <= 0.051, `${shown[seat]} is not ${player.regret}`);
    });
    await page.getByRole("checkbox", { name: "only mistakes" }).check();
    const mistakes = await page.locator(".steps .step").count();
    const graded = theirs.steps.filter(({ grade }) => /INACCURACY|MISTAKE|BLUNDER/.test(grade)).length;
    assert.equal(mistakes, graded);
    await isAccessible(page, "review");
    await picture(page, `review-${ruleset}`);
    await close();
  });
}

test("a game goes on from its address, and from its file, as it stood", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "yatzy");
  await page.locator(".felt .throw").click();
  await page.locator(".record:not(:disabled)").first().click();
  await page.waitForFunction(() => document.querySelector(".felt .throw:not(:disabled)"));
  await page.waitForFunction(() => location.hash.includes("game="));
  const sheet = () => page.locator(".sheet").innerText();
  const before = await sheet();
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  const path = await saved.path();

  await page.reload();
  await page.locator(".felt .throw").waitFor();
  assert.equal(await sheet(), before);

  await page.getByRole("button", { name: "New game" }).click();
  await page.locator(".hero input[type=file]").setInputFiles(path);
  await page.locator(".felt .throw").waitFor();
  assert.equal(await sheet(), before);
  await close();
});

test("a turn is played by keyboard alone", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "kniffel");
  await page.keyboard.press("t");
  await page.locator(".record:not(:disabled)").first().waitFor();
  await page.keyboard.press("1");
  assert.equal(await page.locator(".felt .die").first().getAttribute("aria-pressed"), "true");
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.querySelector(".throws")?.getAttribute("aria-label") === "1 throw left");
  const record = page.locator(".record:not(:disabled)").first();
  await record.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length >= 2);
  await close();
});

test("five bots play by their profiles and levels", async () => {
  const { page, close } = await visit(browser, service.url);
  for (let bots = 1; bots < 5; bots++) await page.getByRole("button", { name: "Add a player" }).click();
  assert.equal(await page.getByRole("button", { name: "Add a player" }).isDisabled(), true);
  await page.getByRole("combobox", { name: /Who plays as Elena/ }).selectOption("gambler");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".felt .throw").click();
  await page.locator(".record:not(:disabled)").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length === 6);
  await close();
});

test("a box of a column that counts three times counts so in the total", async () => {
  const { page, close } = await visit(browser, service.url);
  await begin(page, "triple-yahtzee");
  await page.locator(".felt .throw").click();
  const record = page.getByRole("button", { name: /^Record .* in Chance \(×3\)$/ });
  const [points] = (await record.getAttribute("aria-label")).match(/\d+/);
  assert.equal(await page.locator(".record:not(:disabled)").count(), 39);
  await record.click();
  await page.waitForFunction(() => document.querySelectorAll(".sheet .points").length >= 1);
  assert.equal(Number(await page.locator(".grand td").first().innerText()), 3 * Number(points));
  await close();
});
