// The carrier of a page that has its games in itself (cbkit export): what is asked
// is answered from them.
const all = JSON.parse(document.getElementById("data").textContent);
const keys = {
  white: (g) => g.white, black: (g) => g.black, elo: (g) => Math.max(g.whiteElo ?? 0, g.blackElo ?? 0) || undefined, result: (g) => g.result,
  eco: (g) => g.eco, date: (g) => g.date, event: (g) => g.event, place: (g) => g.place, round: (g) => parseFloat(g.round) || undefined,
};

const answers = {
  open: () => ({ sources: [{ name: all.name, records: all.games.length }], books: [] }),
  terms: () => [],
  list({ where = "", sort = "", from = 0, n = 0, at }) {
    const words = where.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = all.games.filter((g) => {
      const text = [g.white, g.black, g.event, g.place, g.date, g.eco, g.opening].join(" ").toLowerCase();
      return words.every((w) => text.includes(w));
    });
    const key = keys[sort.replace(/^-/, "")], by = sort.startsWith("-") ? -1 : 1;
    if (key) rows.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
      return by * (typeof x === "number" ? x - y : x.localeCompare(y));
    });
    return { total: rows.length, texts: rows.filter((g) => g.text).length, rows: rows.slice(from, from + n), at: rows.findIndex((g) => g.id === at) };
  },
  game: ({ id }) => all.games.find((g) => g.id === id),
  pgn: ({ id }) => all.games.find((g) => g.id === id)?.pgn,
};

export const carrier = {
  alone: true,
  // paper returns up to 500 games of a list, with their moves, as they are printed.
  paper({ where, sort }) {
    const { rows, total } = answers.list({ where, sort, n: 500 }), texts = document.querySelectorAll("#plain pre");
    const rest = total > rows.length ? [`These are ${rows.length} of ${total} games. A search prints those that it finds.`] : [];
    return [...rows.map((g) => texts[all.games.indexOf(g)].cloneNode(true)), ...rest];
  },
  async call(name, args) {
    const answer = answers[name]?.(args);
    if (answer === undefined && name === "game") throw new Error(`This page has no game ${args.id}.`);
    if (answer === undefined) throw new Error("This page has its games alone.");
    return answer;
  },
};
