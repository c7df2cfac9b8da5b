// What stands beside the moves: curves, the score of a player, and what is known
// of the game.
import { element } from "./list.js";
import { bar, byColor, percent, table } from "./explorer.js";
import { svg } from "./board.js";
import { duration, resultOf, verdict, written } from "./notation.js";

// about lists what is known of a game.
export function about(root, g) {
  const list = element("dl", "facts");
  const add = (name, value) => value && list.append(element("dt", "", {}, name), element("dd", "", {}, String(value)));
  add("Number", g.id);
  add("White", g.white && [g.white, g.whiteElo, g.whiteTeam].filter(Boolean).join(", "));
  add("Black", g.black && [g.black, g.blackElo, g.blackTeam].filter(Boolean).join(", "));
  add("Event", g.event); add("Place", g.place); add("Date", written(g.date)); add("Round", g.round);
  add("Result", !g.text && resultOf(g)); add("ECO", [g.eco, g.opening].filter(Boolean).join(" "));
  add("Title", g.title); add("Annotator", g.annotator); add("Source", g.source);
  if (g.deleted) add("Deleted", "yes");
  for (const [name, value] of g.tags ?? []) add(name, value);
  for (const fault of g.faults ?? []) add("Damage", fault);
  root.replaceChildren(list);
}

// scores shows the score of a player.
export function scores(root, name, s) {
  const white = byColor(s.white ?? {}), black = byColor(s.black ?? {}, "b");
  const rows = [["All", s.all, white.map((n, i) => n + black[i])], ["White", s.white, white], ["Black", s.black, black]].filter(([, t]) => t);
  root.replaceChildren(element("h2", "", {}, name), table("Score", [
    ["", ([t]) => t], ["Games", ([, t]) => t.games, "n"], ["+", ([, t]) => t.wins, "n"], ["=", ([, t]) => t.draws, "n"], ["−", ([, t]) => t.losses, "n"],
    ["Score", ([, t]) => (t.games ? percent(t.percent) : ""), "n"], ["", ([, , shares]) => bar(shares)], ["Performance", ([, t]) => t.performance ?? "", "n"],
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
