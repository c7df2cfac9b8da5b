// A list that scrolls over any number of rows: only those in sight exist, and they
// are asked for as they come into sight.
const page = 100; // rows asked for at once
const tallest = 8e6; // pixels; browsers have no taller elements than a few times this

export class List {
  constructor(root, { label, columns, load, open, sort, total, rows, sorted, mark, chosen }) {
    columns = columns.filter((c) => !c.hidden);
    Object.assign(this, { columns, load, open, total, mark, chosen, top: 0, selected: -1, pages: new Map([[0, rows]]), drawn: new Map() });
    this.grid = element("div", "grid", { role: "grid", "aria-label": label, "aria-rowcount": String(total + 1), tabindex: "0" });
    this.head = element("div", "row head", { role: "row", "aria-rowindex": "1" });
    for (const c of columns) {
      const way = c.sort !== undefined && { [c.sort]: "ascending", [`-${c.sort}`]: "descending" }[sorted];
      this.head.append(element("div", c.class, { role: "columnheader", "aria-sort": way || "none" }, c.sort !== undefined ? button(c.title, () => sort(c.sort)) : c.title));
    }
    this.grid.style.setProperty("--columns", columns.map((c) => c.width).join(" "));
    this.grid.style.setProperty("--least", `${columns.reduce((sum, c) => sum + parseInt(/\d+/.exec(c.width), 10) + 6, 14)}px`); // columns may need more than there is room for
    this.rows = element("div", "rows", { role: "rowgroup" });
    this.window = element("div", "window", { role: "presentation" }, this.rows);
    this.space = element("div", "space", { role: "presentation" }, this.window);
    this.grid.append(element("div", "heads", { role: "rowgroup" }, this.head), this.space);
    root.replaceChildren(this.grid);
    this.grid.addEventListener("scroll", () => this.scrolled());
    this.grid.addEventListener("keydown", (e) => this.key(e));
    this.rows.addEventListener("click", (e) => {
      const i = Number(e.target.closest("[data-i]")?.dataset.i ?? -1);
      if (e.ctrlKey || e.metaKey) this.toggle(i);
      else this.choose(i, true);
    });
    this.rows.addEventListener("contextmenu", (e) => { // a finger that stays
      if (e.pointerType !== "touch" || !this.mark) return;
      e.preventDefault();
      this.toggle(Number(e.target.closest("[data-i]")?.dataset.i ?? -1));
    });
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(this.grid);
    this.measure();
    this.jump(0);
  }

  close() { this.closed = true; this.watch.disconnect(); }

  measure() {
    this.height = parseFloat(getComputedStyle(this.grid).getPropertyValue("--row")) || 32;
    this.sight = Math.max(1, this.grid.clientHeight - this.head.offsetHeight);
    this.full = Math.min(this.total * this.height, tallest);
    this.space.style.height = `${Math.max(this.full, this.sight)}px`;
    this.window.style.height = `${this.sight}px`;
    this.window.style.top = `${this.head.offsetHeight}px`;
    this.draw();
  }

  get last() { return Math.max(0, this.total - this.sight / this.height); }
  get travel() { return Math.max(1, this.full - this.sight); }

  // scrolled follows the wheel row by row, also where a pixel of a very long list
  // stands for many rows; jumps go by the share of the way.
  scrolled() {
    const at = this.grid.scrollTop, by = at - this.at;
    if (at === this.at) return;
    this.at = at;
    const scaled = this.full < this.total * this.height;
    if (!scaled) this.top = at / this.height;
    else if (Math.abs(by) < this.sight) this.top += by / this.height;
    else this.top = (at / this.travel) * this.last;
    if (at <= 0) this.top = 0;
    else if (at >= this.travel - 1) this.top = this.last;
    this.top = Math.min(Math.max(this.top, 0), this.last);
    this.draw();
    clearTimeout(this.settling);
    if (scaled) this.settling = setTimeout(() => this.settle(), 200);
  }

  settle() {
    const scaled = this.full < this.total * this.height;
    this.at = Math.round(scaled ? (this.top / (this.last || 1)) * this.travel : this.top * this.height);
    this.grid.scrollTop = this.at;
    this.at = this.grid.scrollTop;
  }

  jump(row) {
    this.top = Math.min(Math.max(row, 0), this.last);
    this.settle();
    this.draw();
  }

  // row returns a row if it is known, and else asks for it.
  row(i) {
    const n = Math.floor(i / page);
    const rows = this.pages.get(n);
    if (Array.isArray(rows)) return rows[i - n * page];
    if (!rows) {
      this.pages.set(n, this.load(n * page, page).then((answer) => {
        if (this.closed) return;
        this.pages.set(n, answer);
        if (this.pages.size > 60) this.pages.delete(this.pages.keys().next().value);
        this.draw();
      }, () => this.pages.set(n, [])));
    }
    return null;
  }

  // draw makes the rows that come into sight, and takes away those that leave it.
  draw() {
    const first = Math.floor(this.top), end = first + Math.min(Math.ceil(this.sight / this.height) + 1, this.total - first);
    for (const [i, { row }] of this.drawn) {
      if (i >= first && i < end) continue;
      row.remove();
      this.drawn.delete(i);
    }
    for (let i = end - 1, below = null; i >= first; i--) {
      const data = this.row(i), old = this.drawn.get(i);
      if (!old || old.data !== data) {
        const row = element("div", `row ${data?.class ?? ""}`, { role: "row", id: `row-${i}`, "aria-rowindex": String(i + 2), "data-i": String(i) });
        let over = 0; // cells that another one reaches over
        for (const c of this.columns) {
          if (over-- > 0) continue;
          const cell = element("div", c.class, { role: "gridcell", ...(data && c.hint?.(data) && { title: c.hint(data) }) }, data ? c.cell(data) : c === this.columns[0] ? "…" : "");
          over = data && c.spans?.(data) ? this.columns.slice(this.columns.indexOf(c) + 1).findIndex((x) => !x.under) : 0;
          if (over > 0) {
            cell.style.gridColumn = `span ${over + 1}`;
            cell.setAttribute("aria-colspan", String(over + 1));
          }
          row.append(cell);
        }
        row.classList.toggle("chosen", Boolean(data && this.chosen?.(data)));
        old?.row.remove();
        this.rows.insertBefore(row, below);
        this.drawn.set(i, { row, data });
      }
      below = this.drawn.get(i).row;
      if (i === this.selected) below.setAttribute("aria-selected", "true");
      else below.removeAttribute("aria-selected");
    }
    this.rows.style.transform = `translateY(${-(this.top - first) * this.height}px)`;
    if (this.drawn.has(this.selected)) this.grid.setAttribute("aria-activedescendant", `row-${this.selected}`);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  // choose selects a row and brings it into sight.
  choose(i, open, still) {
    if (i < 0 || i >= this.total) return;
    this.selected = i;
    if (still) return this.draw();
    const seen = Math.floor(this.sight / this.height);
    if (i < this.top) this.jump(i);
    else if (i > this.top + seen - 1) this.jump(i - seen + 1);
    else this.draw();
    const data = this.row(i);
    if (open && data) this.open(data, i);
    else if (open) this.pages.get(Math.floor(i / page))?.then?.(() => this.selected === i && this.row(i) && this.open(this.row(i), i));
  }

  // toggle chooses a row beside others, or no longer.
  toggle(i) {
    const data = i >= 0 && this.mark && this.row(i);
    if (data) this.drawn.get(i)?.row.classList.toggle("chosen", this.mark(data));
  }

  key(e) {
    const seen = Math.max(1, Math.floor(this.sight / this.height) - 1);
    const to = { ArrowDown: this.selected + 1, ArrowUp: this.selected - 1, PageDown: this.selected + seen, PageUp: this.selected - seen, Home: 0, End: this.total - 1 }[e.key];
    if (e.target !== this.grid || e.ctrlKey || e.metaKey || e.altKey) return;
    if (to !== undefined) this.choose(Math.min(Math.max(to, 0), this.total - 1), false);
    else if (e.key === " " && this.mark) this.toggle(this.selected);
    else if (e.key === "Enter") this.choose(Math.max(this.selected, 0), true);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

// button makes a button that does something.
export function button(text, does, className = "") {
  const b = element("button", className, { type: "button" }, text);
  b.addEventListener("click", does);
  return b;
}

// element makes an element with a class, attributes and content.
export function element(name, className = "", attributes = {}, ...children) {
  const e = document.createElement(name);
  if (className) e.className = className;
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}
