// Review: a game move by move, luck and mistakes apart.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { unpack } from "../../game/packed";
import { kept, readJson } from "../../game/store";
import { gameToJson } from "../../game/game";
import { words } from "../../i18n";
import { Icon } from "../../parts/icon";
import { Notice } from "../../parts/notice";
import { route } from "../../route";
import { Curve } from "./curve";
import { Moment } from "./moment";
import { Steps } from "./steps";
import * as s from "./study";
import { Summary } from "./summary";

/** The last reviewed address, so that going back does not review it again. */
const studied = signal("");

export function Review() {
  const { review } = words.value;
  const packed = route.value.carried.get("game");
  useEffect(() => {
    if (!packed || packed === studied.value) return;
    studied.value = packed;
    void s.study(() => unpack(packed));
  }, [packed]);
  const last = kept();
  return (
    <>
      <div class="toolbar">
        <h1>{review.title}</h1>
        <div class="row">
          {last && last.steps.length > 0 && (
            <button class="button" onClick={() => void s.study(async () => gameToJson(last))}>
              {review.last}
            </button>
          )}
          <label class="button quiet">
            <Icon name="open" /> {review.open}
            <input
              type="file"
              class="hidden"
              accept=".json,application/json"
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                if (file) void s.study(() => readJson(file));
                event.currentTarget.value = "";
              }}
            />
          </label>
        </div>
      </div>
      <Notice failure={s.failure.value} />
      {s.busy.value && (
        <p class="hint-line" role="status">
          {review.studying}
        </p>
      )}
      {s.review.value && s.game.value && s.ruleset.value ? (
        <div class="study">
          <div class="study-main">
            <Curve game={s.game.value} review={s.review.value} />
            <Moment game={s.game.value} review={s.review.value} ruleset={s.ruleset.value} />
          </div>
          <div class="study-side">
            <Summary game={s.game.value} review={s.review.value} />
            <Steps game={s.game.value} review={s.review.value} ruleset={s.ruleset.value} />
          </div>
        </div>
      ) : (
        !s.busy.value && <p class="empty-room">{review.nothing}</p>
      )}
    </>
  );
}
