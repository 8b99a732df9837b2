// The Analyse and the Rules room: what they show is what the service answers.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { ask, explore, launch, picture, visit } from "./harness.js";

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

test("text that is no JSON keeps the definition before it", async () => {
  const { page, close } = await room("Rules");
  await page.getByText("These rules are sound").waitFor();
  await page.getByRole("button", { name: "JSON" }).click();
  const text = page.getByRole("textbox", { name: "Definition" });
  const whole = await text.inputValue();
  await text.fill(whole.slice(0, -2));
  await page.getByText("This is no JSON").waitFor();
  assert.equal(await text.getAttribute("aria-invalid"), "true");
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
  const file = join(mkdtempSync(join(tmpdir(), "dicepoker-")), "yahtzee.json");
  writeFileSync(file, JSON.stringify(ask(service.url, "rulesets", "show", "yahtzee", "--definition")));
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
