// Moving pieces on the board: by drag, by click, by touch, and typed. Which moves
// there are is asked for; nothing here knows how pieces move.
import { button, element } from "./list.js";
import { piecesOf } from "./board.js";

const pieceNames = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
const farTap = 10; // pixels that a finger may move in a tap
const holdTime = 280; // milliseconds after which a finger has picked up a piece

export class Hand {
  // legal promises the moves of a position, play plays one of them, step goes
  // "back" or "next".
  // miss is told of what is no move.
  constructor(board, { legal, play, step, miss }) {
    Object.assign(this, { board, legal, play, step, miss, down: null });
    const on = (name, f, options) => board.drawing.addEventListener(name, f.bind(this), options);
    on("pointerdown", this.begin);
    on("pointermove", this.move);
    on("pointerup", this.end);
    on("pointercancel", this.cancel);
    on("contextmenu", (e) => this.down && e.preventDefault());
  }

  get fen() { return this.board.shown?.[0] ?? ""; }

  isMine(square) {
    const letter = piecesOf(this.fen).get(square);
    return Boolean(letter) && (letter < "a") === (this.fen.split(" ")[1] === "w");
  }

  // pick picks up the piece of a square, and shows where it may go.
  pick(square) {
    const fen = this.fen;
    this.board.hint(square);
    this.legal(fen).then((list) => {
      if (this.board.picked === square && this.fen === fen) this.board.hint(square, list.filter((m) => m.from === square).map((m) => m.to));
    }, () => {});
  }

  begin(e) {
    if (e.button || !e.isPrimary || !this.fen) return;
    const square = this.board.squareAt(e), mine = this.isMine(square), was = this.board.picked;
    this.down = { square, x: e.clientX, y: e.clientY, touch: e.pointerType === "touch", was };
    if (!mine) return;
    const take = () => {
      this.down.held = true;
      this.pick(square);
      this.board.drawing.setPointerCapture?.(e.pointerId);
    };
    if (!this.down.touch) take();
    else this.waiting = setTimeout(take, holdTime);
  }

  move(e) {
    if (!this.down) return;
    if (Math.hypot(e.clientX - this.down.x, e.clientY - this.down.y) > farTap) {
      clearTimeout(this.waiting);
      this.down.far = true;
    }
    if (this.down.held && this.down.far) this.board.carry(this.down.square, e);
    else if (this.down.touch && this.down.far) scrollBy(0, (this.down.y2 ?? this.down.y) - e.clientY); // the board leaves up and down to the page
    this.down.y2 = e.clientY;
  }

  end(e) {
    const { down } = this, square = this.board.squareAt(e);
    this.cancel();
    if (!down) return;
    const dx = e.clientX - down.x, dy = e.clientY - down.y;
    if (down.held && square !== down.square) return void this.put(down.square, square);
    if (down.held) return void (down.was === square && this.board.hint()); // a second click puts it down
    if (down.touch && down.far) {
      if (Math.abs(dx) > 30 && Math.abs(dx) > Math.abs(dy)) this.step(dx < 0 ? "next" : "back");
    } else if (down.was) this.put(down.was, square);
    else if (down.touch) {
      const box = this.board.drawing.getBoundingClientRect();
      this.step(e.clientX > box.left + box.width / 2 ? "next" : "back");
    }
  }

  cancel() {
    clearTimeout(this.waiting);
    if (this.down?.held && this.down.far) this.board.show(...this.board.shown);
    this.down = null;
  }

  // put plays the move from one square to another, if there is one.
  async put(from, to) {
    const { fen } = this;
    this.board.hint();
    const fits = (await this.legal(fen)).filter((m) => m.from === from && (m.to === to || m.over === to));
    const m = fits.length > 1 ? await whichOf(fits) : fits[0];
    if (m && this.fen === fen) this.play(m);
    else if (this.fen === fen && this.isMine(to)) this.pick(to);
    else if (this.fen === fen && !fits.length) this.miss({ from, to });
  }

  // typed plays what is written, such as Nf3, 0-0 or e7e8q, and reports whether it is a move.
  async typed(text) {
    const { fen } = this, bare = (s) => s.replace(/[^A-Za-z0-9]/g, "").replace(/x/g, "").replace(/0/g, "O");
    const list = await this.legal(fen), low = (s) => bare(s).toLowerCase();
    const found = [(m) => bare(m.san) === bare(text), (m) => `${m.from}${m.to}${m.promotion ?? ""}` === text.trim().toLowerCase(), (m) => low(m.san) === low(text)]
      .map((f) => list.filter(f)).find((some) => some.length === 1);
    if (found && this.fen === fen) this.play(found[0]);
    return Boolean(found);
  }
}

// whichOf asks which of several moves between two squares is meant: what a pawn becomes.
function whichOf(list) {
  return new Promise((resolve) => {
    const dialog = element("dialog", "choice", { "aria-label": "Which move?" });
    dialog.append(...list.map((m) => button(pieceNames[m.promotion] ?? m.san, () => { resolve(m); dialog.remove(); })));
    dialog.addEventListener("close", () => { resolve(); dialog.remove(); });
    document.body.append(dialog);
    dialog.showModal();
  });
}
