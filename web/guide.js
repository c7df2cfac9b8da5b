// A guiding text, made of the pieces that its answer names: elements of a short list are
// created by name and filled with text, so that nothing in it can run.
import { button, element } from "./list.js";
import { diagram } from "./board.js";

const atOnce = 200000; // characters of a text that are shown at once
const deepestGuide = 40; // elements within each other
const tags = /^(p|div|blockquote|pre|ul|ol|li|table|tr|td|th|b|i|u|s|sub|sup|br|hr)$/;
const blocks = /^(p|div|blockquote|pre|ul|ol|table|hr|h\d|fen)$/;
const needs = { li: ["ul", "ol"], tr: ["table"], td: ["tr"], th: ["tr"] }; // what an element stands in
const holds = { ul: "li", ol: "li", table: "tr", tr: "td" }; // what alone stands in an element

// hasContent says whether pieces show something: ChessBase keeps an empty page for each language.
export const hasContent = (pieces) => (pieces ?? []).some((p) => p.t?.trim() || p.o === "img" || p.o === "fen");

// guide makes a text. Links of the database lead where open says; picture promises the
// address of a picture, and is not there where there are none.
export function guide({ pieces = [], html }, does) {
  const root = element("div", "guide"), length = pieces.reduce((n, p) => n + (p.t?.length ?? 0), 0);
  const fill = (most) => {
    root.replaceChildren();
    let left = most;
    const some = pieces.flatMap((p) => (left <= 0 ? [] : [{ ...p, t: p.t?.slice(0, (left -= p.t.length) < 0 ? left : undefined) }]));
    (html ? nested : lines)(root, some, does);
    let level = 2; // of the heading before
    for (const e of root.querySelectorAll("[role=heading]")) {
      if (e.textContent.trim()) e.setAttribute("aria-level", String((level = Math.min(3 + Number(/h(\d)/.exec(e.className)[1]), level + 1))));
      else e.removeAttribute("role");
    }
    for (const a of root.querySelectorAll("a")) if (!a.textContent.trim()) a.replaceWith(...a.childNodes);
    if (length > most) root.append(button(`Show all ${length.toLocaleString("en")} characters`, () => fill(Infinity)));
  };
  fill(atOnce);
  return root;
}

// make makes the element of a piece.
function make(p, name, { open, picture, flipped }) {
  const kind = p.c ? "center" : "";
  if (name === "fen") return diagram(p.fen, flipped);
  if (name === "img") return image(p, picture);
  if (/^h[1-6]$/.test(name)) return element("div", `${kind} ${name}`, { role: "heading" });
  if (name !== "a") return element(tags.test(name) ? name : "span", kind);
  if (p.id) return element("a", "", { href: open(p.id) });
  if (/^\s*(https?:|mailto:)/i.test(p.href ?? "")) return element("a", "web", { href: p.href, target: "_blank", rel: "noopener noreferrer" });
  return element("span", p.link ? "lost" : "", p.link ? { title: "This is not in the database" } : {});
}

// nested puts the elements of a page of HTML into each other, each where it may stand.
function nested(root, pieces, does) {
  const stack = [["", root]], top = () => stack.at(-1);
  const close = (names, within = []) => {
    for (let i = stack.length - 1; i > 0; i--) {
      if (names.includes(stack[i][0])) return void (stack.length = i);
      if (within.includes(stack[i][0])) return;
    }
  };
  const put = (e) => top()[1].append(e), begin = (name, e) => (put(e), stack.push([name, e]));
  const fit = (name) => {
    for (let part; (part = holds[top()[0]]) && part !== name && !(name === "th" && part === "td"); ) begin(part, element(part));
  };
  for (const p of pieces) {
    const cell = needs[p.o];
    if (p.e) close([p.e], needs[p.e] || p.e === "table" ? [] : ["td", "th"]);
    else if (!p.o) {
      if (!p.t?.trim() && holds[top()[0]]) continue;
      fit("");
      put(p.t ?? "");
    } else {
      if (cell) close(p.o === "th" || p.o === "td" ? ["td", "th"] : [p.o], p.o === "li" ? cell : ["table"]);
      else if (blocks.test(p.o)) close(["p"], ["td", "th", "li", "div", "blockquote"]);
      if ((p.o === "td" || p.o === "th") && top()[0] === "table") begin("tr", element("tr"));
      const name = cell && !cell.includes(top()[0]) ? "div" : p.o;
      fit(name);
      const e = make(p, name, does);
      if (/^(br|hr|img|fen)$/.test(name)) put(e);
      else if (stack.length < deepestGuide) begin(name, e);
    }
  }
}

// lines makes paragraphs of a plain text. A line in larger letters than most of the text
// is a heading.
function lines(root, pieces, does) {
  const sizes = new Map();
  for (const p of pieces) sizes.set(p.s ?? 0, (sizes.get(p.s ?? 0) ?? 0) + (p.t?.length ?? 0));
  const body = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a), [0, -1])[0];
  let line = [], smallest = Infinity, center = false;
  const end = () => {
    const size = body && smallest < Infinity ? smallest / body : 1, e = make({ c: center }, size >= 1.5 ? "h1" : size >= 1.25 ? "h2" : "p", does);
    e.append(...line);
    e.classList.add("line");
    if (e.textContent.trim() || e.querySelector(".picture")) root.append(e);
    line = [];
    smallest = Infinity;
  };
  for (const p of pieces) {
    center = p.c;
    if (p.o === "fen" || p.o === "hr") {
      end();
      root.append(make(p, p.o, does));
      continue;
    }
    const link = p.o ? make(p, p.o, does) : null, l = p.link ?? {};
    const text = p.o === "a" ? (p.t || l.title || [l.white, l.black, l.event].filter(Boolean).join(" – ")).replaceAll("\n", " ") : p.o ? "" : p.t ?? "";
    text.split("\n").forEach((t, i) => {
      if (i) end();
      if (t.trim()) smallest = Math.min(smallest, p.s ?? 0);
      const styled = [...(p.k ?? "")].reduce((e, k) => (k === "u" && link ? e : element(k, "", {}, e)), t);
      if (link && t) link.append(styled);
      line.push(link ?? styled);
    });
  }
  end();
}

// image shows a picture once it is there, and what it is called as long as it is not.
function image({ src, t }, picture) {
  const name = t || src || "one of another place", box = element("span", "picture", {}, `Picture: ${name}`);
  if (src) picture?.(src).then((address) => {
    const img = element("img", "", { alt: name, src: address });
    img.addEventListener("load", () => { box.replaceChildren(img); URL.revokeObjectURL(address); });
    img.addEventListener("error", () => { box.textContent = `Picture: ${name} cannot be shown`; });
  }, (error) => { box.title = error.message; });
  return box;
}
