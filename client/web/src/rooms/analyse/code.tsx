// The request as a caller would send it, to copy.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";

import { words } from "../../i18n";
import { Icon } from "../../parts/icon";
import { asJson } from "./question";
import { samples } from "./samples";

const chosen = signal<keyof typeof samples>("grpcurl");

export function Code() {
  const { analyse } = words.value;
  const [copied, setCopied] = useState(false);
  const text = samples[chosen.value](asJson());
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <section class="card code" aria-labelledby="code">
      <div class="row between">
        <h2 id="code">{analyse.code}</h2>
        <button class="button small" onClick={() => void copy()}>
          <Icon name="copy" /> <span aria-live="polite">{copied ? analyse.copied : analyse.copy}</span>
        </button>
      </div>
      <div class="segments" role="group" aria-label={analyse.code}>
        {(Object.keys(samples) as (keyof typeof samples)[]).map((name) => (
          <button key={name} aria-pressed={chosen.value === name} onClick={() => (chosen.value = name)}>
            {name}
          </button>
        ))}
      </div>
      <pre tabIndex={0} aria-label={chosen.value}>
        {text}
      </pre>
    </section>
  );
}
