// The moves of a game with all that is written at them, as elements in the order
// in which they are read. Variations may be nested as deep as they like: there is
// no recursion, and a line deeper than a few is set in no further.
import { button, element } from "./list.js";
import { diagram, inWords } from "./board.js";
import { guide, hasContent } from "./guide.js";

const deepest = 6;
const longest = 20000; // characters of a comment that are shown at once

// Game knows its moves as a tree: those of the game, and behind them those of the user's
// own, of which the page keeps a list.
export class Game {
  constructor(data, own = []) {
    this.data = data.contents ? { ...data, contents: data.contents.filter((c) => hasContent(c.pieces)) } : data;
    this.nodes = [...data.nodes];
    this.kids = [[], ...this.nodes.map(() => [])]; // of each move, with -1 first, those that may follow
    this.nodes.forEach(({ p }, i) => this.kids[p + 1].push(i));
    this.hidden = new Set(); // nodes whose move is the answer to a question
    this.nodes.forEach((n, i) => { if (note(n, "training")) this.hidden.add(i); });
    this.own = own;
    for (const n of own.splice(0)) if (n.p < this.nodes.length && this.fen(n.p) === n.before) this.add(n.p, n); // as long as the game is the same
  }

  fen(n) { return n < 0 ? this.data.start : this.nodes[n].fen; }
  parent(n) { return n < 0 ? -1 : this.nodes[n].p; }
  next(n) { return this.kids[n + 1][0] ?? -1; }

  // choices are the moves that may follow, the main one first.
  choices(n) { return this.kids[n + 1]; }

  isMain(n) { return this.next(this.nodes[n].p) === n; }

  // add adds a move of the user's own.
  add(p, { san, fen, from, to }) {
    const node = { p, san, fen, from, to, own: true, before: this.fen(p) };
    this.kids[p + 1].push(this.nodes.length);
    this.kids.push([]);
    this.own.push(node);
    return this.nodes.push(node) - 1;
  }

  // stored is the move itself, or the last one before it that stands in the game.
  stored(n) {
    while (n >= 0 && this.nodes[n].own) n = this.nodes[n].p;
    return n;
  }

  // pgn is the line of a move as a game by itself.
  pgn(n) {
    const d = this.data, line = [], tag = (name, value) => `[${name} "${String(value || "?").replace(/["\\]/g, "\\$&")}"]\n`;
    for (let m = this.lineEnd(n); m >= 0; m = this.parent(m)) line.unshift(m);
    const start = d.start === "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" ? "" : tag("SetUp", 1) + tag("FEN", d.start);
    const text = line.map((m, i) => `${i && this.number(m).endsWith("…") ? "" : this.number(m).replace("…", "...") + " "}${this.nodes[m].san}`).join(" ");
    return tag("Event", d.event) + tag("Site", d.place) + tag("Date", d.date || "????.??.??") + tag("Round", d.round) + tag("White", d.white) + tag("Black", d.black) +
      tag("Result", "*") + start + "\n" + `${text} *`.replace(/(.{1,79})( |$)/g, "$1\n") + "\n";
  }

  number(n) {
    const [, turn, , , , full] = this.fen(this.parent(n)).split(" ");
    return `${full}${turn === "w" ? "." : "…"}`;
  }

  lineEnd(n) {
    for (let next; (next = this.next(n)) >= 0 && !this.hidden.has(next); ) n = next;
    return n;
  }

  mainLine() {
    const line = [];
    for (let n = this.next(-1); n >= 0; n = this.next(n)) line.push(n);
    return line;
  }

  title(n) {
    if (n < 0) return "Starting position";
    const { san, words } = this.nodes[n];
    return `${this.number(n)} ${san}${words ? `, ${words}` : ""}`;
  }

  languages() {
    const all = new Set();
    for (const { texts } of [this.data, ...this.nodes]) for (const t of texts ?? []) if (t.lang) all.add(t.lang);
    for (const t of this.data.contents ?? []) if (t.lang) all.add(t.lang);
    return [...all].sort();
  }
}

export const note = (node, kind) => node?.notes?.find((n) => n.kind === kind);
const fits = (language) => (t) => !language || !t.lang || t.lang === language;

// figured writes a move with figurines; written writes a date without what is not known.
export const figured = (san) => san.replace(/[KQRBN]/g, (p) => "♔♕♖♗♘"["KQRBN".indexOf(p)]);
export const written = (date) => (date ?? "").replace(/(\.\?\?)+$/, "").replace(/^\?+$/, "");

// spoken is what is said of a move: its notation in words a voice can read.
export function spoken(san) {
  const names = { K: "king ", Q: "queen ", R: "rook ", B: "bishop ", N: "knight " };
  return san.replace(/^O-O-O/, "castles queenside").replace(/^O-O/, "castles kingside").replace(/=(.)/, (_, p) => ` becomes ${names[p] ?? p}`)
    .replace(/^[KQRBN]/, (p) => names[p]).replace("x", " takes ").replace("+", ", check").replace("#", ", mate").replace(/^--/, "no move");
}

// Notation draws a game into an element.
export class Notation {
  constructor(root, { go, reveal }) {
    Object.assign(this, { root, go, reveal, replies: new Map() }); // replies: what was said to answers, by move
    root.addEventListener("click", (e) => {
      const move = e.target.closest("a.move");
      if (!move || e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      go(Number(move.dataset.n));
    });
  }

  show(game, { language, link, flipped, figurines, open, picture }) {
    Object.assign(this, { game, language, link, flipped, figurines, open, picture });
    this.moves = new Map();
    this.replies.clear();
    this.out = document.createDocumentFragment();
    this.paragraph(0);
    const whole = game.data;
    for (const f of whole.faults ?? []) this.out.append(element("p", "fault", {}, f));
    for (const t of (whole.texts ?? []).filter(fits(language))) this.out.append(comment(t.text, "p"));
    for (const n of whole.notes ?? []) this.remark(n, whole);
    if (whole.text) this.article();
    this.paragraph(0);
    this.walk();
    if (!whole.text) this.block.append(" ", element("b", "result", {}, resultOf(whole)));
    this.root.replaceChildren(this.out);
  }

  paragraph(depth) {
    if (this.block && !this.block.hasChildNodes()) this.block.remove();
    this.block = element("div", `line d${Math.min(depth, deepest)}`);
    this.out.append(this.block);
    this.depth = depth;
    this.fresh = true; // the next move needs its number
  }

  // walk puts out moves, each followed by its variations, then by what follows it.
  walk() {
    const first = this.game.next(-1);
    const open = first < 0 ? [] : [{ node: first, depth: 0 }];
    while (open.length) {
      const { node, depth, begins, ends } = open.pop();
      if (ends) {
        if (this.block.lastChild?.data === " ") this.block.lastChild.remove();
        this.block.append(element("span", "bracket", {}, ")"), " ");
        continue;
      }
      if (begins) {
        this.paragraph(depth);
        this.block.append(element("span", "bracket", {}, "("));
      } else if (depth !== this.depth) this.paragraph(depth);
      if (this.game.hidden.has(node)) {
        this.question(node);
        continue;
      }
      this.move(node);
      const next = this.game.next(node);
      if (next >= 0) open.push({ node: next, depth });
      if (this.game.isMain(node)) {
        const others = this.game.choices(this.game.parent(node)).slice(1);
        for (const other of others.reverse()) open.push({ depth: depth + 1, ends: true }, { node: other, depth: depth + 1, begins: true });
      }
    }
  }

  move(n) {
    const { game, block } = this, node = game.nodes[n];
    const texts = (node.texts ?? []).filter(fits(this.language));
    for (const t of texts) if (t.before) this.text(t.text);
    const number = game.number(n);
    const label = this.fresh || number.endsWith(".") ? number : "";
    const link = element("a", node.own ? "move own" : "move", { href: this.link(n), "data-n": String(n), tabindex: "-1" });
    const signs = element("span", "", { role: "img", "aria-label": `${spoken(node.san)}${node.words ? `, ${node.words}` : ""}` }, this.figurines ? figured(node.san) : node.san);
    if (node.prefix) link.append(element("span", "sign", { "aria-hidden": "true" }, node.prefix + " "));
    link.append(element("span", label ? "number" : "number sr", {}, number), signs);
    if (node.worth) signs.append(element("span", `sign w${node.worth.length > 2 ? "" : ["!", "?", "!!", "??", "!?", "?!"].indexOf(node.worth)}`, {}, node.worth));
    if (node.signs) signs.append(element("span", "sign", {}, " " + node.signs));
    this.moves.set(n, link);
    this.block.append(link, " ");
    this.fresh = false;
    if (node.spent !== undefined) this.small(`(${duration(node.spent)})`, "time used");
    for (const t of texts) if (!t.before) this.text(t.text);
    if (node.diagram) {
      this.block.append(diagram(node.fen, this.flipped));
      this.fresh = true;
    }
    for (const a of node.notes ?? []) this.remark(a, node);
    if (node.said) this.block.append(element("p", "reply said", {}, node.said)); // to the answer that was played
    return block;
  }

  small(text, title) { this.block.append(element("small", "", { title }, text), " "); }

  text(text) {
    this.block.append(comment(text, "span"), " ");
    this.fresh = true;
  }

  // remark shows what has no other place: one short sentence or block for each kind.
  remark(a, node) {
    const say = (text, kind = "remark") => {
      this.block.append(element("span", kind, {}, text), " ");
      this.fresh = true;
    };
    switch (a.kind) {
      case "engine": return this.small(verdict(node.eval ?? { pawns: a.value / 100 }), `evaluation${a.depth ? `, depth ${a.depth}` : ""}`);
      case "critical": return say(`Critical position${a.phase ? `: ${a.phase}` : ""}`);
      case "medals": return say((a.medals ?? []).map((m) => (m === "user" ? "a medal of the user's" : m.replaceAll("-", " "))).join(", "), "remark medal");
      case "pawn-structure": return say(`Pawn structure ${a.structure ?? 0}`);
      case "piece-path": return say(`Path of the piece on ${a.square ?? "?"}`);
      case "video-time": return say(`Video at ${duration((a.time ?? 0) / 1000)}`);
      case "opaque": return say(`A note of an unknown kind (${a.format ?? ""} ${a.type ?? ""})`);
      case "clock": return say(`Clock of ${a.player ?? "white"}: ${duration((a.centiseconds ?? 0) / 100)}`);
      case "time-control": return say("Time: " + (a.stages ?? []).filter((s) => s.type !== 5).map((s) =>
        `${duration((s.startCentiseconds ?? 0) / 100)}${s.incrementCentiseconds ? ` + ${s.incrementCentiseconds / 100} s` : ""}${s.moves && s.moves < 1000 ? ` for ${s.moves} moves` : ""}`).join(", then "));
      case "quotation": return say(quotation(a, node.quoted?.[(node.notes ?? []).filter((n) => n.kind === a.kind).indexOf(a)]), "remark quotation");
      case "web-link": return this.webLink(a);
      case "variation-color": {
        this.block.style.borderInlineStartColor = `rgb(${a.red ?? 0}, ${a.green ?? 0}, ${a.blue ?? 0})`;
        this.block.classList.add("colored");
      }
    }
  }

  // webLink names where a link leads; only addresses of the web can be followed.
  webLink({ url = "", caption = "" }) {
    const safe = /^https?:\/\//i.test(url);
    const label = caption && caption !== url ? `${caption} (${url})` : url;
    this.block.append(safe ? element("a", "web", { href: url, target: "_blank", rel: "noopener noreferrer" }, label) : element("span", "remark", {}, label), " ");
  }

  // question shows a training question in place of its answer.
  question(n) {
    const { game, language } = this, t = note(game.nodes[n], "training");
    const words = (list) => (list ?? []).filter(fits(language)).map((x) => x.text).join(" ");
    const box = element("div", "training", { role: "group", "aria-label": "Training question" });
    box.append(element("p", "", {}, words(t.question) || `What would you play? (${game.number(n)})`));
    for (const [name, text] of [["First hint", words(t.firstHint)], ["Second hint", words(t.secondHint)]])
      if (text) box.append(element("details", "", {}, element("summary", "", {}, name), text));
    const worth = [t.points && `${t.points} points`, t.seconds && `time ${duration(t.seconds)}`].filter(Boolean).join(", ");
    if (worth) box.append(element("p", "remark", {}, worth));
    const reply = element("p", "reply", {}, "");
    this.replies.set(n, reply);
    box.append(reply, element("div", "", {}, button("Show the answer", () => this.reveal(n)), " ", button("Answer on the board", () => this.go(game.parent(n)))));
    this.block.append(box);
    this.fresh = true;
  }

  // article shows a guiding text.
  article() {
    const { data } = this.game;
    const titles = (data.titles ?? []).filter(fits(this.language));
    if (titles.length > 1 || titles[0] && titles[0] !== data.titles[0]) for (const t of titles) this.out.append(element("h3", "", {}, t.text));
    for (const t of (data.contents ?? []).filter(fits(this.language))) this.out.append(guide(t, this));
    if (data.media?.length) this.out.append(element("p", "remark", {}, `Pictures, sounds and films: ${data.media.join(", ")}`));
  }

  // mark shows where in the notation the board is.
  mark(n) {
    this.current?.removeAttribute("aria-current");
    this.current?.setAttribute("tabindex", "-1");
    this.current = this.moves.get(n);
    this.current?.setAttribute("aria-current", "true");
    this.current?.setAttribute("tabindex", "0");
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.look());
  }

  // look brings the move into sight: in its pane, or on a phone, where the page
  // scrolls, between what stays at its edges.
  look() {
    const pane = getComputedStyle(this.root).overflowY !== "visible", scroller = pane ? this.root : window;
    if (!this.current) return scroller.scrollTo(0, 0);
    const box = this.root.getBoundingClientRect(), at = this.current.getBoundingClientRect(), edges = getComputedStyle(document.documentElement);
    const [top, bottom] = pane ? [box.top + 8, box.bottom - 8] : [parseFloat(edges.scrollPaddingTop), innerHeight - parseFloat(edges.scrollPaddingBottom)];
    if (at.top < top || at.bottom > bottom) scroller.scrollBy(0, at.top - top - (bottom - top) / 3);
  }
}

// comment shows a text, of a very long one the beginning until the user wants all.
function comment(text, name, kind = "comment") {
  const e = element(name, kind, {}, text.length > longest ? text.slice(0, longest) + "… " : text);
  if (text.length > longest) e.append(button(`Show all ${text.length.toLocaleString("en")} characters`, () => e.replaceChildren(text)));
  return e;
}

function quotation(q, moves) {
  const head = `${[q.white, q.black].filter(Boolean).join(" – ")}${q.event || q.site ? `, ${q.event || q.site}` : ""}${q.date ? ` ${q.date.slice(0, 4)}` : ""}${q.result ? `, ${q.result}` : ""}`;
  return moves ? `${head}: ${moves}` : head;
}

export function resultOf(data) {
  return `${(data.result ?? "*").replace("1/2-1/2", "½–½").replace(/^(\d)-(\d)$/, "$1–$2")}${data.forfeit ? " (forfeit)" : ""}`;
}

export function duration(seconds) {
  const s = Math.round(seconds), two = (n) => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

export function verdict({ pawns, mate }) {
  return mate ? `#${mate}` : `${pawns > 0 ? "+" : ""}${pawns.toFixed(2)}`;
}
