// Choosing rules: a built-in ruleset with its options, or a definition.
import { useEffect, useState } from "preact/hooks";

import { type Ruleset, RulesetFamily } from "../rpc/contract";
import { number, rulesetName, words } from "../i18n";
import { failureOf, type Failure } from "../rpc/failure";
import { catalogue, describe, loadCatalogue, type Rules } from "../rpc/rules";
import { FacePicture } from "./die";
import { Notice } from "./notice";
import { OptionsForm } from "./options";

export interface RulesPickerProps {
  rules: Rules;
  onChange: (rules: Rules) => void;
  /** Called with the service's description of the rules, whenever they change. */
  onRuleset: (ruleset: Ruleset | undefined) => void;
  /** A list to choose from, instead of cards. */
  compact?: boolean;
}

export function RulesPicker({ rules, onChange, onRuleset, compact }: RulesPickerProps) {
  const { picker } = words.value;
  const [ruleset, setRuleset] = useState<Ruleset>();
  const [failure, setFailure] = useState<Failure>();
  const key = JSON.stringify([rules.ruleset, rules.options, !!rules.definition]);
  const load = () => {
    let current = true;
    setFailure(undefined);
    Promise.all([loadCatalogue(), describe(rules)]).then(
      ([, found]) => {
        if (!current) return;
        setRuleset(found);
        onRuleset(found);
      },
      (reason: unknown) => {
        if (current) setFailure(failureOf(reason, load));
      },
    );
    return () => void (current = false);
  };
  useEffect(load, [key, rules.definition]);
  const all = catalogue.value;
  const families = [...new Set(all.map(({ family }) => family))];
  return (
    <section class={compact ? "rules-picker compact" : "card rules-picker"} aria-labelledby="picker">
      <h2 id="picker" class={compact ? "hidden" : ""}>
        {picker.title}
      </h2>
      {compact ? (
        <select
          aria-label={picker.title}
          value={rules.definition ? "" : rules.ruleset}
          onChange={(event) => onChange({ ruleset: event.currentTarget.value })}
        >
          {rules.definition && <option value="">{picker.own}</option>}
          {families.map((family) => (
            <optgroup key={family} label={familyName(family)}>
              {all
                .filter((one) => one.family === family)
                .map((one) => (
                  <option key={one.id} value={one.id}>
                    {rulesetName(one)}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      ) : (
        families.map((family) => (
          <fieldset key={family}>
            <legend>{familyName(family)}</legend>
            <div class="games">
              {all
                .filter((one) => one.family === family)
                .map((one) => (
                  <label key={one.id} class="game">
                    <input type="radio" name="ruleset" value={one.id} checked={!rules.definition && one.id === rules.ruleset} onChange={() => onChange({ ruleset: one.id })} />
                    <span class="game-title">{rulesetName(one)}</span>
                    <span class="game-facts">{facts(one)}</span>
                  </label>
                ))}
            </div>
          </fieldset>
        ))
      )}
      {!compact && rules.definition && <p class="own">{picker.playsOwn}</p>}
      {!compact && ruleset?.description && (
        <p class="about" lang="en">
          {ruleset.description}
        </p>
      )}
      {!rules.definition && ruleset && ruleset.id === rules.ruleset && ruleset.options.length > 0 && (
        <details class="options">
          <summary>{picker.options}</summary>
          <OptionsForm ruleset={ruleset} options={rules.options ?? {}} onChange={(options) => onChange({ ruleset: rules.ruleset, options: Object.keys(options).length ? options : undefined })} />
        </details>
      )}
      <Notice failure={failure} />
    </section>
  );
}

export function familyName(family: RulesetFamily): string {
  const { picker } = words.value;
  return picker.families[RulesetFamily[family] as keyof typeof picker.families] ?? RulesetFamily[family] ?? "";
}

function facts(ruleset: Ruleset) {
  const { picker } = words.value;
  const { definition, expectedScore, faces } = ruleset;
  return (
    <>
      {faces.length > 0 && faces[0]!.label !== "1" && (
        <span class="game-faces" aria-hidden="true">
          {faces.slice(-3).map(({ value }) => (
            <span class="small-die" key={value}>
              <FacePicture ruleset={ruleset} value={value} />
            </span>
          ))}
        </span>
      )}
      {definition && picker.facts(definition.dice, definition.categories.length, definition.columns.length, definition.showdown?.hands.length ?? 0)}
      {expectedScore !== undefined && <span class="game-worth">{picker.perfect(number(expectedScore, 1))}</span>}
    </>
  );
}
