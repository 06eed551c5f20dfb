// What is looked at inside the browser. `watch` is there before a page; the others are asked once it stands.
const watch = () => {
  window.tried = [];
  for (const name of ["alert", "confirm", "prompt", "open", "print"]) window[name] = () => { window.tried.push(name); };
  const listen = window.addEventListener;
  window.addEventListener = function (kind, ...rest) {
    if (kind === "beforeunload" || kind === "unload") window.tried.push(kind);
    return listen.call(this, kind, ...rest);
  };
  Object.defineProperty(window, "onbeforeunload", { set() { window.tried.push("beforeunload"); } });
};

// A display as it is written, never run: what it is made of, and the same without anything that styles.
const anatomy = (text) => {
  const box = document.createElement("template");
  box.innerHTML = text;
  const all = [...box.content.querySelectorAll("*")];
  const faults = [];
  const of = (names) => all.filter((it) => names.includes(it.localName));
  if (box.content.childElementCount !== 1) faults.push(`${box.content.childElementCount} elements at the top`);
  for (const it of of(["script", "iframe", "frame", "object", "embed", "link", "meta", "base", "img", "form", "input", "a"]))
    faults.push(`element <${it.localName}>`);
  for (const it of all)
    for (const { name, value } of it.attributes) {
      if (name === "id" || name === "name" || name.startsWith("on")) faults.push(`attribute ${name} of ${it.localName}`);
      if (/^(xlink:)?(href|src|srcset|srcdoc|action|formaction|poster|data|ping|background|cite)$/.test(name))
        faults.push(`address in ${name} of ${it.localName}: ${value.slice(0, 40)}`);
      if (name === "style" && /url|expression|import/i.test(value)) faults.push(`style of ${it.localName}: ${value.slice(0, 40)}`);
    }
  for (const table of of(["table"])) {
    if (!table.caption || !table.caption.textContent.trim()) faults.push("a table without a caption");
    const heads = [...table.querySelectorAll("th")];
    if (!heads.length || heads.some((it) => !["col", "row"].includes(it.getAttribute("scope")))) faults.push("a header cell without scope");
    const rows = table.tBodies[0] ? table.tBodies[0].rows.length : 0;
    if (rows > 20) faults.push(`${rows} rows in a table`);
    const widths = new Set([...table.rows].map((row) => [...row.cells].reduce((n, cell) => n + cell.colSpan, 0)));
    if (widths.size > 1) faults.push("rows of different widths in a table");
  }
  for (const drawing of of(["svg"])) {
    if (drawing.getAttribute("role") !== "img" || !drawing.getAttribute("aria-label")?.trim()) faults.push("a drawing without a label");
    if (drawing.firstElementChild?.localName !== "title" || !drawing.firstElementChild.textContent.trim()) faults.push("a drawing without a title");
  }
  const style = of(["style"]).map((it) => it.textContent).join("\n");
  for (const it of of(["style"])) it.remove();
  for (const it of box.content.querySelectorAll("*"))
    for (const name of ["class", "style"]) it.removeAttribute(name);
  return { faults: [...new Set(faults)], style, bare: box.innerHTML, n: all.length };
};

const unfold = () => document.querySelectorAll("details").forEach((it) => { it.open = true; });

// The words that a reader sees in each display, drawings and style sheets left aside, and words only a style makes.
const words = () => [...document.querySelectorAll("[data-display]")].map((section) => {
  const seen = [], made = [];
  const walk = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const holder = walk.currentNode.parentElement;
    if (holder.closest("style, svg")) continue;
    if (holder.checkVisibility({ visibilityProperty: true, opacityProperty: true })) seen.push(walk.currentNode.data);
  }
  for (const it of section.querySelectorAll("*"))
    for (const place of ["::before", "::after"]) {
      const content = getComputedStyle(it, place).content;
      if (!["none", "normal"].includes(content) && it.localName !== "summary") made.push(content);
    }
  return { seen: seen.join("\n"), made };
});

// Where a display is cut off or laid over another: cells whose content is wider than they are, text out of the frame.
const clipped = () => [...document.querySelectorAll("[data-display]")].map((section) => {
  const found = [];
  const frame = section.querySelector(".fr");
  if (!frame) return ["no display"];
  const right = frame.getBoundingClientRect().left + frame.scrollWidth + 2;
  for (const cell of frame.querySelectorAll("td, th, p, li, dd, pre, caption")) {
    if (cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).display !== "inline") found.push(`${cell.localName} ${cell.textContent.slice(0, 40)}`);
    if (cell.getBoundingClientRect().right > right + 1) found.push(`${cell.localName} beyond the frame`);
  }
  return [...new Set(found)];
});

// axe-core on all displays at once, what it finds by display: what breaks a rule, and texts whose contrast it could not decide.
const audit = async (kind, values) => {
  const found = [...document.querySelectorAll("[data-display]")].map(() => []);
  const run = { type: kind, values };
  const off = ["heading-order", "page-has-heading-one", "region", "landmark-unique"]; // these judge the notebook around
  const rules = kind === "rule" ? {} : Object.fromEntries(off.map((name) => [name, { enabled: false }]));
  if (kind === "rule") document.querySelectorAll("svg").forEach((it) => it.remove());
  const told = await axe.run(document, { runOnly: run, rules, resultTypes: ["violations", "incomplete"], elementRef: true });
  const keep = (node, text) => found[node.element.closest("[data-display]")?.dataset.display ?? 0]
    .push(`${text}: ${node.element.outerHTML.slice(0, 90)} ${node.any[0]?.message ?? node.all[0]?.message ?? ""}`);
  for (const it of told.violations) for (const node of it.nodes) keep(node, it.id);
  for (const it of told.incomplete.filter((it) => it.id === "color-contrast"))
    for (const node of it.nodes)
      if (!["nonBmp", "shortTextContent"].includes(node.any[0]?.data?.messageKey) && !node.element.closest("svg")) keep(node, "contrast undecided");
  return found;
};
