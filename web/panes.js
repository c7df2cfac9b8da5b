// Panes whose widths are dragged, by the mouse or by the arrows, and kept.
import { element } from "./list.js";
import { memory } from "./memory.js";

const usual = { "--games": 504, "--text": 300 }; // the least that each pane has as long as it is not dragged
const rest = 300 + 48; // of the board, and between them

// split puts a handle between two panes of the page; by says which way the width of the
// pane of that name grows. All panes stay in sight.
export function split(main, pane, by) {
  const name = `--${pane.id}`, handle = element("div", "handle", { role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": `Width of ${pane.getAttribute("aria-label").toLowerCase()}`, "aria-valuemin": "240", "aria-valuemax": "1200", title: "Drag; twice clicked it is as it was" });
  const kept = (n) => (typeof memory(n) === "number" ? memory(n) : null);
  const show = (width) => {
    const other = Object.keys(usual).find((n) => n !== name), w = Math.round(Math.max(Math.min(width, innerWidth - rest - (kept(other) ?? usual[other])), 240));
    main.style.setProperty(name, `${w}px`);
    handle.setAttribute("aria-valuenow", String(w));
    return w;
  };
  const set = (width) => memory(name, show(width));
  const anew = () => (kept(name) ? show(kept(name)) : (main.style.removeProperty(name), handle.setAttribute("aria-valuenow", "400")));
  anew();
  window.addEventListener("resize", anew);
  handle.addEventListener("dblclick", () => { memory(name, null); anew(); });
  handle.addEventListener("pointerdown", (e) => {
    const from = e.clientX, width = pane.offsetWidth;
    handle.setPointerCapture(e.pointerId);
    handle.onpointermove = (m) => set(width + by * (m.clientX - from));
  });
  for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, () => { handle.onpointermove = null; });
  handle.addEventListener("keydown", (e) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!way) return;
    e.preventDefault();
    e.stopPropagation();
    set(pane.offsetWidth + by * way * 20);
  });
  pane.append(handle);
}
