// What the page remembers from one visit to the next, in the browser.
const kept = (() => {
  try {
    const o = JSON.parse(localStorage.getItem("cbkit"));
    return o && typeof o === "object" ? o : {};
  } catch {
    return {}; // browsers may forbid it
  }
})();

// memory returns what is remembered under a name, and with a value remembers that.
export function memory(name, value) {
  if (value !== undefined) {
    kept[name] = value;
    try {
      localStorage.setItem("cbkit", JSON.stringify(kept));
    } catch { /* it holds for this visit */ }
  }
  return kept[name];
}
