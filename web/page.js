// The carrier of a page that has its games in itself (cbkit export): what is asked
// is answered from them.
// Those of a large page are deflated.
let all;
const unpacked = (async () => {
  const data = document.getElementById("data");
  let json = data.textContent;
  if (data.type === "text/plain") {
    if (!window.DecompressionStream) throw new Error("This browser cannot unpack the games of this page: it is too old.");
    const bytes = Uint8Array.from(atob(json), (c) => c.charCodeAt(0));
    json = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
    data.textContent = "";
  }
  all = JSON.parse(json);
})();
unpacked.catch(() => {}); // who asks is told
const keys = {
  white: (g) => g.white, black: (g) => g.black, elo: (g) => Math.max(g.whiteElo ?? 0, g.blackElo ?? 0) || undefined, "white-elo": (g) => g.whiteElo, "black-elo": (g) => g.blackElo, result: (g) => g.result,
  eco: (g) => g.eco, date: (g) => g.date, event: (g) => g.event, place: (g) => g.place, round: (g) => parseFloat(g.round) || undefined,
};

// What a search may say of the games of a page: conditions, as far as a page tells, or words.
const range = (value, of) => {
  const [from, to] = value.includes("..") ? value.split("..") : [value, value];
  return (g) => of(g).some((x) => x && (!from || x.localeCompare(from, "en", { numeric: true }) >= 0) && (!to || x.localeCompare(to, "en", { numeric: true }) <= 0 || x.startsWith(to)));
};
const text = (value, of) => {
  const pattern = new RegExp(value.split(/\*+/).map((s) => s.replace(/[^\p{L}\p{N} ]/gu, "\\$&")).join(".*"), "iu");
  return (g) => of(g).some((x) => x && pattern.test(x));
};
const conditions = {
  player: (v) => text(v, (g) => [g.white, g.black]), "white-player": (v) => text(v, (g) => [g.white]), "black-player": (v) => text(v, (g) => [g.black]),
  tournament: (v) => text(v, (g) => [g.event]), place: (v) => text(v, (g) => [g.place]), annotator: (v) => text(v, (g) => [g.annotator]),
  eco: (v) => (/^[a-e]\d*(\.\.|$)/i.test(v) ? range(v.toUpperCase(), (g) => [g.eco]) : text(v, (g) => [g.opening])), result: (v) => (g) => g.result === v.replace(/^1\/2$/, "1/2-1/2"),
  year: (v) => range(v, (g) => [g.date?.slice(0, 4)]), date: (v) => range(v, (g) => [g.date]), round: (v) => range(v, (g) => [g.round]), elo: (v) => range(v, (g) => [g.whiteElo, g.blackElo].map((n) => String(n ?? ""))),
};

// understand takes a search apart, as cbkit serve does.
function understand(where) {
  const words = where.match(/[^\s"]*"[^"]*"?|\S+/g) ?? [];
  return words.map((word, i) => {
    const [, name, value] = /^([a-z-]+):(.+)$/i.exec(word) ?? [], bare = (value ?? word).replace(/^"|"$|,$/g, ""), make = name && conditions[name.toLowerCase()];
    if (name && !make) throw new Error(`${name}: this page can search for ${Object.keys(conditions).join(", ")}.`);
    return { text: make ? word : bare, rest: words.filter((_, j) => j !== i).join(" "), test: make ? make(bare) : text(bare, (g) => [g.white, g.black, g.event, g.place, g.date, g.eco, g.opening]) };
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
    const notes = rows.length || chips.length < 2 ? [] : chips.map((c) => [c, fits(c).length]).filter(([, n]) => n).map(([c, n]) => `without "${c.text}" there are ${n}`);
    const key = keys[sort.replace(/^-/, "")], by = sort.startsWith("-") ? -1 : 1;
    if (key) rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
      return by * (typeof x === "number" ? x - y : x.localeCompare(y));
    });
    return { total: rows.length, chips, notes, texts: rows.filter((g) => g.text).length, rows: rows.slice(from, from + n), at: rows.findIndex((g) => g.id === at) };
  },
  game: ({ id }) => linked(all.games.find((g) => g.id === id)),
  pgn: ({ id }) => all.games.find((g) => g.id === id)?.pgn,
};

export const carrier = {
  alone: true,
  // paper returns up to 500 games of a list, with their moves, as they are printed.
  paper({ where, sort }) {
    const { rows, total } = answers.list({ where, sort, n: 500 }), texts = document.querySelectorAll("#plain pre");
    const rest = total > rows.length ? [`These are ${rows.length} of ${total} games. A search prints those that it finds.`] : [];
    const plain = (g) => Object.assign(document.createElement("pre"), { textContent: g.pgn ?? [g.white, ...(g.contents ?? []).map((c) => flat(c.pieces))].join("\n") });
    return [...rows.map((g) => texts[all.games.indexOf(g)]?.cloneNode(true) ?? plain(g)), ...rest];
  },
  async call(name, args) {
    await unpacked;
    const answer = answers[name]?.(args);
    if (answer === undefined && name === "game") throw new Error(`This page has no game ${args.id}.`);
    if (answer === undefined) throw new Error("This page has its games alone.");
    return answer;
  },
};
