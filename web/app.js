// The page: which list, which game, which move. All of it stands in the address,
// so that each game and each ply has one.
import { carrier } from "./carrier.js";
import { Board, balance, diagram, inWords } from "./board.js";
import { List, button, element } from "./list.js";
import { memory } from "./memory.js";
import { Game, Notation, duration, figured, note, resultOf, spoken, verdict, written } from "./notation.js";
import { book, report } from "./explorer.js";
import { about, curves, scores } from "./panels.js";
import { split } from "./panes.js";
import { Hand } from "./play.js";

const $ = (id) => document.getElementById(id);
const state = { sources: [], books: [], db: 0, where: "", sort: "", id: 0, node: -1, kind: "", tab: "notation", language: "", find: "" };
const listed = { as: {} }; // what the list shows, and what it was asked for last
let game = null, list = null, place = () => {}, playing = 0;

const board = new Board($("board"));
const notation = new Notation($("notation"), { go, reveal });
const hand = new Hand(board, { legal, play: playMove, step, miss: (m) => carrier.alone && question() >= 0 && answer(m) }); // a page that is alone knows no wrong moves
const chosen = new Set(); // what is printed, by database and game
const owns = new Map(); // moves of the user's own, by game

// ask calls the source. What takes long shows its progress and can be cancelled;
// what is asked again for the same place cancels what was asked before.
const asked = new Map();
async function ask(name, args, { slot = name, doing } = {}) {
  asked.get(slot)?.abort();
  const abort = new AbortController();
  asked.set(slot, abort);
  const late = doing && setTimeout(() => busy(doing, abort), 300);
  try {
    return await carrier.call(name, args, { signal: abort.signal, progress: (done, total) => {
      if (busyWith === abort && total > 0) Object.assign($("done"), { max: total, value: Math.min(done, total) });
    } });
  } finally {
    clearTimeout(late);
    if (doing && busyWith === abort) busy("");
    if (asked.get(slot) === abort) asked.delete(slot);
  }
}

let busyWith = null;
function busy(text, abort = null) {
  $("busy").hidden = !text;
  $("doing").textContent = text;
  busyWith = abort;
  $("done").removeAttribute("value");
}

function problem(error) {
  if (error?.name === "AbortError") return;
  $("problem").textContent = error ? String(error.message ?? error) : "";
  $("problem").hidden = !error;
}

// guarded shows what goes wrong.
const guarded = (f) => (...args) => (problem(null), f(...args).catch(problem));

const say = (text) => { $("say").textContent = text; };

// tell says something to the eye, too.
let telling = 0;
function tell(text) {
  say(text);
  Object.assign($("told"), { textContent: text, hidden: false });
  clearTimeout(telling);
  telling = setTimeout(() => { $("told").hidden = true; }, 2500);
}
const count = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

// ---- the list

const name = "minmax(76px, 1.6fr)";
const gameColumns = [ // want: from which width of the list they are shown unless the user chooses
  { title: "No", class: "id", width: "46px", sort: "", want: 560, cell: (r) => String(r.id) },
  { title: "White", class: "name", width: name, sort: "white", player: "white", cell: (r) => r.error ?? r.white ?? "", spans: (r) => r.text },
  { title: "Elo", class: "elo", width: "37px", sort: "white-elo", want: 430, under: true, cell: (r) => String(r.whiteElo ?? "") },
  { title: "Black", class: "name", width: name, sort: "black", under: true, player: "black", cell: (r) => r.black ?? "" },
  { title: "Elo", class: "elo second", width: "37px", sort: "black-elo", want: 430, under: true, cell: (r) => String(r.blackElo ?? "") },
  { title: "Result", class: "res", width: "49px", sort: "result", cell: (r) => (r.text ? "Text" : resultOf({ result: r.result })) },
  { title: "ECO", class: "eco", width: "34px", sort: "eco", want: 430, cell: (r) => r.eco ?? "", hint: (r) => r.opening },
  { title: "Date", class: "date", width: "76px", sort: "date", cell: (r) => written(r.date) },
  { title: "Event", class: "event", width: "minmax(44px, 1fr)", sort: "event", want: 430, cell: (r) => r.event ?? "" },
  { title: "Round", class: "event", width: "46px", sort: "round", want: 760, cell: (r) => r.round ?? "" },
  { title: "Place", class: "event", width: "minmax(50px, 1fr)", sort: "place", want: 900, cell: (r) => r.place ?? "" },
];

// columnsOf returns the columns with those hidden that have no room, or were not chosen.
function columnsOf(columns) {
  const wide = $("list").clientWidth, chosen = columns === gameColumns && Array.isArray(memory("columns")) ? memory("columns") : null;
  const short = (c) => c.player && wide < 620 && { cell: (r) => (r.text || r.error ? c.cell(r) : (r[c.player] ?? "").replace(/^([^,]+, .).*/u, "$1")), hint: (r) => r[c.player] };
  return columns.map((c, i) => ({ ...c, ...short(c), hidden: chosen && wide > 430 ? !chosen.includes(i) : wide < (c.want ?? 0) }));
}

const entityColumns = [
  { title: "Name", class: "name wide", width: "minmax(0, 2fr)", sort: "name", cell: (r) => r.name },
  { title: "Games", class: "elo", width: "62px", sort: "games", cell: (r) => String(r.games) },
  { title: "Years", class: "date", width: "92px", sort: "year", cell: (r) => (r.firstYear ? (r.firstYear === r.lastYear ? String(r.lastYear) : `${r.firstYear}–${r.lastYear}`) : "") },
  { title: "Elo", class: "elo", width: "44px", sort: "elo", want: 380, cell: (r) => String(r.maxElo ?? "") },
  { title: "Place", class: "event", width: "minmax(0, 1.2fr)", want: 430, cell: (r) => [r.place, r.nation].filter(Boolean).join(", ") },
];

function listArgs() {
  return state.kind ? ["entities", { db: state.db, kind: state.kind, sort: state.sort, find: state.find }] : ["list", { db: state.db, where: state.where, sort: state.sort }];
}

// showList asks for the list that the state names. What was shown before stays until
// the answer is there, and for good if that is cancelled or refused.
const showList = guarded(async () => {
  const [call, args] = listArgs(), { db, kind, where, sort, find } = state;
  const marked = ({ rows }) => rows.map((r) => ({ ...r, class: r.error ? "fault" : r.deleted ? "deleted" : r.text ? "article" : "" }));
  const doing = kind ? "Counting" : sort ? "Sorting" : "Searching";
  const wanted = (listed.wanted = {});
  const edition = await editionOf(db); // beforehand, so that a later list is never taken for an older one
  if (listed.wanted !== wanted) return undefined; // for another one was asked meanwhile
  const answer = await ask(call, { ...args, from: 0, n: 100, ...(state.id && !kind ? { at: state.id } : {}) }, { slot: "list", doing }).catch((error) => {
    if (listed.wanted === wanted && list) aim(listed.as, $("query").value);
    throw error;
  });
  listed.as = { db, kind, where, sort, find };
  list?.close();
  const at = $("list").contains(document.activeElement) && document.activeElement.textContent;
  list = new List($("list"), {
    label: kind || "Games", columns: columnsOf(kind ? entityColumns : gameColumns), sorted: sort, total: answer.total, rows: marked(answer),
    load: (from, n) => carrier.call(call, { ...args, from, n }).then((a) => (aged(), marked(a))),
    mark: kind ? null : (row) => {
      const key = `${db}/${row.id}`, is = !chosen.delete(key) && Boolean(chosen.add(key));
      tell(`${is ? "Chosen" : "No longer chosen"} for paper: ${chosen.size ? count(chosen.size, "game") : "none is"}.`);
      chips();
      printed();
      return is;
    },
    chosen: (row) => !kind && chosen.has(`${db}/${row.id}`),
    open: (row) => state.db === db && (kind ? openEntity(row, kind) : openGame(row.id).then(() => view("game"))),
    sort: (key) => { // first the best players; entities have one order a column
      if (!key) return void (aim({ sort: "" }), showList()); // the order of the file
      const [first, second] = kind ? [key, key] : key.endsWith("elo") ? [`-${key}`, key] : [key, `-${key}`];
      aim({ sort: sort === first ? second : first });
      showList();
    },
  });
  if (at !== false) ([...$("list").querySelectorAll("button")].find((b) => b.textContent === at) ?? list.grid).focus();
  const texts = answer.texts ?? 0, parts = [(answer.total > texts || !texts) && count(answer.total - texts, "game"), texts && count(texts, "text")].filter(Boolean);
  $("count").textContent = kind ? count(answer.total, kind.slice(0, -1), kind) : parts.join(", ");
  columnsOf(gameColumns).forEach((c, i) => { $("columns").querySelectorAll("input")[i].checked = !c.hidden; });
  Object.assign(listed, { edition, asked: Date.now(), chips: answer.chips ?? [] });
  $("old").hidden = true;
  chips();
  const notes = state.sources[db]?.notes ?? [];
  $("notes").hidden = !notes.length;
  $("notes").replaceChildren(element("summary", "", {}, count(notes.length, "note")), ...notes.map((n) => element("p", "", {}, n)));
  $("card").hidden ||= !where;
  if (answer.notes?.length) problem(answer.notes.join(". "));
  if (answer.at >= 0) list.choose(answer.at, false, sort !== listed.sorted); // a list that is sorted begins at its top
  listed.sorted = sort;
  return answer;
});

// aged says that another program has changed the database since the list was made. It asks
// when the page comes back into sight, and at most so often beside what else is asked.
const pause = 10000; // milliseconds
async function aged() {
  const { db } = listed.as;
  if (Date.now() < listed.asked + pause) return;
  listed.asked = Date.now();
  const edition = await editionOf(db);
  if (edition !== listed.edition && list && listed.as.db === db) $("old").hidden = false;
}

// editionOf promises how often a database was opened again; a page that is alone has one.
const editionOf = (db) => (carrier.alone ? Promise.resolve(0) : carrier.call("edition", { db }).catch(() => listed.edition));

// chips shows what the list is narrowed to and sorted by; each can be taken away.
function chips() {
  const chip = (text, change) => button(text, () => relist(change), "chip"), { sort, kind, find } = listed.as;
  const key = sort.replace(/^-/, ""), title = /-elo$/.test(key) ? `elo of ${key.slice(0, 5)}` : [...gameColumns, ...entityColumns].find((c) => c.sort && c.sort === key)?.title;
  const parts = kind ? [find && chip(find, { find: "" })] : listed.chips.map((c) => chip(c.kind ? `${c.text} · ${c.kind}` : c.text, { where: c.rest }));
  const paper = chosen.size && button(`${count(chosen.size, "game")} for paper`, () => { chosen.clear(); printed(); showList(); }, "chip");
  $("chips").replaceChildren(...[...parts, title && chip(`by ${title.toLowerCase()}`, { sort: "" }), paper].filter(Boolean));
}

// openEntity shows the games of a player or tournament, by number: several may have one name.
const terms = { players: "player", tournaments: "tournament", annotators: "annotator", sources: "source", teams: "team", titles: "title" };
const openEntity = guarded(async (row, kind) => {
  await relist({ kind: "", sort: "", where: `${terms[kind]}:#${row.id}`, find: "" });
  Object.assign($("card"), { hidden: false }).replaceChildren(element("h2", "", {}, row.name));
  if (kind === "players") scores($("card"), row.name, await ask("scores", { db: state.db, player: row.name }, { doing: "Counting" }));
});

// ---- a game

const openGame = guarded(async (id, node = -1) => {
  stop();
  const data = await ask("game", { db: state.db, id });
  aged();
  if (!owns.has(`${state.db}/${id}`)) owns.set(`${state.db}/${id}`, []);
  game = new Game(data, owns.get(`${state.db}/${id}`));
  Object.assign(state, { id, node: Math.min(node, data.nodes.length - 1) });
  for (let n = state.node; n >= 0; n = game.parent(n)) game.hidden.delete(n);
  document.body.classList.toggle("article", Boolean(data.text));
  $("tab-notation").textContent = data.text ? "Text" : "Moves";
  $("tab-explorer").hidden = Boolean(carrier.alone || data.text); // which knows nothing of a text, but stays chosen
  const kept = memory("tab") === "explorer" && !$("tab-explorer").hidden ? "explorer" : state.tab === "explorer" ? "notation" : state.tab;
  if (kept !== state.tab) showTab(kept);
  heading(data);
  languages();
  about($("about"), data);
  place = curves($("curve"), game, go);
  showNotation();
  go(state.node, true);
  const at = Math.max(list?.selected ?? 0, 0);
  if (!list || listed.as.kind) return;
  if (list.row(at)?.id !== id) ask("list", { ...listArgs()[1], from: 0, n: 0, at: id }, { slot: "at" }).then((a) => !listed.as.kind && a.at >= 0 && list.choose(a.at, false), () => {});
  else if (at !== list.selected) list.choose(at, false);
});

// headed returns what stands above a game; on paper with the ratings, which are beside the board otherwise.
function headed(d, elos = ["", ""]) {
  const side = (name, elo) => [name || "?", elo].filter(Boolean).join(" "), title = d.text ? d.titles?.[0]?.text || "Text" : `${side(d.white, elos[0])} – ${side(d.black, elos[1])}`;
  const where = [d.event, d.place !== d.event && d.place, d.round && `round ${d.round}`, written(d.date)].filter(Boolean).join(", ");
  return [element("h2", "", {}, title, d.text ? "" : element("span", "score", {}, " " + resultOf(d))), element("p", "", {}, where),
    element("p", "opening", {}, [d.eco, d.opening, d.annotator && `annotated by ${d.annotator}`].filter(Boolean).join(" · "))];
}

function heading(d) {
  $("heading").replaceChildren(...headed(d));
  document.title = `${$("heading").firstChild.firstChild.textContent} · ${carrier.alone ? state.sources[0].name : "cbkit"}`;
}

function languages() {
  const all = game.languages(), select = $("language");
  select.hidden = all.length < 2;
  const name = (code) => { try { return new Intl.DisplayNames(["en"], { type: "language" }).of(code); } catch { return code; } };
  select.replaceChildren(new Option("All languages", ""), ...all.map((l) => new Option(name(l), l)));
  state.language = all.includes(memory("language")) ? memory("language") : "";
  select.value = state.language;
}

function showNotation() {
  notation.show(game, { language: state.language, link: (n) => address({ ...state, node: n }), flipped: board.flipped, figurines: memory("figurines") === true, open: (id) => address({ ...state, id, node: -1 }), picture: pictures(state.db, state.id) });
}

// pictures promises the address of a picture of a text; a page that is alone has none.
const pictures = (db, id) => (carrier.alone ? null : async (name) => {
  const { type, data } = await carrier.call("picture", { db, id, name });
  return URL.createObjectURL(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type }));
});

// reveal shows the answer to a training question, and what is said to the one that was given.
function reveal(n, said) {
  const t = note(game.nodes[n], "training");
  const reply = said ?? t?.solutions?.flatMap((s) => s.reply ?? []).filter((r) => !state.language || !r.lang || r.lang === state.language).map((r) => r.text).join(" ");
  game.hidden.delete(n);
  if (reply) game.nodes[n].said = reply; // which stays where the question stood
  showNotation();
  go(n);
  if (reply) tell(reply);
}

function plate(root, color) {
  const d = game.data, n = state.node;
  const more = d.start ? balance(game.fen(n)) * (color === "w" ? 1 : -1) : 0;
  const [name, elo] = color === "w" ? [d.white, d.whiteElo] : [d.black, d.blackElo];
  root.replaceChildren(element("span", `dot ${color}`, { "aria-hidden": "true" }), element("b", "", {}, d.text ? "" : name || "?"), element("span", "elo", {}, String(elo || "")), element("span", "material", { title: "more material" }, more > 0 ? `+${more}` : ""), element("span", "clock", {}, clockAt(game, n, color)));
}

// clockAt returns what the clock of a side shows behind a move, valueAt what an engine says there.
function clockAt(g, n, color) {
  for (; n >= 0; n = g.parent(n)) if (g.nodes[n].clock !== undefined && g.fen(g.parent(n)).split(" ")[1] === color) return duration(g.nodes[n].clock);
  return "";
}
const valueAt = (g, n) => n >= 0 && (g.nodes[n].eval ?? (g.isMain(n) && g.data.evaluations?.[g.mainLine().indexOf(n) + 1]));

// go shows the position behind a move.
function go(n, silent) {
  if (!game || n === undefined || n < -1 || n >= game.nodes.length || game.hidden.has(n)) return;
  state.node = n;
  const node = game.nodes[n] ?? { notes: game.data.notes };
  const marks = (kind, key) => (node.notes ?? []).filter((a) => a.kind === kind).flatMap((a) => a[key] ?? []);
  const title = n < 0 ? "Starting position" : `Position after ${game.title(n)}`;
  if (game.data.start) board.show(game.fen(n), node, marks("squares", "squares"), marks("arrows", "arrows"), title);
  plate($("top"), board.flipped ? "w" : "b");
  plate($("bottom"), board.flipped ? "b" : "w");
  const value = valueAt(game, n);
  if (value) $("bottom").append(element("span", "verdict", { title: "evaluation" }, verdict(value)));
  notation.mark(n);
  place(n);
  remember();
  if (!silent) {
    const texts = (node.texts ?? []).filter((t) => !state.language || !t.lang || t.lang === state.language).map((t) => t.text.slice(0, 500));
    say(n < 0 ? title : [`${game.number(n)} ${spoken(node.san)}`, node.words, ...texts].filter(Boolean).join(". "));
  }
  if (question() >= 0) game.asked = Date.now();
  if (carrier.alone) $("enter").hidden = question() < 0;
  fork();
  panel(silent);
}

// fork shows the moves that may follow, where there are several.
function fork() {
  const choices = game.choices(state.node).filter((c) => !game.hidden.has(c));
  $("fork").replaceChildren(...(choices.length > 1 ? choices.slice(0, 6) : []).map((c) => button(`${game.number(c)} ${memory("figurines") === true ? figured(game.nodes[c].san) : game.nodes[c].san}`, () => go(c))));
  document.querySelector("[data-copy=forget]").hidden = !game.own.length;
}

// legal promises the moves of a position; a page that is alone knows those of its game.
let lastLegal = {};
function legal(fen) {
  if (carrier.alone) return Promise.resolve(game.choices(state.node).filter((n) => !game.hidden.has(n)).map((n) => game.nodes[n]));
  if (lastLegal.fen !== fen) lastLegal = { fen, list: carrier.call("moves", { fen }) };
  lastLegal.list.catch(() => { lastLegal = {}; });
  return lastLegal.list;
}

// playMove follows a move of the game, or opens a line of the user's own.
function playMove(m) {
  stop();
  if (question() >= 0) return answer(m);
  let n = game.choices(state.node).find((c) => game.nodes[c].san === m.san);
  if (n === undefined) {
    n = game.add(state.node, m);
    showNotation();
  }
  go(n);
}

// question is the training question that the position on the board asks, -1 if none does.
const question = () => game?.choices(state.node).find((c) => game.hidden.has(c)) ?? -1;

// answer takes a move as the answer to it, and says what is said to that.
function answer(m) {
  const n = question(), t = note(game.nodes[n], "training"), is = ({ from, to }) => from === m.from && (to === m.to || to === m.over);
  const other = is(game.nodes[n]) && m.promotion && game.nodes[n].san !== m.san; // another piece than the answer's
  const right = other ? null : (t.solutions ?? []).find(is) ?? (is(game.nodes[n]) ? { points: t.points } : null);
  const words = (list) => (list ?? []).filter((x) => !state.language || !x.lang || x.lang === state.language).map((x) => x.text).join(" ");
  if (!right) {
    const text = words(t.wrongReply) || `${m.san ?? "This"} is not the answer.`;
    notation.replies.get(n).textContent = text;
    return tell(text);
  }
  game.points = (game.points ?? 0) + (right.points ?? 0);
  const time = duration((Date.now() - (game.asked ?? Date.now())) / 1000);
  const result = [words(right.reply) || "Right.", right.points ? `${right.points} points (${game.points} in this game)` : "", `in ${time}${t.seconds ? ` of ${duration(t.seconds)}` : ""}`].filter(Boolean).join(" · ");
  reveal(n, result);
}

const playNamed = guarded(async (san) => {
  const m = (await legal(game.fen(state.node))).find((x) => x.san === san);
  if (m) playMove(m);
});

// panel fills the explorer, if it is open, for the position on the board.
const panel = guarded(async (silent) => {
  const fen = game?.data.start && game.fen(state.node);
  if (!fen || state.tab !== "explorer") return;
  if (question() >= 0) return $("book").replaceChildren(), $("report").replaceChildren(element("p", "remark", {}, "A question is asked here: the explorer waits for your answer."));
  const color = fen.split(" ")[1], does = { play: playNamed, open: (id) => openGame(id) }, { db } = state;
  const fill = (r) => {
    const words = report($("report"), r, color, does);
    if (!silent) say(`${game.title(state.node)}. ${words}`);
  };
  const ofGames = async () => {
    const r = await ask("report", { db, fen, quick: 1 }, { doing: "Reading the games" });
    if (!r.slow) return fill(r);
    $("report").replaceChildren(element("p", "lead", {}, [r.eco, r.opening].filter(Boolean).join(" ")), button(`Read all ${state.sources[db].records.toLocaleString("en")} games`, guarded(async () => fill(await ask("report", { db, fen }, { doing: "Reading the games" })))),
      element("p", "remark", {}, "With an index of positions (cbkit boosters --positions) the explorer answers at once."));
  };
  await Promise.all([ofGames(), state.books.length && ask("book", { fen }).then((list) => book($("book"), list, color, does))]);
});

const tab = (name, focus) => showTab(memory("tab", name), focus);

function showTab(name, focus) {
  state.tab = name;
  for (const t of document.querySelectorAll("[role=tab]")) {
    const on = t.id === `tab-${name}`;
    t.setAttribute("aria-selected", String(on));
    t.tabIndex = on ? 0 : -1;
    $(t.getAttribute("aria-controls")).hidden = !on;
    if (on && focus) t.focus();
  }
  if (game) panel(true);
}

// ---- moving about

function step(action) {
  if (!game) return;
  const n = state.node, next = game.next(n);
  const actions = {
    start: () => go(-1), back: () => n >= 0 && go(game.parent(n)), end: () => go(game.lineEnd(n)),
    next: () => {
      if (game.hidden.has(next)) {
        tab("notation");
        tell("A question: the answer is hidden.");
        $("notation").querySelector(".training button")?.focus();
      } else if (next >= 0) go(next);
    },
    other: () => around(1), another: () => around(-1),
    flip: () => { board.flip(); memory("flipped", board.flipped); go(n, true); },
    play: () => (playing ? stop() : play()),
    nextGame: () => neighbour(1), previousGame: () => neighbour(-1),
  };
  if (action !== "play") stop();
  actions[action]?.();
}

// around goes to another move that could be played instead.
function around(by) {
  const choices = game.choices(game.parent(state.node)), at = choices.indexOf(state.node);
  if (choices.length > 1) go(choices[(at + by + choices.length) % choices.length]);
}

function play() {
  document.querySelector("[data-go=play]").setAttribute("aria-pressed", "true");
  playing = setInterval(() => {
    const next = game.next(state.node);
    if (next < 0 || game.hidden.has(next)) stop();
    else go(next);
  }, 1200);
}

function stop() {
  clearInterval(playing);
  playing = 0;
  document.querySelector("[data-go=play]").setAttribute("aria-pressed", "false");
}

function neighbour(by) {
  if (!list || listed.as.kind) return;
  list.choose((list.selected < 0 ? -1 : list.selected) + by, true);
}

function view(name) {
  document.body.dataset.view = name;
  if (game && name === "game") notation.mark(state.node);
  remember();
  for (const b of document.querySelectorAll(".phone button")) b.setAttribute("aria-pressed", String(b.dataset.view === name));
}

// ---- the address

function address(s) {
  const p = new URLSearchParams(), stored = game?.stored(s.node) ?? s.node;
  for (const [key, value] of [["db", s.db || ""], ["id", s.id || ""], ["move", stored >= 0 ? stored : ""], ["where", s.where], ["sort", s.sort], ["list", s.kind], ["find", s.find]]) if (value !== "") p.set(key, value);
  return `#${p}`;
}

// remember writes the address when it has stayed for a moment: browsers refuse it to
// be written at each step of a key that is held down. Another game, list or search is
// another page for Back, and on a phone the other side; a move is not.
let remembering = 0, following = 0;
function remember() {
  clearTimeout(remembering);
  if (following) return;
  remembering = setTimeout(() => {
    const to = address(state), bare = (a) => a.replace(/&?move=\d+/, ""), side = document.body.dataset.view;
    const other = location.hash.length > 1 && (bare(to) !== bare(location.hash) || $("list").offsetWidth * $("board").offsetWidth === 0 && history.state && history.state.side !== side);
    if (to !== location.hash || history.state?.side !== side) history[other ? "pushState" : "replaceState"]({ side }, "", to);
  }, 100);
}

const follow = guarded(async (e) => {
  clearTimeout(remembering);
  following++;
  try {
    const p = new URLSearchParams(new URL(e?.newURL ?? location.href).hash.slice(1)), n = (key, none) => (/^\d+$/.test(p.get(key) ?? "") ? Number(p.get(key)) : none);
    const kind = [...$("kind").options].some((o) => o.value === p.get("list")) ? p.get("list") : "", db = Math.min(n("db", Math.max(state.sources.findIndex((s) => s.records > 0), 0)), Math.max(state.sources.length - 1, 0));
    const by = p.get("sort") ?? "", sorts = kind ? entityColumns : gameColumns;
    const moved = { db, where: p.get("where") ?? "", sort: sorts.some((c) => c.sort && c.sort === by.replace(/^-/, "")) ? by : "", kind, find: p.get("find") ?? "" };
    const same = list && Object.entries(moved).every(([key, value]) => listed.as[key] === value);
    aim(moved);
    const id = n("id", 0), answer = same ? null : (state.id = id, await showList());
    if (list && !same && !answer) return;
    const top = !kind && answer?.total && list.row(0)?.id, first = id || top;
    if (first) await openGame(first, n("move", -1));
    if (!game && top && top !== first) { // one that is not there: the first one, and why
      const why = $("problem").textContent;
      await openGame(top);
      problem(why);
    }
  } finally {
    following--;
  }
  remember();
});

async function start() {
  const open = await ask("open", {}, { doing: "Opening" });
  state.sources = open.sources;
  state.books = open.books;
  $("source").replaceChildren(...open.sources.map((s, i) => new Option(`${s.name} (${s.records.toLocaleString("en")})`, String(i))));
  if (carrier.alone) document.title = document.querySelector("h1 span").textContent = open.sources[0].name;
  $("tab-explorer").hidden = $("enter").hidden = $("kind").hidden = $("source").hidden = Boolean(carrier.alone);
  view(/[#&]id=/.test(location.hash) ? "game" : "games"); // on a phone one of them is in sight
  await follow();
  if (open.failed) problem(open.failed.join("\n"));
  const terms = await carrier.call("terms", {}).catch(() => []);
  $("terms").replaceChildren(...(terms ?? []).map(([name, value, help]) => new Option(help, `${name}:${value}`)));
}

// ---- events

// aim says which list is shown, or is to be. A player who was chosen from a list stands among
// the chips alone.
const byNumber = /\b[a-z-]+:#\d+ ?/g;
function aim(change, typed) {
  Object.assign(state, change);
  $("query").value = typed ?? (state.kind ? state.find : state.where.replace(byNumber, "").trim());
  $("kind").value = state.kind;
  $("source").value = String(state.db);
  remember();
}

// relist shows another list.
function relist(change) {
  aim(change);
  $("card").hidden = true;
  return showList();
}
$("search").addEventListener("submit", (e) => {
  e.preventDefault();
  const typed = $("query").value.trim();
  relist(state.kind ? { find: typed } : { where: [...(state.where.match(byNumber) ?? []), typed].join("").trim() });
  view("games");
});
window.addEventListener("focus", () => { listed.asked = 0; aged(); });
$("old").addEventListener("click", () => showList());
$("kind").addEventListener("change", () => relist({ kind: $("kind").value, sort: "", find: "" }));
$("source").addEventListener("change", () => {
  Object.assign(state, { db: Number($("source").value), where: "", sort: "", id: 0, node: -1, kind: "", find: "" });
  location.hash = address(state);
});
$("language").addEventListener("change", () => { state.language = memory("language", $("language").value); showNotation(); notation.mark(state.node); printed(); });
$("cancel").addEventListener("click", () => { busyWith?.abort(); busy(""); });
$("help").addEventListener("click", () => $("keys").showModal());
$("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = memory("theme", getComputedStyle(document.documentElement).colorScheme.trim() === "dark" ? "light" : "dark");
});
document.querySelector(".controls").addEventListener("click", (e) => step(e.target.closest("button")?.dataset.go));
document.querySelector(".phone").addEventListener("click", (e) => e.target.dataset.view && view(e.target.dataset.view));
document.querySelector(".tabs").addEventListener("click", (e) => {
  if (e.target.role !== "tab") return;
  tab(e.target.id.slice(4));
  if (!$("games").offsetWidth) $(e.target.getAttribute("aria-controls")).scrollIntoView(); // on a phone, where the page scrolls
});
document.querySelector(".tabs").addEventListener("keydown", (e) => {
  const tabs = [...document.querySelectorAll("[role=tab]:not([hidden])")], at = tabs.indexOf(e.target), by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (at < 0 || !by) return;
  e.preventDefault();
  e.stopPropagation();
  tab(tabs[(at + by + tabs.length) % tabs.length].id.slice(4), true);
});
document.querySelector(".copy").addEventListener("click", guarded(async (e) => {
  const what = e.target.dataset.copy;
  if (!what || !game) return;
  if (what === "print") return view("game"), await printed(), window.print();
  if (what === "forget") {
    const stay = game.stored(state.node);
    game.own.length = 0;
    return openGame(state.id, stay);
  }
  const text = what === "fen" ? game.fen(state.node) : what === "link" ? new URL(address(state), location.href).href : game.nodes[state.node]?.own ? game.pgn(state.node) : await ask("pgn", { db: state.db, id: state.id });
  if (!navigator.clipboard) throw new Error("Browsers copy only from pages of this machine or of https addresses.");
  await navigator.clipboard.writeText(text);
  tell(`${{ fen: "The position", link: "The address" }[what] ?? (game.nodes[state.node]?.own ? "Your line" : "The game")} was copied.`);
}));
$("enter").addEventListener("submit", guarded(async (e) => {
  e.preventDefault();
  const text = $("typed").value;
  if (!game || !text.trim()) return;
  const asked = carrier.alone ? question() : -1;
  if (asked >= 0) { // a page that is alone knows the answer alone
    const n = game.nodes[asked], [, from, to, piece] = /^([a-h][1-8])-?([a-h][1-8])=?([qrbn])?$/i.exec(text.trim()) ?? [];
    const is = n.san.replace(/[+#]/g, "") === text.trim().replace(/[+#]/g, "").replaceAll("0", "O") || piece && from === n.from && to === n.to && n.san.includes(`=${piece.toUpperCase()}`);
    answer(is ? n : { san: text, from, to, promotion: piece });
  } else if (!await hand.typed(text)) throw new Error(`${text} is no move here.`);
  $("typed").value = "";
}));
$("boardside").addEventListener("wheel", (e) => {
  if (!e.target.closest(".board") || e.ctrlKey) return;
  e.preventDefault();
  step(e.deltaY > 0 ? "next" : "back");
}, { passive: false });
document.addEventListener("keydown", (e) => {
  if (e.target.closest("input, select, dialog, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === " " && e.target.closest("button, summary, a")) return;
  const keys = { ArrowLeft: "back", ArrowRight: "next", ArrowDown: "other", ArrowUp: "another", Home: "start", End: "end", " ": "play", f: "flip", n: "nextGame", p: "previousGame" };
  if (keys[e.key]) step(keys[e.key]);
  else if (e.key === "/") $("query").focus();
  else if (e.key === "m" && $("typed").offsetWidth) $("typed").focus();
  else if (e.key === "?") $("keys").showModal();
  else if (e.key === "b" && game?.data.start) say(inWords(game.fen(state.node)));
  else return;
  e.preventDefault();
});
// onPaper returns a game as it is printed: with its curves, and with a position if that is wanted.
function onPaper(data, db) {
  const one = new Game(data), moves = element("div"), curve = element("div", "curves");
  new Notation(moves, {}).show(one, { language: state.language, link: () => "#", open: () => "#", flipped: board.flipped, figurines: memory("figurines") === true, picture: pictures(db, data.id) });
  curves(curve, one, () => {});
  const [g, at] = game && data.id === state.id && db === state.db ? [game, state.node] : [one, one.lineEnd(-1)]; // whose position is on the board, or the last one
  const where = data.start ? diagram(g.fen(at), board.flipped) : "", value = valueAt(g, at);
  if (where) {
    const clocks = [["White", "w"], ["Black", "b"]].map(([side, color]) => [side, clockAt(g, at, color)]).filter(([, clock]) => clock).map((parts) => parts.join(" "));
    where.classList.add("position");
    where.append(element("p", "", {}, [...clocks, value && verdict(value)].filter(Boolean).join(" · ")));
  }
  return element("article", "", {}, ...headed(data, [data.whiteElo, data.blackElo]), where, moves, curve);
}

// printed puts the chosen games where paper finds them, in the order in which they were chosen.
let printing = {};
const printed = guarded(async () => {
  const turn = (printing = {}), all = await Promise.all([...chosen].map((key) => key.split("/").map(Number)).map(async ([db, id]) => onPaper(await carrier.call("game", { db, id }), db)));
  if (turn === printing) $("paper").replaceChildren(...all);
});

// Paper has the games that were chosen, else the one that is shown; before one is, a page
// that has all games has those of the list.
window.addEventListener("beforeprint", () => {
  if (chosen.size || !carrier.paper || document.body.dataset.view !== "games") return;
  const { rows, rest } = carrier.paper(state);
  $("paper").replaceChildren(...rows.map((g) => onPaper(g, 0)), rest);
});
window.addEventListener("afterprint", () => chosen.size || $("paper").replaceChildren());
window.addEventListener("popstate", (e) => e.state?.side && view(e.state.side));
window.addEventListener("hashchange", follow);

// ---- what was chosen stays chosen

if (["light", "dark"].includes(memory("theme"))) document.documentElement.dataset.theme = memory("theme");
if (memory("flipped") === true) board.flip();
if (memory("tab") === "about" || memory("tab") === "explorer" && !carrier.alone) tab(memory("tab"));
$("figurines").checked = memory("figurines") === true;
$("figurines").addEventListener("change", () => {
  memory("figurines", $("figurines").checked);
  if (game) showNotation(), fork();
  printed();
});
document.body.classList.toggle("onpaper", ($("onpaper").checked = memory("onpaper") === true));
$("onpaper").addEventListener("change", () => document.body.classList.toggle("onpaper", memory("onpaper", $("onpaper").checked)));
$("columns").append(...gameColumns.map((c, i) => {
  const box = Object.assign(element("input"), { type: "checkbox", value: String(i) });
  return element("label", "", {}, box, ` ${c.title}${c.class.includes("second") ? " of Black" : ""}`);
}));
$("columns").addEventListener("change", () => {
  memory("columns", [...$("columns").querySelectorAll(":checked")].map((b) => Number(b.value)));
  if (list) showList();
});
split(document.querySelector("main"), $("games"), 1);
split(document.querySelector("main"), $("text"), -1);
new ResizeObserver(() => { // another width has room for other columns
  if (list && !listed.as.kind && columnsOf(gameColumns).filter((c) => !c.hidden).map((c) => c.title).join() !== list.columns.map((c) => c.title).join()) showList();
}).observe($("list"));
window.addEventListener("resize", () => game && notation.mark(state.node));
document.body.classList.remove("scriptless");
if (carrier.choose) carrier.choose(guarded(start), problem);
else guarded(start)();
