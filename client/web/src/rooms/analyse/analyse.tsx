// Analyse: set any position, and see the value of every move.
import { useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { pack, unpack } from "../../game/packed";
import { words } from "../../i18n";
import { Notice } from "../../parts/notice";
import { RulesPicker } from "../../parts/rules-picker";
import { carry, route } from "../../route";
import { Code } from "./code";
import * as q from "./question";
import { Results } from "./results";
import { CardEditor, DiceEditor, ObjectiveEditor } from "./setting";

export function Analyse() {
  const { analyse } = words.value;
  const packed = route.value.carried.get("request");
  useEffect(() => {
    if (packed) void q.take(() => unpack(packed));
  }, [packed]);
  useSignalEffect(() => {
    const asked = q.question.value;
    if (!q.ruleset.value) return;
    q.askSoon();
    void pack(q.asJson()).then((text) => {
      if (q.question.value === asked) carry("analyse", { request: text });
    });
  });
  return (
    <>
      <h1 class="hidden">{analyse.title}</h1>
      <div class="analysis">
        <div class="setting">
          <section class="card">
            <RulesPicker compact rules={q.rulesOf(q.question.value)} onChange={q.setRules} onRuleset={q.fit} />
            {q.ruleset.value && (
              <>
                <DiceEditor ruleset={q.ruleset.value} />
                <ObjectiveEditor />
              </>
            )}
          </section>
          {q.ruleset.value && <CardEditor ruleset={q.ruleset.value} />}
        </div>
        <div class="results">
          <Notice failure={q.refusal.value} />
          <Notice failure={q.failure.value} />
          {q.ruleset.value && q.answer.value && <Results ruleset={q.ruleset.value} answer={q.answer.value} />}
          <Code />
        </div>
      </div>
    </>
  );
}
