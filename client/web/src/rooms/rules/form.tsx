// A form for any message of the contract, made from its descriptor, so that new fields appear in it.
import { getOption, hasOption, ScalarType, type DescField, type DescMessage, type DescOneof, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { useId, useState } from "preact/hooks";

import { field_behavior, FieldBehavior } from "../../gen/google/api/field_behavior_pb";
import { words } from "../../i18n";
import { Icon } from "../../parts/icon";
import { violations } from "./draft";

export interface FormProps<T extends JsonValue | undefined> {
  value: T;
  path: string;
  onChange: (value: T) => void;
}

/** Fields whose messages are expanded, since they are short and always set. */
const OPEN = new Set(["pattern", "points"]);

/** A new row of a list of messages, by the name of the list. */
const FRESH: Record<string, (count: number) => JsonObject> = {
  categories: (count) => ({ id: `row_${count + 1}`, title: `Row ${count + 1}`, section: "SECTION_LOWER", pattern: { any: {} }, points: { sum: "DICE_SUM_ALL" } }),
  upper_bonuses: () => ({ threshold: 63, points: 35 }),
};

export function label(name: string): string {
  const { fields } = words.value.rules;
  return fields[name as keyof typeof fields] ?? name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
}

/** The label of a field: of this message, or of all that have one of its name. */
function labelOf(field: DescField): string {
  const { fields } = words.value.rules;
  return fields[`${field.parent.name}.${field.name}` as keyof typeof fields] ?? label(field.name);
}

/** The label of a value of an enum, whose name has no prefix. */
function valueLabel(enumName: string, value: string): string {
  const { fields } = words.value.rules;
  return fields[`${enumName}.${value}` as keyof typeof fields] ?? label(value.toLowerCase().replace("unspecified", "unset"));
}

function isOutput(field: DescField): boolean {
  return hasOption(field, field_behavior) && getOption(field, field_behavior).includes(FieldBehavior.OUTPUT_ONLY);
}

/** The violations of the field at a path. */
function Complaint({ path, id }: { path: string; id: string }) {
  const found = violations.value.get(path);
  return found ? (
    <p class="complaint" id={id}>
      {found.join("; ")}
    </p>
  ) : null;
}

/** All fields of a message. */
export function MessageForm({ desc, value, path, onChange, skip }: FormProps<JsonObject> & { desc: DescMessage; skip?: Set<string> }) {
  const set = (name: string, next: JsonValue | undefined) => {
    const { [name]: _, ...others } = value;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  return (
    <>
      {desc.members.map((member) =>
        skip?.has(member.name) && !(member.name in value) ? null : member.kind === "oneof" ? (
          <OneofForm key={member.name} oneof={member} value={value} path={path} onChange={onChange} />
        ) : isOutput(member) ? null : (
          <FieldForm key={member.name} field={member} value={value[member.name]} path={`${path}.${member.name}`} onChange={(next) => set(member.name, next)} />
        ),
      )}
    </>
  );
}

function OneofForm({ oneof, value, path, onChange }: FormProps<JsonObject> & { oneof: DescOneof }) {
  const { rules } = words.value;
  const chosen = oneof.fields.find(({ name }) => name in value);
  const choose = (name: string) => {
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !oneof.fields.some((field) => field.name === key)));
    const field = oneof.fields.find((one) => one.name === name);
    onChange(field ? { ...rest, [name]: empty(field) } : rest);
  };
  const wrong = violations.value.has(path);
  return (
    <>
      <label class="field">
        <span>{label(oneof.name)}</span>
        <select value={chosen?.name ?? ""} aria-invalid={wrong ? "true" : undefined} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{rules.none}</option>
          {oneof.fields.map(({ name }) => (
            <option key={name} value={name}>
              {label(name)}
            </option>
          ))}
        </select>
      </label>
      {chosen && !(chosen.fieldKind === "message" && chosen.message.fields.length === 0) && (
        <FieldForm field={chosen} inOneof value={value[chosen.name]} path={`${path}.${chosen.name}`} onChange={(next) => onChange({ ...value, [chosen.name]: next ?? empty(chosen) })} />
      )}
    </>
  );
}

/** The initial value of a field. */
function empty(field: DescField): JsonValue {
  switch (field.fieldKind) {
    case "message":
      return {};
    case "list":
      return [];
    case "map":
      return {};
    case "enum":
      return field.enum.values[0]!.name;
    default:
      return field.scalar === ScalarType.STRING ? "" : field.scalar === ScalarType.BOOL ? false : 1;
  }
}

type FieldProps = FormProps<JsonValue | undefined> & { field: DescField; inOneof?: boolean };

function FieldForm(props: FieldProps) {
  const { field } = props;
  switch (field.fieldKind) {
    case "message":
      return <MessageField {...props} desc={field.message} />;
    case "list":
      return field.listKind === "message" ? <ListForm {...props} desc={field.message} /> : <TextField {...props} />;
    case "map":
      return <MapForm {...props} />;
    default:
      return <TextField {...props} />;
  }
}

function MessageField({ field, value, path, onChange, desc, inOneof }: FieldProps & { desc: DescMessage }) {
  const { rules } = words.value;
  const id = useId();
  if (value === undefined && !OPEN.has(field.name)) {
    return (
      <p class="absent">
        <button class="button small" onClick={() => onChange({})}>
          <Icon name="plus" /> {label(field.name)}
        </button>
      </p>
    );
  }
  return (
    <fieldset class="message" aria-describedby={violations.value.has(path) ? id : undefined}>
      <legend>{label(field.name)}</legend>
      {!OPEN.has(field.name) && !inOneof && (
        <button class="icon-button remove" aria-label={rules.remove(label(field.name))} onClick={() => onChange(undefined)}>
          <Icon name="cross" />
        </button>
      )}
      <Complaint path={path} id={id} />
      <MessageForm desc={desc} value={(value as JsonObject | undefined) ?? {}} path={path} onChange={onChange} />
    </fieldset>
  );
}

/** A value that is typed, ticked or chosen. */
function TextField({ field, value, path, onChange }: FieldProps) {
  const id = useId();
  const wrong = [...violations.value.keys()].some((key) => key === path || (field.fieldKind === "list" && key.startsWith(`${path}[`)));
  const inList = field.fieldKind === "list" ? [...violations.value.keys()].filter((key) => key.startsWith(`${path}[`)) : [];
  const invalid = wrong ? { "aria-invalid": "true" as const, "aria-describedby": id } : {};
  const isFlag = field.fieldKind === "scalar" && field.scalar === ScalarType.BOOL;
  const control = () => {
    if (isFlag) return <input type="checkbox" {...invalid} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked || undefined)} />;
    if (field.fieldKind === "enum") {
      const { values } = field.enum;
      const prefix = field.enum.sharedPrefix ?? "";
      return (
        <select {...invalid} value={String(value ?? values[0]!.name)} onChange={(event) => onChange(event.currentTarget.value === values[0]!.name ? undefined : event.currentTarget.value)}>
          {values.map(({ name }) => (
            <option key={name} value={name}>
              {valueLabel(field.enum.name, name.slice(prefix.length))}
            </option>
          ))}
        </select>
      );
    }
    if (field.fieldKind === "list") {
      const isText = field.listKind === "scalar" && field.scalar === ScalarType.STRING;
      const read = (typed: string): JsonValue => typed.split(/[\s,]+/).filter((part) => part && (isText || Number.isInteger(Number(part)))).map((part) => (isText ? part : Number(part)));
      return <input {...invalid} type="text" value={((value as JsonValue[] | undefined) ?? []).join(", ")} onChange={(event) => onChange(read(event.currentTarget.value))} />;
    }
    if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) {
      return <input {...invalid} type="text" value={String(value ?? "")} onInput={(event) => onChange(event.currentTarget.value || undefined)} />;
    }
    return (
      <input
        {...invalid}
        type="number"
        value={value === undefined ? "" : String(value)}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          onChange(Number.isFinite(typed) ? Math.min(0x7fffffff, Math.max(-0x80000000, Math.trunc(typed))) : undefined);
        }}
      />
    );
  };
  return (
    <div class={`form-field ${isFlag ? "flag" : ""}`}>
      <label class="field">
        <span>{labelOf(field)}</span>
        {control()}
      </label>
      <Complaint path={path} id={id} />
      {inList.map((key) => (
        <Complaint key={key} path={key} id={id} />
      ))}
    </div>
  );
}

function MapForm({ field, value, path, onChange }: FieldProps) {
  const { rules } = words.value;
  const id = useId();
  const entries = Object.entries((value as JsonObject | undefined) ?? {});
  const [key, setKey] = useState("");
  const set = (next: [string, JsonValue][]) => onChange(next.length ? Object.fromEntries(next) : undefined);
  return (
    <details class="map">
      <summary>
        {label(field.name)} {entries.length > 0 && <small>{entries.map(([tag]) => tag).join(", ")}</small>}
      </summary>
      <Complaint path={path} id={id} />
      {entries.map(([tag, text], index) => (
        <div class="row" key={tag}>
          <code>{tag}</code>
          <input type="text" aria-label={`${label(field.name)} ${tag}`} value={String(text)} onInput={(event) => set(entries.map((entry, i) => (i === index ? [tag, event.currentTarget.value] : entry)))} />
          <button class="icon-button" aria-label={rules.remove(tag)} onClick={() => set(entries.filter((_, i) => i !== index))}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
      <div class="row">
        <input type="text" class="tag" placeholder="pt" aria-label={rules.newKey} value={key} onInput={(event) => setKey(event.currentTarget.value.trim())} />
        <button class="button small" disabled={!key || entries.some(([tag]) => tag === key)} onClick={() => (set([...entries, [key, ""]]), setKey(""))}>
          <Icon name="plus" /> {rules.add}
        </button>
      </div>
    </details>
  );
}

/** The rule and points of a row, in a few words. */
function gist(entry: JsonObject): string {
  const { pattern, points } = entry;
  const short = (value: JsonValue | undefined): string => {
    if (value === undefined || typeof value === "boolean") return "";
    if (typeof value === "string") return label(value.replace(/^DICE_SUM_/, "").toLowerCase());
    if (typeof value !== "object" || value === null) return String(value);
    return (Array.isArray(value) ? value : Object.values(value)).map(short).filter(Boolean).join(" + ");
  };
  if (pattern === undefined) return Object.values(entry).filter((value) => typeof value === "number").join(" → ");
  const kinds = Object.entries(pattern as JsonObject).map(([kind, value]) => `${label(kind)} ${short(value)}`.trim());
  return [...kinds, short(points)].filter(Boolean).join(" · ");
}

function ListForm({ field, value, path, onChange, desc }: FieldProps & { desc: DescMessage }) {
  const { rules } = words.value;
  const id = useId();
  const list = (value as JsonObject[] | undefined) ?? [];
  const [open, setOpen] = useState<number>();
  const set = (next: JsonObject[]) => onChange(next.length ? next : undefined);
  const move = (from: number, to: number) => {
    const next = [...list];
    next.splice(to, 0, ...next.splice(from, 1));
    set(next);
    if (open === from) setOpen(to);
  };
  const name = (entry: JsonObject, index: number) => String(entry.title || entry.id || `${label(field.name)} ${index + 1}`);
  return (
    <section class="list-form" aria-label={label(field.name)}>
      <h3>{label(field.name)}</h3>
      <Complaint path={path} id={id} />
      {list.map((entry, index) => {
        const own = `${path}[${index}]`;
        const wrong = [...violations.value.keys()].filter((key) => key === own || key.startsWith(`${own}.`) || key.startsWith(`${own}[`)).length;
        return (
          <div key={index} class={`entry ${wrong ? "wrong" : ""}`}>
            <div class="entry-head">
              <button class="entry-name" aria-expanded={open === index} onClick={() => setOpen(open === index ? undefined : index)}>
                {name(entry, index)} <small>{gist(entry)}</small> {wrong > 0 && <span class="badge">{rules.faults(wrong)}</span>}
              </button>
              <button class="icon-button" aria-label={rules.up(name(entry, index))} disabled={index === 0} onClick={() => move(index, index - 1)}>
                <Icon name="up" />
              </button>
              <button class="icon-button" aria-label={rules.down(name(entry, index))} disabled={index === list.length - 1} onClick={() => move(index, index + 1)}>
                <Icon name="down" />
              </button>
              <button class="icon-button" aria-label={rules.remove(name(entry, index))} onClick={() => (set(list.filter((_, i) => i !== index)), setOpen(undefined))}>
                <Icon name="cross" />
              </button>
            </div>
            {open === index && (
              <div class="entry-body">
                <Complaint path={own} id={`${id}-${index}`} />
                <MessageForm desc={desc} value={entry} path={own} onChange={(next) => set(list.map((old, i) => (i === index ? next : old)))} />
              </div>
            )}
          </div>
        );
      })}
      <button
        class="button small"
        onClick={() => {
          set([...list, FRESH[field.name]?.(list.length) ?? {}]);
          setOpen(list.length);
        }}
      >
        <Icon name="plus" /> {rules.add}
      </button>
    </section>
  );
}
