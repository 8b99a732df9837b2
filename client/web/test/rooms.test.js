// The Analyse and the Rules room: what they show is what the service answers.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { ask, explore, fits, isAccessible, launch, picture, visit } from "./harness.js";

let service, browser;
before(async () => {
  [service, browser] = await Promise.all([explore(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const room = async (name, options) => {
  const visited = await visit(browser, service.url, options);
  await visited.page.getByRole("link", { name }).first().click();
  return visited;
};

const figures = (page) => page.locator(".results .ranked .worth").allInnerTexts();

/** Stores JSON in a file for the command line. */
function write(json) {
  const file = join(mkdtempSync(join(tmpdir(), "dicepoker-")), "request.json");
  writeFileSync(file, JSON.stringify(json));
  return file;
}

/** Sets the dice by typing their faces. */
async function typeDice(page, faces) {
  await page.locator(".setting-dice .die").first().focus();
  for (const face of faces) await page.keyboard.press(face);
}

test("every move stands with the value that the service gives it", async () => {
  const { page, close } = await room("Analyse");
  await page.locator(".results .ranked").first().waitFor();
  await typeDice(page, "23446");
  await page.waitForFunction(() => document.querySelector(".code pre")?.textContent.includes("[2, 3, 4, 4, 6]"));
  await page.getByRole("textbox", { name: "Chance, player 1" }).fill("21");
  await page.keyboard.press("Enter");
  const theirs = ask(service.url, "suggest", "23446", "--ruleset", "yahtzee", "--rolls-left", "2", "--card", "chance=21", "--top", "0").alternatives;
  await page.waitForFunction((count) => document.querySelector("#ranked")?.textContent.includes(`${count} `), theirs.length);
  await page.getByRole("button", { name: "Show all" }).click();
  assert.deepEqual(await figures(page), theirs.map(({ expectedValue }) => expectedValue.toFixed(2)));
  await close();
});

test("a target is played for with the chances that the service gives", async () => {
  const { page, close } = await room("Analyse");
  await page.locator(".results .ranked").first().waitFor();
  await page.getByRole("button", { name: "Target", exact: true }).click();
  await page.getByRole("spinbutton", { name: "Target in points" }).fill("250");
  const theirs = ask(service.url, "suggest", "11666", "--ruleset", "yahtzee", "--rolls-left", "2", "--objective", "target=250").alternatives;
  const first = `${(100 * theirs[0].targetProbability).toFixed(1)} %`;
  await page.waitForFunction((text) => document.querySelector(".results .ranked .worth")?.innerText.replace(/\s/g, " ") === text, first);
  await page.getByRole("button", { name: "Win", exact: true }).click();
  await page.locator(".facts dt", { hasText: "Draw" }).waitFor();
  await picture(page, "analyse-win");
  await close();
});

test("an impossible card is rejected at its cell, and a corrected one accepted", async () => {
  const { page, close } = await room("Analyse", { tolerated: [/400|status/] });
  await page.locator(".results .ranked").first().waitFor();
  const cell = page.getByRole("textbox", { name: "Full house, player 1" });
  await cell.fill("24");
  await page.keyboard.press("Enter");
  await page.locator(".results .notice", { hasText: "position.scorecards[0].entries[0]" }).waitFor();
  assert.equal(await cell.getAttribute("aria-invalid"), "true");
  await cell.fill("25");
  await page.keyboard.press("Enter");
  await page.locator(".results .notice").waitFor({ state: "detached" });
  assert.equal(await cell.getAttribute("aria-invalid"), null);
  await close();
});

test("the question stands as code in every language, and in the address", async () => {
  const { page, close } = await room("Analyse");
  await page.locator(".results .ranked").first().waitFor();
  for (const name of ["grpcurl", "Python", "Go", "Java", "TypeScript", "Rust"]) {
    await page.getByRole("button", { name, exact: true }).click();
    const code = await page.locator(".code pre").innerText();
    assert.match(code, /yahtzee/, name);
    assert.match(code, /1, 1, 6, 6, 6/, name);
  }
  await page.waitForFunction(() => location.hash.includes("request="));
  await typeDice(page, "55555");
  await page.waitForFunction(() => document.querySelector(".code pre")?.textContent.includes("5, 5, 5, 5, 5"));
  await page.waitForTimeout(300);
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".code pre")?.textContent.includes("5, 5, 5, 5, 5"));
  await close();
});

test("a definition is edited into an error and back, and then played", async () => {
  const { page, close } = await room("Rules", { tolerated: [/400|status/] });
  await page.getByText("These rules are sound").waitFor();
  const throws = page.getByRole("spinbutton", { name: "Throws a turn" });
  await throws.fill("9");
  await page.getByText("Something is wrong with these rules").waitFor();
  assert.equal(await throws.getAttribute("aria-invalid"), "true");
  const complaint = page.locator(`#${(await throws.getAttribute("aria-describedby")).replaceAll(":", "\\:")}`);
  assert.match(await complaint.innerText(), /1 to/);
  assert.equal(await page.getByRole("button", { name: "Play it" }).isDisabled(), true);
  await picture(page, "rules-wrong");
  await throws.fill("2");
  await page.getByText("These rules are sound").waitFor();
  assert.equal(await throws.getAttribute("aria-invalid"), null);

  await page.getByRole("button", { name: "Play it" }).click();
  await page.getByText("The rules of your own").waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".felt .throw").click();
  await page.waitForFunction(() => document.querySelector(".throws")?.getAttribute("aria-label") === "1 throw left");
  await close();
});

test("text that is not JSON keeps the definition before it", async () => {
  const { page, close } = await room("Rules");
  await page.getByText("These rules are sound").waitFor();
  await page.getByRole("button", { name: "JSON" }).click();
  const text = page.getByRole("textbox", { name: "Definition" });
  const whole = await text.inputValue();
  await text.fill(whole.slice(0, -2));
  await page.getByText("This is not JSON").waitFor();
  assert.equal(await text.getAttribute("aria-invalid"), "true");
  await text.fill('{"categories": 5}');
  await page.getByText("This is not a definition of rules").waitFor();
  await page.getByRole("button", { name: "Form" }).click();
  assert.equal(await page.getByRole("spinbutton", { name: "Throws a turn" }).inputValue(), "3");
  await page.getByRole("button", { name: "JSON" }).click();
  await text.fill(whole);
  await page.getByText("These rules are sound").waitFor();
  await close();
});

test("what rules are worth stands as the service says it, and beside the original once they differ", async () => {
  const { page, close } = await room("Rules");
  await page.getByText("These rules are sound").waitFor();
  const card = page.locator(".analysis-card");
  const whole = (part) => page.locator(`.analysis-card[aria-busy="false"] ${part}`).first().waitFor({ timeout: 120_000 });
  await whole(".rows-analysis");
  // By its definition, as the page asks: levels of a built-in ruleset are those measured for it.
  const file = write(ask(service.url, "rulesets", "show", "yahtzee", "--definition"));
  const theirs = ask(service.url, "analyze", "--definition", file, "--games", "300", "--seed", "1", "--opponents", "1,3,5,7,9", "--quick").analysis;
  const means = await card.locator(".rows-analysis .mean b").allInnerTexts();
  assert.deepEqual(means, theirs.rows.map(({ meanPoints }) => meanPoints.value.toFixed(2)));
  assert.equal(await card.locator(".figures tbody td b").first().innerText(), theirs.expectedScore.value.toFixed(2));
  assert.deepEqual(await card.locator(".levels .figure").allInnerTexts(), theirs.opponents.map(({ meanScore }) => meanScore.value.toFixed(1)));
  await picture(page, "rules-worth");
  await page.getByRole("spinbutton", { name: "Throws a turn" }).fill("2");
  await whole('.figures th:has-text("Original")');
  const between = await card.locator(".figures tbody tr").first().locator("td").last().innerText();
  assert.match(between, /^−\d\d\.\d\d$/);
  await picture(page, "rules-compared");
  await close();
});

for (const [family, ruleset, players] of [
  ["race", "poquer-tradicional", 2],
  ["showdown", "dice-poker-classic", 2],
  ["sheet with columns", "yamb", 1],
]) {
  test(`a position of a ${family} is analysed as the service does`, async () => {
    const { page, close } = await room("Analyse");
    await page.locator(".results .ranked").first().waitFor();
    await page.getByRole("combobox", { name: "Game" }).selectOption(ruleset);
    await page.waitForFunction((id) => document.querySelector(".code pre")?.textContent.includes(id), ruleset);
    await typeDice(page, "22266");
    await page.waitForFunction(() => document.querySelector(".code pre")?.textContent.includes("[2, 2, 2, 6, 6]"));
    const code = await page.locator(".code pre").innerText();
    const request = JSON.parse(code.slice(code.indexOf("{"), code.lastIndexOf("}") + 1));
    const { scorecards, showdown } = request.position;
    assert.equal((scorecards ?? showdown.players).length, players);
    const theirs = ask(service.url, "suggest", "-p", write(request), "--top", "0").alternatives;
    await page.waitForFunction((count) => document.querySelector("#ranked")?.textContent.includes(`${count} `), theirs.length);
    const more = page.getByRole("button", { name: "Show all" });
    if (await more.count()) await more.click();
    const shown = ruleset === "yamb" ? ({ expectedValue }) => expectedValue.toFixed(2) : ({ expectedValue }) => `${(100 * expectedValue).toFixed(1)} %`;
    assert.deepEqual((await figures(page)).map((text) => text.replace(/\s/g, " ")), theirs.map(shown));
    await isAccessible(page, ruleset);
    await picture(page, `analyse-${ruleset}`);
    await page.setViewportSize({ width: 360, height: 740 });
    await fits(page, ruleset);
    await picture(page, `analyse-${ruleset}-360`);
    await close();
  });
}

/** The whole analysis in the Rules room. */
const analyzed = (page, part) => page.locator(`.analysis-card[aria-busy="false"] ${part}`).first().waitFor({ timeout: 120_000 });

test("the house rules of the race are changed, analyzed beside the original, saved, and played", async () => {
  const { page, close } = await room("Rules");
  await page.getByRole("combobox", { name: "Start from" }).selectOption("poquer-tradicional");
  await analyzed(page, ".rows-analysis");
  const theirs = ask(service.url, "analyze", "-r", "poquer-tradicional", "--games", "60", "--seed", "1", "--quick").analysis;
  const means = () => page.locator(".rows-analysis .mean b").allInnerTexts();
  assert.deepEqual(await means(), theirs.rows.map(({ meanPoints }) => meanPoints.value.toFixed(2)));
  await page.getByRole("spinbutton", { name: /^Fullen points/ }).fill("40");
  await page.keyboard.press("Tab");
  await analyzed(page, '.figures th:has-text("Original")');
  await isAccessible(page, "the race in the Rules room");
  await picture(page, "rules-race");
  await page.setViewportSize({ width: 360, height: 740 });
  await fits(page, "the race in the Rules room");
  await picture(page, "rules-race-360");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  const file = await saved.path();
  await page.getByRole("button", { name: "Back to the original" }).click();
  await page.waitForFunction(() => !document.querySelector(".figures")?.innerText.includes("Original"));
  await page.locator("main input[type=file]").setInputFiles(file);
  await analyzed(page, '.figures th:has-text("Original")');
  assert.equal(await page.getByRole("spinbutton", { name: /^Fullen points/ }).inputValue(), "40");
  await page.getByRole("button", { name: "Play it" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".felt .throw").click();
  await page.waitForFunction(() => location.hash.includes("game="));
  await close();
});

test("a showdown is edited and analyzed beside the original", async () => {
  const { page, close } = await room("Rules");
  await page.getByRole("combobox", { name: "Start from" }).selectOption("dice-poker-classic");
  await analyzed(page, ".hands-analysis");
  await page.getByRole("spinbutton", { name: "Rethrows" }).fill("1");
  await analyzed(page, '.hands-analysis th:has-text("Original")');
  await isAccessible(page, "a showdown in the Rules room");
  await picture(page, "rules-showdown");
  await page.getByRole("button", { name: "Play it" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".felt .throw").click();
  await page.waitForFunction(() => document.querySelector(".throws")?.getAttribute("aria-label") === "1 throw left");
  await close();
});
