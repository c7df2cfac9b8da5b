// Panes whose widths are dragged, by the mouse or by the arrows, and kept.
import { element } from "./list.js";
import { memory } from "./memory.js";

// split puts a handle between two panes of the page; by says which way the width of the
// pane of that name grows.
export function split(main, pane, by) {
  const name = `--${pane.id}`, handle = element("div", "handle", { role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": `Width of ${pane.getAttribute("aria-label").toLowerCase()}`, "aria-valuemin": "240", "aria-valuemax": "1200" });
  const set = (width) => {
    const w = Math.round(Math.min(Math.max(width, 240), innerWidth * 0.6));
    main.style.setProperty(name, `${w}px`);
    handle.setAttribute("aria-valuenow", String(w));
    memory(name, w);
  };
  if (typeof memory(name) === "number") set(memory(name));
  else handle.setAttribute("aria-valuenow", "400");
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
