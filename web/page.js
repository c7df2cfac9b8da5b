// The carrier of a page that has its games in itself (cbkit export): what is asked
// is answered from them.
// Those of a large page are deflated.
let all;
const unpacked = (async () => {
  const data = document.getElementById("data");
  let json = data.textContent;
  if (data.type === "text/plain") {
    if (!window.DecompressionStream) throw new Error("This browser cannot unpack the games of this page: it is too old.");
    const packed = atob(json), bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
    json = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
    data.textContent = "";
  }
  all = JSON.parse(json);
})();
unpacked.catch(() => document.body.classList.add("scriptless")); // the plain page says the least; who asks is told
const keys = {
  white: (g) => g.white, black: (g) => g.black, elo: (g) => Math.max(g.whiteElo ?? 0, g.blackElo ?? 0) || undefined, "white-elo": (g) => g.whiteElo, "black-elo": (g) => g.blackElo, result: (g) => ({ "1-0": 1, "0-1": 2, "1/2-1/2": 3, "0-0": 7 })[g.result] + (g.forfeit ? 3 : 0) || undefined,
  eco: (g) => g.eco, date: (g) => g.date, event: (g) => g.event, place: (g) => g.place, round: (g) => parseFloat(g.round) || undefined,
};
// What a search may say of the games of a page: conditions, as far as a page tells, or words.
const range = (value, of, dot = ".") => {
  const [from, to] = value.includes("..") ? value.split("..") : [value, value];
  return (g) => of(g).some((x) => x && (!from || x.localeCompare(from, "en", { numeric: true }) >= 0) && (!to || x.localeCompare(to, "en", { numeric: true }) <= 0 || x.startsWith(to + dot)));
};
// Of letters with marks the bare ones fit, and those that stand for them: Müller, Muller, Mueller.
const bare = (s) => s.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
const spelt = (s) => bare(s.normalize("NFC").replace(/[äöü]/gi, (c) => ({ ä: "ae", ö: "oe", ü: "ue" })[c.toLowerCase()]));
const text = (value, of) => {
  const pattern = (fold) => new RegExp(fold(value).replace(/[\\^$.|+()[\]{}/]/g, "\\$&").replace(/\*+/g, ".*").replaceAll("?", ".").replace(/,\s*/g, ",\\s*"), "iu");
  const fits = [bare, spelt].map((fold) => [fold, pattern(fold)]);
  return (g) => of(g).some((x) => x && fits.some(([fold, p]) => p.test(fold(x))));
};
const results = { draw: "1/2-1/2", "1/2": "1/2-1/2" };
const moves = (g) => {
  let n = 0;
  for (let at = -1, next; (next = g.nodes?.findIndex((m) => m.p === at) ?? -1) >= 0; at = next) n++;
  return Math.ceil(n / 2);
};
const conditions = {
  player: (v) => text(v, (g) => [g.white, g.black]), "white-player": (v) => text(v, (g) => [g.white]), "black-player": (v) => text(v, (g) => [g.black]),
  tournament: (v) => text(v, (g) => [g.event]), place: (v) => text(v, (g) => [g.place]), annotator: (v) => text(v, (g) => [g.annotator]),
  eco: (v) => (/^[a-e]\d*(\.\.|$)/i.test(v) ? range(v.toUpperCase(), (g) => [g.eco], "") : text(v, (g) => [g.opening])), result: (v) => (g) => g.result === (results[v] ?? v), moves: (v) => range(v, (g) => [String(moves(g))]),
  year: (v) => range(v, (g) => [g.date?.slice(0, 4)]), date: (v) => range(v, (g) => [g.date]), round: (v) => range(v, (g) => [g.round]), elo: (v) => range(v, (g) => [g.whiteElo, g.blackElo].map((n) => String(n ?? ""))),
  "white-elo": (v) => range(v, (g) => [String(g.whiteElo ?? "")]), "black-elo": (v) => range(v, (g) => [String(g.blackElo ?? "")]),
};
const kinds = [["player", (g) => [g.white, g.black]], ["tournament", (g) => [g.event, g.place]], ["opening", (g) => [g.eco, g.opening]], ["date", (g) => [g.date]]];

// understand takes a search apart, as cbkit serve does.
function understand(where) {
  const name = /^[^:"]+,[^:"]+$/.test(where) && all.games.some(conditions.player(where.trim())); // with its comma
  const words = name ? [where.trim()] : (where.match(/[^\s"]*"[^"]*"?|\S+/g) ?? []).filter((w) => w !== "and" && w !== "-");
  if (words.some((w) => /^(or|not)$|^[-(]./.test(w))) throw new Error('This page finds what fits all words; cbkit serve knows "or", "not" and brackets, too.');
  return words.map((word, i) => {
    const [, name, value] = /^([a-z-]+):(.+)$/i.exec(word) ?? [], says = (value ?? word).replace(/^"|"$|,$/g, ""), make = name && conditions[name.toLowerCase()];
    if (name && !make) throw new Error(`${name}: this page can search for ${Object.keys(conditions).join(", ")}.`);
    const [kind] = make ? [] : kinds.find(([, of]) => all.games.some(text(says, of))) ?? []; // what was understood
    return { text: make ? word : says, kind, rest: words.filter((_, j) => j !== i).join(" "), test: make ? make(says) : text(says, (g) => kinds.flatMap(([, of]) => of(g))) };
  });
}

// linked finds where the links of a text lead in this page: a game by its players and
// tournament, of several that of the round, or a text by its title.
const same = (a, b) => (a ?? "").replaceAll(", ", ",").trim() === (b ?? "").replaceAll(", ", ",").trim();
function linked(game) {
  for (const p of (game?.contents ?? []).flatMap((c) => c.pieces)) {
    const l = p.link, fits = l ? all.games.filter((g) => (l.title ? g.titles?.some((t) => same(t.text, l.title)) : !g.text && ["white", "black", "event"].every((k) => same(g[k], l[k])))) : [];
    if (fits.length) p.id = (fits.find((g) => same(g.round, l.round)) ?? fits[0]).id;
  }
  return game;
}

const answers = {
  open: () => ({ sources: [{ name: all.name, records: all.games.length }], books: [] }),
  terms: () => [],
  list({ where = "", sort = "", from = 0, n = 0, at }) {
    const chips = understand(where), fits = (skip) => all.games.filter((g) => chips.every((c) => c === skip || c.test(g))), rows = fits();
    const notes = rows.length || !chips.length ? [] : chips.length < 2 ? [`No game of this page has ${chips[0].text}`] : chips.map((c) => [c, fits(c).length]).filter(([, n]) => n).map(([c, n]) => `without "${c.text}" there are ${n}`);
    const key = keys[sort.replace(/^-/, "")], by = sort.startsWith("-") ? -1 : 1;
    const last = (s) => (/white|black/.test(sort) ? s.replace(/,.*/, "") : s); // of players the last name comes first, as in cbkit serve
    if (key) rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
      return by * (typeof x === "number" ? x - y : last(x).localeCompare(last(y)) || x.localeCompare(y));
    });
    return { total: rows.length, chips, notes, texts: rows.filter((g) => g.text).length, rows: rows.slice(from, from + n), at: rows.findIndex((g) => g.id === at) };
  },
  game: ({ id }) => linked(all.games.find((g) => g.id === id)),
  pgn: ({ id }) => all.games.find((g) => g.id === id)?.pgn,
};

export const carrier = {
  alone: true,
  // paper returns up to 500 games of a list, which are printed, and what is to be said of the others.
  paper({ where, sort }) {
    const { rows, total } = answers.list({ where, sort, n: 500 });
    return { rows: rows.map(linked), rest: total > rows.length ? `These are ${rows.length} of ${total} games. A search prints those that it finds.` : "" };
  },
  async call(name, args) {
    await unpacked;
    const answer = answers[name]?.(args);
    if (answer === undefined && name === "game") throw new Error(`This page has no game ${args.id}.`);
    if (answer === undefined) throw new Error("This page has its games alone.");
    return answer;
  },
};
