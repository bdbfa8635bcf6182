// What the script of a tournament's page needs of a browser, and a reader who clicks.

const listeners = [];

class Element {
  attributes = {};
  children = [];
  dataset = {};
  style = {};
  hidden = false;
  value = "";
  textContent = "";
  innerHTML = "";
  setAttribute(key, value) {
    this.attributes[key] = `${value}`;
    if (key.startsWith("data-")) this.dataset[key.slice(5)] = `${value}`;
  }
  getAttribute(key) {
    return this.attributes[key] ?? null;
  }
  removeAttribute(key) {
    delete this.attributes[key];
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  addEventListener(type, act) {
    listeners.push({ on: this, type, act });
  }
  getBoundingClientRect() {
    return { left: 0, width: 400 };
  }
  get lastChild() {
    return this.children.at(-1);
  }
  querySelectorAll() {
    return [];
  }
}

// Opens a page of which the first game is given two mistakes: what is shown after clicks on both ends of the graph and
// three on the next mistake, and which moves are marked.
export function read(page) {
  const part = (from, to) => page.split(from)[1].split(to)[0];
  const byName = Object.fromEntries([...page.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => [id, new Element()]));
  byName.facts.textContent = part('id="facts">', "</script>");
  // Plies 2 and 5.
  byName.lines.textContent = part('id="lines">\n', "</script>").replace(/,$/m, ",2.5");
  globalThis.document = {
    getElementById: id => byName[id],
    createElement: () => new Element(),
    createElementNS: () => new Element(),
    querySelectorAll: () => [],
  };
  globalThis.location = { hash: "" };
  globalThis.history = { replaceState() {} };
  (0, eval)(part("<script>\n", "</script>"));
  const click = (id, event) =>
    listeners.filter(({ on, type }) => on === byName[id] && type === "click").forEach(({ act }) => act(event));
  const shown = [
    () => click("graph", { clientX: 400 }),
    () => click("graph", { clientX: 0 }),
    ...Array(3).fill(() => click("next-mistake")),
  ].map(act => {
    act();
    return byName.ply.textContent;
  });
  const texts = byName.moves.children.map(row => row.children[2].children[0].children[0]);
  return { shown, marked: texts.flatMap((text, index) => (text.endsWith(" ??") ? [index + 1] : [])) };
}
