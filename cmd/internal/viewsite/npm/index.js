// Reads chess databases: the reader of cbkit as WebAssembly.
//
//   import { open } from "cbkit-reader";
//   const chess = await open(["Games/", "week.pgn"]);
//   for await (const game of chess.games(0, { where: "player:carlsen year:2010.." }))
//     console.log(game.white, game.black, game.nodes.map((n) => n.san).join(" "));
//   chess.close();
//
// Calls and answers are those of the page (docs/viewer.md). Nothing is written.
import { closeSync, fstatSync, openSync, readFileSync, readSync, readdirSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import "./wasm_exec.js";

const waiting = new Map(); // calls of all readers, by their number
let last = 0;

globalThis.reply = (id, text) => {
  const { answer, error } = JSON.parse(text), call = waiting.get(id);
  if (error === undefined && answer === undefined) return; // progress
  waiting.delete(id);
  if (error === undefined) call.resolve(answer);
  else call.reject(new Error(error));
};

globalThis.readBlock = (file, from, to) => {
  if (file.data) return file.data.subarray(from, to);
  const block = new Uint8Array(to - from);
  return block.subarray(0, readSync(file.fd, block, 0, block.length, from));
};

// expand lists files: a folder stands for the files in it, an object with name and
// data for itself.
function expand(given) {
  if (typeof given !== "string") return [{ name: given.name, data: given.data, size: given.data.length }];
  if (statSync(given).isDirectory()) return readdirSync(given, { withFileTypes: true }).filter((e) => e.isFile()).flatMap((e) => expand(join(given, e.name)));
  const fd = openSync(given);
  return [{ name: resolve(given).split(sep).join("/").replace(/^\/+/, ""), fd, size: fstatSync(fd).size }];
}

// open opens the databases, archives, books and PGN files among files: paths of
// files and folders, or objects { name, data: Uint8Array }. Of a ChessBase database
// all files are needed, so its folder is what is easiest to give.
export async function open(files) {
  const list = files.flatMap(expand);
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(readFileSync(new URL("cbkit.wasm", import.meta.url)), go.importObject);
  go.run(instance);
  const { call, openFiles } = globalThis; // set by the reader that was just started
  const ask = (send) => new Promise((resolve, reject) => {
    const id = ++last;
    waiting.set(id, { resolve, reject });
    send(id);
  });
  const close = () => list.forEach((f) => f.fd !== undefined && closeSync(f.fd));
  const chess = {
    // call asks what the page asks: list, game, pgn, report, book, entities, scores.
    call: (name, args = {}) => ask((id) => call(id, name, JSON.stringify(args))),
    game: (db, id) => chess.call("game", { db, id }),
    // games yields the games of a database, or those that meet a condition.
    async *games(db = 0, { where = "", sort = "" } = {}) {
      for (let from = 0; ; from += 100) {
        const { total, rows } = await chess.call("list", { db, where, sort, from, n: 100 });
        for (const row of rows) yield row.error ? row : await chess.game(db, row.id);
        if (from + 100 >= total) return;
      }
    },
    // memory is how many bytes the reader has.
    memory: () => instance.exports.mem.buffer.byteLength,
    close,
  };
  try {
    await ask((id) => openFiles(id, list));
    return Object.assign(chess, await chess.call("open"));
  } catch (error) {
    close();
    throw error;
  }
}
