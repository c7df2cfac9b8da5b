// The explorer: what was played in the position on the board, in the games of the
// database and in the books. A click on a move plays it.
import { button, element } from "./list.js";
import { resultOf, written } from "./notation.js";

export const percent = (n) => (n === undefined ? "" : `${n.toFixed(1)} %`);

// table makes a table of columns, each a title, a value of a row and a class.
export function table(caption, columns, rows) {
  const t = element("table", "figures");
  t.createCaption().textContent = caption;
  t.createTHead().insertRow().append(...columns.map(([title, , kind]) => title ? element("th", kind ?? "", { scope: "col" }, title) : element("td", kind ?? "")));
  const body = t.createTBody();
  for (const r of rows) body.insertRow().append(...columns.map(([, value, kind]) => element("td", kind ?? "", {}, value(r) ?? "")));
  return element("div", "scroll", { tabindex: "0", role: "region", "aria-label": caption }, t);
}

// byColor turns the score of one side into White's wins, draws and Black's wins.
export const byColor = ({ wins = 0, draws = 0, losses = 0 }, color) => (color === "b" ? [losses, draws, wins] : [wins, draws, losses]);

// bar shows White's wins, draws and Black's wins in their colours, with their shares.
export function bar(shares) {
  const all = shares.reduce((a, b) => a + b, 0);
  if (!all) return "";
  const [white, draws, black] = shares.map((n) => Math.round((100 * n) / all));
  const b = element("span", "wdl", { role: "img", "aria-label": `White wins ${white} %, draws ${draws} %, Black wins ${black} %` });
  for (const [i, kind] of ["win", "draw", "loss"].entries()) {
    if (!shares[i]) continue;
    const part = element("span", kind, {}, shares[i] / all >= 0.17 ? String([white, draws, black][i]) : "");
    part.style.flexGrow = shares[i];
    b.append(part);
  }
  return b;
}

const moveButton = (m, play, kind = "") => button(m.san + (m.sign ?? ""), () => play(m.san), `link step ${kind}`);
const games = (n) => `${n.toLocaleString("en")} ${n === 1 ? "game" : "games"}`;
const whites = (p, color) => (p === undefined ? "" : percent(color === "b" ? 100 - p : p));

// refill puts new content in place, and keeps the focus on the first move.
function refill(root, ...content) {
  const had = root.contains(document.activeElement);
  root.replaceChildren(...content);
  if (had) (root.querySelector(".step") ?? root.closest("[role=tabpanel]")).focus();
}

// report shows what the games of the database say.
export function report(root, r, color, { play, open }) {
  const years = r.firstYear ? `, ${r.firstYear === r.lastYear ? r.firstYear : `${r.firstYear}–${r.lastYear}`}` : "", n = r.white.games;
  const parts = [element("p", "lead", {}, [r.eco, r.opening].filter(Boolean).join(" ") || "This position"),
    element("p", "", {}, n ? `${games(n)}${years}. White scores ${percent(r.white.percent) || "nothing yet"}. ` : "No game of this database has this position.", bar(byColor(r.white)))];
  if (r.moves.length) parts.push(table("Moves", [
    ["Move", (m) => moveButton(m, play)], ["Games", (m) => m.score.games.toLocaleString("en"), "n"], ["White", (m) => whites(m.score.percent, color), "n"],
    ["", (m) => bar(byColor(m.score, color))], ["Elo", (m) => m.score.averageElo ?? "", "n more"], ["Last", (m) => m.lastYear ?? "", "n more"], ["Best player", (m) => m.bestPlayer ?? "", "most"], ["Typical line", (m) => m.line, "most"],
  ], r.moves));
  const link = (g) => button(`${g.white} – ${g.black}`, () => open(g.id), "link");
  if (r.recent.length) parts.push(table("Latest games", [["Game", link], ["Result", resultOf], ["Date", (g) => written(g.date)], ["Event", (g) => g.event ?? "", "most"]], r.recent));
  refill(root, ...parts);
  return n ? `${games(n)}, White scores ${percent(r.white.percent)}${r.moves[0] ? `, most played ${r.moves[0].san}` : ""}` : "No game has this position";
}

// book shows what the books say.
export function book(root, books, color, { play }) {
  const parts = [];
  for (const b of books) {
    if (b.error) parts.push(element("p", "fault", {}, b.error));
    if (!b.found) parts.push(element("p", "", {}, `${b.name} does not know this position.`));
    else if (!b.moves.length) parts.push(element("p", "", {}, `${b.name}: ${games(b.games)}, and no move from here.`));
    else if (b.weighed) parts.push(table(b.name, [["Move", (m) => moveButton(m, play)], ["Chance", (m) => percent(m.chance ?? 0), "n"]], b.moves));
    else parts.push(table(`${b.name}: ${games(b.games)}`, [
      ["Move", (m) => moveButton(m, play, m.advice)], ["Games", (m) => m.games.toLocaleString("en"), "n"], ["White", (m) => (m.games ? whites(m.percent, color) : ""), "n"],
      ["", (m) => bar(byColor(m, color))], ["Elo", (m) => m.elo ?? "", "n more"], ["Advice", (m) => [m.advice, m.weight ? `weight ${m.weight}` : ""].filter(Boolean).join(", "), "more"],
    ], b.moves));
  }
  refill(root, ...parts);
}
