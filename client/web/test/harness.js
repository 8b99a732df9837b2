// A service with the page, and a browser that looks at it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const PROGRAM = process.env.DICEPOKER ?? "../../target/debug/dicepoker";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Longest wait for what a page shows, in milliseconds. */
const PATIENCE = 20_000;

/** Starts `dicepoker explore`; answers its address and how to end it. */
export async function explore(port = 0) {
  const child = spawn(PROGRAM, ["explore", "--no-open", "--port", String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = await Promise.race([
    createInterface(child.stdout)[Symbol.asyncIterator]().next().then(({ value }) => [value]),
    new Promise((_, reject) => child.once("exit", (code) => reject(new Error(`explore ended with ${code}`)))),
  ]);
  const stop = () => {
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    return ended;
  };
  return { url, port: Number(new URL(url).port), stop };
}

/** The output of the command line, against the same service. */
export function ask(url, ...args) {
  return JSON.parse(execFileSync(PROGRAM, ["--server", url.replace(/\/$/, ""), "--json", ...args], { encoding: "utf8" }));
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });

/** A page whose errors, and whose requests to others, fail the test when it is closed. */
export async function visit(browser, url, { width = 1440, height = 900, tolerated = [], ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", locale: "en-GB", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    if (!tolerated.some((pattern) => pattern.test(message.text()))) faults.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !/^(blob|data):/.test(request.url())) faults.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  return {
    page,
    async close() {
      await context.close();
      assert.deepEqual(faults, []);
    },
  };
}

/** Fails where axe finds something serious. */
export async function isAccessible(page, where) {
  // Past the page's own policy, which forbids scripts of others.
  const found = await page.evaluate(`(() => { const module = undefined; ${axe}; return window.axe.run(document, { resultTypes: ["violations"] }); })()`);
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const said = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join(" | ")}`);
  assert.deepEqual(said, [], where);
}

/** Fails where a page is wider than its window. */
export async function fits(page, where) {
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(inner <= outer, `${where}: ${inner} px of content in a window of ${outer} px`);
}

/** Keeps a picture where SCREENSHOTS names a folder. */
export async function picture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Chooses a game in the Play room and begins it against a bot of level 5. */
export async function begin(page, ruleset) {
  await page.locator(`.game input[value="${ruleset}"]`).check({ force: true });
  await page.getByRole("combobox", { name: /Who plays as Ada/ }).selectOption("5");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".felt .throw").waitFor();
}

/** Plays as the hints say, to the end of the game; answers the number of acts. */
export async function playToTheEnd(page, most = 1000) {
  const hints = page.locator(".toolbar [aria-keyshortcuts=h]");
  if ((await hints.getAttribute("aria-pressed")) !== "true") await hints.click();
  // Within the page, since a call from here for each look at it would take most of the time.
  return page.evaluate(async (most) => {
    const see = (selector) => document.querySelector(selector);
    const until = async (what) => {
      for (const began = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 4))) {
        const seen = what();
        if (seen) return seen;
        if (Date.now() - began > 20000) throw new Error(`nothing more happens: ${see(".story")?.innerText}`);
      }
    };
    for (let acts = 0; acts < most; acts++) {
      const next = await until(() => see(".end, .notice, .hints .ranked") ?? (see(".felt .die.empty") && see(".felt .throw:not(:disabled)")));
      if (next.matches(".end")) return acts;
      if (next.matches(".notice")) throw new Error(next.innerText);
      const keeps = next.matches(".ranked") && (next.querySelector(".small-dice") || /Throw all/.test(next.innerText));
      next.click();
      if (keeps) (await until(() => see(".felt .throw:not(:disabled)"))).click();
      await until(() => !next.isConnected || next.disabled);
    }
    throw new Error(`the game is not over after ${most} acts`);
  }, most);
}
