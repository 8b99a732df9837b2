// A failure, and how to repeat the action.
import { slow, token } from "../rpc/client";
import type { Failure } from "../rpc/failure";
import { words } from "../i18n";

export function Notice({ failure, kept }: { failure?: Failure; kept?: string }) {
  const { failures } = words.value;
  if (!failure) return null;
  return (
    <div class="notice" role="alert">
      <p>
        <strong>{failure.text}</strong> {kept}
      </p>
      {failure.violations.length > 0 && (
        <ul>
          {failure.violations.map(({ field, description }) => (
            <li key={field + description}>
              <code>{field}</code> {description}
            </li>
          ))}
        </ul>
      )}
      {failure.wantsToken && (
        <label class="field">
          <span>{failures.tokenLabel}</span>
          <input type="password" value={token.value} onInput={(event) => (token.value = event.currentTarget.value)} />
        </label>
      )}
      {failure.retry && (
        <button class="button" onClick={failure.retry}>
          {failures.again}
        </button>
      )}
    </div>
  );
}

/** The notice that the service takes long. */
export function Waiting() {
  return (
    <p class={`waiting ${slow.value ? "shown" : ""}`} role="status">
      {slow.value ? words.value.failures.slow : ""}
    </p>
  );
}
