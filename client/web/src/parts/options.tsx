// The house rules of a ruleset, to choose from.
import { toJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";

import { OptionType, type Ruleset, type RulesetOption } from "../rpc/contract";
import { rowName } from "../i18n";

export interface OptionsFormProps {
  ruleset: Ruleset;
  /** The options that are not at their defaults. */
  options: JsonObject;
  onChange: (options: JsonObject) => void;
}

export function OptionsForm({ ruleset, options, onChange }: OptionsFormProps) {
  return (
    <>
      {ruleset.options.map((option) => (
        <OptionField
          key={option.id}
          option={option}
          ruleset={ruleset}
          value={options[option.id]}
          onChange={(value) => {
            const { [option.id]: _, ...others } = options;
            onChange(value === undefined ? others : { ...others, [option.id]: value });
          }}
        />
      ))}
    </>
  );
}

function OptionField(props: { option: RulesetOption; ruleset: Ruleset; value: JsonValue | undefined; onChange: (value: JsonValue | undefined) => void }) {
  const { option, ruleset, onChange } = props;
  const usual = option.defaultValue ? toJson(ValueSchema, option.defaultValue) : undefined;
  const value = props.value ?? usual;
  const set = (next: JsonValue) => onChange(JSON.stringify(next) === JSON.stringify(usual) ? undefined : next);
  const field = () => {
    switch (option.valueType) {
      case OptionType.BOOLEAN:
        return <input type="checkbox" checked={value === true} onChange={(event) => set(event.currentTarget.checked)} />;
      case OptionType.CHOICE:
        return (
          <select value={String(value)} onChange={(event) => set(event.currentTarget.value)}>
            {option.choices.map((choice) => (
              <option key={choice} value={choice}>
                {choice.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        );
      case OptionType.INTEGER:
        return (
          <input
            type="number"
            min={option.minimum}
            max={option.maximum}
            value={Number(value)}
            onChange={(event) => {
              const wanted = Math.round(event.currentTarget.valueAsNumber);
              if (Number.isFinite(wanted)) set(Math.min(option.maximum, Math.max(option.minimum, wanted)));
            }}
          />
        );
      default: {
        const chosen = new Set(Array.isArray(value) ? value.map(String) : []);
        return (
          <span class="checks">
            {option.choices.map((id) => (
              <label key={id} class="check">
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={() => set(option.choices.filter((other) => (other === id ? !chosen.has(id) : chosen.has(other))))}
                />{" "}
                {rowName(ruleset, id)}
              </label>
            ))}
          </span>
        );
      }
    }
  };
  const isList = option.valueType !== OptionType.BOOLEAN && option.valueType !== OptionType.CHOICE && option.valueType !== OptionType.INTEGER;
  const inner = (
    <>
      <span lang="en">{option.title}</span>
      {field()}
      <small lang="en">{option.description}</small>
    </>
  );
  return isList ? (
    <div class="field" role="group" aria-label={option.title}>
      {inner}
    </div>
  ) : (
    <label class={`field ${option.valueType === OptionType.BOOLEAN ? "switch" : ""}`}>{inner}</label>
  );
}
