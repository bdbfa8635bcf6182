// What the browser keeps for the page.

// What a full or forbidden store does not take is kept until the page is left.
const unstored = new Map();

// Whether the browser has stored it.
export function keep(key, value) {
  const text = JSON.stringify(value);
  unstored.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    unstored.set(key, text);
    return false;
  }
}
// A report that the server shows may not read what is kept: there its address says how the page looked.
const asked = new URLSearchParams(globalThis.location?.search);
export function kept(key, otherwise = null) {
  let text = "";
  try {
    text = unstored.get(key) ?? localStorage.getItem(key);
    return JSON.parse(text) ?? otherwise;
  } catch {
    // Earlier versions have stored the language as it is.
    return asked.get(key) ?? (key === "language" && /^\w+$/.test(text) ? text : otherwise);
  }
}

export function keptKeys() {
  const keys = new Set(unstored.keys());
  try {
    Object.keys(localStorage).forEach(key => keys.add(key));
  } catch {
    /* a forbidden store has none */
  }
  return [...keys].filter(key => unstored.get(key) !== "null");
}
