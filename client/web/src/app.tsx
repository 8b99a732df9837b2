// The frame of the page: its rooms, its language, its light.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { choose, language, languages, words, type Language } from "./i18n";
import { Waiting } from "./parts/notice";
import { Analyse } from "./rooms/analyse/analyse";
import { Play } from "./rooms/play/play";
import { Review } from "./rooms/review/review";
import { RulesRoom } from "./rooms/rules/rules";
import { addressOf, rooms, route } from "./route";
import { Icon } from "./parts/icon";
import { stored, storeAs } from "./storage";

const LIGHT = "dicepoker.light";
const lights = ["auto", "light", "dark"] as const;

/** Whether the page is light or dark; `auto` follows the system. */
export const light = signal((stored(LIGHT) as (typeof lights)[number] | null) ?? "auto");
light.subscribe((value) => {
  document.documentElement.dataset.light = value;
  storeAs(LIGHT, value);
});

const content = { play: Play, analyse: Analyse, review: Review, rules: RulesRoom };

export function App() {
  const { frame } = words.value;
  const { room } = route.value;
  const Content = content[room];
  useEffect(() => {
    document.title = `${frame.rooms[room]} · dicepoker`;
  }, [room, frame]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        {frame.skip}
      </a>
      <header class="top">
        <a class="brand" href={addressOf("play")}>
          <Icon name="brand" /> <span>dicepoker</span>
        </a>
        <nav class="rooms" aria-label={frame.roomsLabel}>
          {rooms.map((name) => (
            <a key={name} href={addressOf(name)} aria-current={name === room ? "page" : undefined}>
              <Icon name={name} /> <span>{frame.rooms[name]}</span>
            </a>
          ))}
        </nav>
        <div class="settings">
          <select aria-label={frame.language} value={language.value} onChange={(event) => choose(event.currentTarget.value as Language)}>
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
          <button
            class="icon-button"
            aria-label={frame.light[light.value]}
            title={frame.light[light.value]}
            onClick={() => (light.value = lights[(lights.indexOf(light.value) + 1) % lights.length]!)}
          >
            <Icon name={light.value} />
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1} class={`room ${room}`}>
        <Content />
      </main>
      <Waiting />
    </>
  );
}
