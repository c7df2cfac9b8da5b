// The board: pieces of a FEN, marked squares, arrows, and a table for those who
// cannot see them.
const NS = "http://www.w3.org/2000/svg";
const names = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };
const files = "abcdefgh";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// piecesOf lists the pieces of a FEN: square and letter.
export function piecesOf(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, i) => {
    let file = 0;
    for (const c of row) {
      if (c >= "1" && c <= "9") file += Number(c);
      else pieces.set(files[file++] + (8 - i), c);
    }
  });
  return pieces;
}

export function pieceName(letter) {
  return `${letter < "a" ? "White" : "Black"} ${names[letter.toUpperCase()] ?? "piece"}`;
}

// inWords says where the pieces stand.
export function inWords(fen) {
  const where = new Map();
  for (const [square, letter] of piecesOf(fen)) {
    const name = pieceName(letter);
    where.set(name, [...(where.get(name) ?? []), square]);
  }
  const turn = fen.split(" ")[1] === "b" ? "Black to move" : "White to move";
  return [...where].map(([name, squares]) => `${name} ${squares.join(", ")}`).join("; ") + ". " + turn;
}

export class Board {
  constructor(root) {
    this.flipped = false;
    this.pieces = new Map(); // by square: letter and drawing
    this.squares = svg("g");
    this.marks = svg("g");
    this.layer = svg("g");
    this.arrows = svg("g", { class: "arrows" });
    this.coordinates = svg("g", { class: "coordinates" });
    this.hints = svg("g", { class: "hints" });
    this.drawing = svg("svg", { viewBox: "0 0 800 800", class: "board", role: "img" },
      this.squares, this.coordinates, this.marks, this.hints, this.layer, this.arrows);
    this.table = document.createElement("table");
    const unseen = document.createElement("div"); // tables have the width of their content
    unseen.className = "sr";
    unseen.append(this.table);
    root.append(this.drawing, unseen);
    this.frame();
    this.tabulate();
  }

  place(square) {
    const x = files.indexOf(square[0]), y = 8 - Number(square[1]);
    return this.flipped ? [700 - x * 100, 700 - y * 100] : [x * 100, y * 100];
  }

  frame() {
    this.squares.replaceChildren();
    this.coordinates.replaceChildren();
    for (let i = 0; i < 64; i++) {
      const x = i % 8, y = Math.floor(i / 8), dark = (x + y) % 2;
      this.squares.append(svg("rect", { x: x * 100, y: y * 100, width: 100, height: 100, class: dark ? "dark" : "light" }));
      if (x === 0) this.coordinates.append(svg("text", { x: 5, y: y * 100 + 22, class: dark ? "on-dark" : "on-light" }, String(this.flipped ? y + 1 : 8 - y)));
      if (y === 7) this.coordinates.append(svg("text", { x: x * 100 + 95, y: 794, "text-anchor": "end", class: dark ? "on-dark" : "on-light" }, files[this.flipped ? 7 - x : x]));
    }
  }

  // tabulate makes the table that is read square by square.
  tabulate() {
    this.caption = this.table.createCaption();
    const head = (scope, textContent) => Object.assign(document.createElement("th"), { scope, textContent });
    this.table.createTHead().insertRow().append(document.createElement("td"), ...[...files].map((f) => head("col", f)));
    this.cells = new Map();
    const body = this.table.createTBody();
    for (let rank = 8; rank > 0; rank--) {
      const row = body.insertRow();
      row.append(head("row", String(rank)));
      for (const f of files) this.cells.set(f + rank, row.insertCell());
    }
  }

  point(e) { return new DOMPoint(e.clientX, e.clientY).matrixTransform(this.drawing.getScreenCTM().inverse()); }

  // squareAt returns the square where a pointer is, "" beside the board.
  squareAt(e) {
    const { x, y } = this.point(e), file = Math.floor((this.flipped ? 800 - x : x) / 100), rank = Math.floor((this.flipped ? y : 800 - y) / 100);
    return files[file] && rank >= 0 && rank < 8 ? files[file] + (rank + 1) : "";
  }

  // hint marks a piece that is picked up, and where it may go; without one it takes that away.
  hint(square = "", targets = []) {
    this.picked = square;
    const at = (s, dx) => this.place(s).map((n) => n + dx);
    const dots = targets.map((s) => at(s, 50)).map(([cx, cy], i) => svg("circle", { cx, cy, r: this.pieces.has(targets[i]) ? 44 : 15, class: this.pieces.has(targets[i]) ? "ring" : "dot-to" }));
    const [x, y] = square ? at(square, 0) : [];
    this.hints.replaceChildren(...(square ? [svg("rect", { x, y, width: 100, height: 100, class: "picked" })] : []), ...dots);
  }

  // carry draws a piece where the pointer is.
  carry(square, e) {
    const { drawing } = this.pieces.get(square) ?? {}, { x, y } = this.point(e);
    if (!drawing) return;
    if (drawing !== this.layer.lastChild) this.layer.append(drawing);
    drawing.classList.add("held");
    drawing.style.transform = `translate(${x - 50}px, ${y - 50}px)`;
  }

  flip() {
    this.flipped = !this.flipped;
    this.frame();
    if (this.shown) this.show(...this.shown);
  }

  // show draws a position with the move that led to it and its marks.
  show(fen, move, squares, arrows, title) {
    this.shown = [fen, move, squares, arrows, title];
    this.hint();
    const next = piecesOf(fen), left = new Map(this.pieces), placed = new Map(), missing = [];
    for (const [square, letter] of next) {
      const old = left.get(square);
      if (old?.letter === letter) {
        placed.set(square, old);
        left.delete(square);
      } else missing.push([square, letter]);
    }
    // A piece that is new on its square came from the nearest place where its like is gone.
    for (const [square, letter] of missing) {
      let from, least = 1e9;
      for (const [other, old] of left) {
        const far = Math.hypot(other.charCodeAt(0) - square.charCodeAt(0), other[1] - square[1]);
        if (old.letter === letter && far < least) [from, least] = [other, far];
      }
      const piece = left.get(from) ?? { letter, drawing: this.piece(letter) };
      left.delete(from);
      placed.set(square, piece);
    }
    for (const { drawing } of left.values()) drawing.remove();
    for (const [square, { drawing }] of placed) {
      const [x, y] = this.place(square);
      drawing.classList.remove("held");
      drawing.style.transform = `translate(${x}px, ${y}px)`;
    }
    this.pieces = placed;
    this.marks.replaceChildren();
    for (const [square, kind] of [[move?.from, "last"], [move?.to, "last"]]) if (square) this.mark(square, kind);
    const king = /[+#]/.test(move?.san ?? "") && [...next].find(([, letter]) => letter === (fen.split(" ")[1] === "w" ? "K" : "k"));
    if (king) this.mark(king[0], "check");
    for (const { square, color } of squares) this.mark(square, `mark ${known(color)}`);
    this.arrows.replaceChildren();
    for (const a of arrows) this.arrow(a);
    this.drawing.setAttribute("aria-label", title);
    this.caption.textContent = title;
    for (const [square, cell] of this.cells) {
      const letter = next.get(square);
      const text = letter ? pieceName(letter) : "empty";
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  piece(letter) {
    const id = (letter < "a" ? "w" : "b") + letter.toUpperCase();
    const drawing = svg("use", { href: `#${id}`, width: 100, height: 100, class: "piece" });
    this.layer.append(drawing);
    return drawing;
  }

  mark(square, kind) {
    const [x, y] = this.place(square);
    this.marks.append(svg("rect", { x, y, width: 100, height: 100, class: kind }));
  }

  arrow({ from, to, color }) {
    const [x1, y1] = this.place(from).map((n) => n + 50), [x2, y2] = this.place(to).map((n) => n + 50);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length;
    const bx = x2 - ux * 34, by = y2 - uy * 34;
    const head = `${x2},${y2} ${bx - uy * 22},${by + ux * 22} ${bx + uy * 22},${by - ux * 22}`;
    this.arrows.append(svg("g", { class: known(color) },
      svg("line", { x1: x1 + ux * 20, y1: y1 + uy * 20, x2: bx + ux * 4, y2: by + uy * 4 }), svg("polygon", { points: head })));
  }
}

// balance says by how much White has more material, in pawns.
export function balance(fen) {
  const worth = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
  return [...piecesOf(fen).values()].reduce((sum, letter) => sum + worth[letter.toLowerCase()] * (letter < "a" ? 1 : -1), 0);
}

const colors = ["green", "yellow", "red", "blue"];
const known = (color) => (colors.includes(color) ? color : "other");

// diagram draws a position to be read and printed in the text.
export function diagram(fen, flipped = false) {
  const root = document.createElement("div");
  root.className = "diagram";
  const board = new Board(root);
  if (flipped) board.flip();
  board.show(fen, null, [], [], inWords(fen));
  board.table.remove();
  return root;
}
