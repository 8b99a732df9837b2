// What the browser stores for the page. A browser that forbids it, or is full, stores nothing.
type Store = "localStorage" | "sessionStorage";

export function stored(key: string, store: Store = "localStorage"): string | null {
  try {
    return window[store].getItem(key);
  } catch {
    return null;
  }
}

export function storeAs(key: string, value: string, store: Store = "localStorage"): void {
  try {
    window[store].setItem(key, value);
  } catch {
    // Games are in the address and in files, too.
  }
}
