// What stands beside the moves: curves, the report and the book of a position,
// the score of a player, and what is known of the game.
import { button, element } from "./list.js";
import { svg } from "./board.js";
import { duration, verdict } from "./notation.js";

const percent = (n) => (n === undefined ? "" : `${n.toFixed(1)} %`);

// table makes a table of columns, each a title, a value of a row and a class.
function table(caption, columns, rows) {
  const t = element("table", "figures");
  t.createCaption().textContent = caption;
  t.createTHead().insertRow().append(...columns.map(([title, , kind]) => title ? element("th", kind ?? "", { scope: "col" }, title) : element("td")));
  const body = t.createTBody();
  for (const r of rows) body.insertRow().append(...columns.map(([, value, kind]) => element("td", kind ?? "", {}, value(r) ?? "")));
  return element("div", "scroll", { tabindex: "0", role: "region", "aria-label": caption }, t);
}

// bar shows shares of wins, draws and losses.
function bar({ wins = 0, draws = 0, losses = 0 }) {
  const all = wins + draws + losses || 1;
  const b = svg("svg", { viewBox: "0 0 100 8", class: "wdl", preserveAspectRatio: "none", role: "img", "aria-label": `${wins} wins, ${draws} draws, ${losses} losses` });
  let x = 0;
  for (const [n, kind] of [[wins, "win"], [draws, "draw"], [losses, "loss"]]) {
    b.append(svg("rect", { x, y: 0, width: (n / all) * 100, height: 8, class: kind }));
    x += (n / all) * 100;
  }
  return b;
}

export function report(root, r, open) {
  const games = r.white.games;
  root.replaceChildren(element("p", "lead", {}, [r.eco, r.opening].filter(Boolean).join(" ") || "This position"), element("p", "", {},
    `${games.toLocaleString("en")} ${games === 1 ? "game" : "games"}${r.firstYear ? `, ${r.firstYear}–${r.lastYear}` : ""}. White scores ${percent(r.white.percent)}.`));
  if (!games) return;
  root.append(table("Moves", [
    ["Move", (m) => element("b", "", {}, m.san)], ["Games", (m) => m.score.games.toLocaleString("en"), "n"], ["Score", (m) => percent(m.score.percent), "n"],
    ["", (m) => bar(m.score)], ["Elo", (m) => m.score.averageElo ?? "", "n"], ["Last", (m) => m.lastYear ?? "", "n"], ["Best player", (m) => m.bestPlayer ?? ""], ["Typical line", (m) => m.line],
  ], r.moves));
  const link = (g) => button(`${g.white} – ${g.black}`, () => open(g.id), "link");
  if (r.recent.length) root.append(table("Latest games", [["Game", link], ["Result", (g) => g.result], ["Date", (g) => g.date ?? ""], ["Event", (g) => g.event ?? ""]], r.recent));
}

export function book(root, books) {
  root.replaceChildren();
  if (!books.length) root.append(element("p", "", {}, "No book is open."));
  for (const b of books) {
    if (b.error) root.append(element("p", "fault", {}, b.error));
    if (!b.found) {
      root.append(element("p", "", {}, `${b.name} does not know this position.`));
      continue;
    }
    if (b.weighed) {
      root.append(table(b.name, [["Move", (m) => element("b", "", {}, m.san)], ["Chance", (m) => percent(m.chance ?? 0), "n"]], b.moves));
      continue;
    }
    root.append(table(`${b.name}: ${b.games.toLocaleString("en")} games`, [
      ["Move", (m) => element("b", m.advice ?? "", {}, m.san + (m.sign ?? ""))], ["Games", (m) => m.games.toLocaleString("en"), "n"], ["Score", (m) => (m.games ? percent(m.percent) : ""), "n"],
      ["", bar], ["Elo", (m) => m.elo ?? "", "n"], ["Advice", (m) => [m.advice, m.weight ? `weight ${m.weight}` : ""].filter(Boolean).join(", ")],
    ], b.moves));
  }
}

// about lists what is known of a game.
export function about(root, g) {
  const list = element("dl", "facts");
  const add = (name, value) => value && list.append(element("dt", "", {}, name), element("dd", "", {}, String(value)));
  add("Number", g.id);
  add("White", g.white && [g.white, g.whiteElo, g.whiteTeam].filter(Boolean).join(", "));
  add("Black", g.black && [g.black, g.blackElo, g.blackTeam].filter(Boolean).join(", "));
  add("Event", g.event); add("Place", g.place); add("Date", g.date); add("Round", g.round);
  add("Result", g.result); add("ECO", [g.eco, g.opening].filter(Boolean).join(" "));
  add("Title", g.title); add("Annotator", g.annotator); add("Source", g.source);
  if (g.deleted) add("Deleted", "yes");
  for (const [name, value] of g.tags ?? []) add(name, value);
  for (const fault of g.faults ?? []) add("Damage", fault);
  root.replaceChildren(list);
}

// scores shows the score of a player.
export function scores(root, name, s) {
  const of = (title, t) => t && [title, t];
  const rows = [of("All", s.all), of("White", s.white), of("Black", s.black)].filter(Boolean);
  root.replaceChildren(element("h2", "", {}, name), table("Score", [
    ["", ([t]) => t], ["Games", ([, t]) => t.games, "n"], ["+", ([, t]) => t.wins, "n"], ["=", ([, t]) => t.draws, "n"], ["−", ([, t]) => t.losses, "n"],
    ["Score", ([, t]) => percent(t.percent), "n"], ["", ([, t]) => bar(t)], ["Performance", ([, t]) => t.performance ?? "", "n"],
  ], rows));
  root.hidden = false;
}

// curves draws evaluations and times of the main line; a click goes to the move.
export function curves(root, game, go) {
  root.replaceChildren();
  const line = game.mainLine(), width = Math.max(line.length, 1);
  const evals = line.map((n, i) => game.nodes[n].eval ?? game.data.evaluations?.[i + 1]);
  const times = line.map((n) => game.nodes[n].clock ?? game.nodes[n].spent);
  const draw = (label, ...content) => {
    const s = svg("svg", { viewBox: `0 0 ${width} 40`, preserveAspectRatio: "none", class: "curve", role: "img", "aria-label": label }, ...content);
    s.addEventListener("click", (e) => {
      const box = s.getBoundingClientRect();
      go(line[Math.min(line.length - 1, Math.floor(((e.clientX - box.left) / box.width) * width))] ?? -1);
    });
    root.append(s);
    return s;
  };
  if (evals.filter(Boolean).length > 1) {
    const height = (v) => 20 - 19 * (v.mate ? Math.sign(v.mate) : Math.tanh(v.pawns / 4));
    const first = evals.findIndex(Boolean);
    let last; // what is known last holds where nothing is said
    const points = evals.slice(first).map((v, i) => ((last = v ?? last), [i, i + 1].map((x) => `${x + first},${height(last).toFixed(2)}`).join(" ")));
    draw(`Evaluation by move; at the end ${verdict(last)}`, svg("rect", { width, height: 40, class: "black-side" }),
      svg("polygon", { points: `${first},40 ${points.join(" ")} ${width},40`, class: "white-side" }), svg("line", { x1: 0, x2: width, y1: 20, y2: 20, class: "middle" }));
  }
  if (times.filter((t) => t !== undefined).length > 1) {
    const most = times.reduce((a, t) => Math.max(a, t ?? 0), 1);
    const bars = (odd) => times.map((t, i) => (t === undefined || i % 2 !== odd ? "" : `M${i + 0.1} 40v${(-38 * t) / most}h0.8V40z`)).join("");
    draw(`Times by move; at most ${duration(most)}`, svg("path", { d: bars(0), class: "time-white" }), svg("path", { d: bars(1), class: "time-black" }));
  }
  const here = svg("line", { y1: 0, y2: 40, class: "here" });
  root.lastElementChild?.append(here);
  return (n) => {
    const at = line.indexOf(n) + 0.5;
    here.setAttribute("x1", at);
    here.setAttribute("x2", at);
    here.toggleAttribute("hidden", at < 0);
  };
}
