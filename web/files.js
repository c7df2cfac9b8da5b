// The carrier of the static page: calls are messages to a worker in which the
// reader runs, on files that were dropped or chosen.
let worker, last = 0, loading = () => {};
const waiting = new Map();

function begin() {
  worker = new Worker("worker.js");
  worker.onmessage = ({ data: [id, text] }) => {
    const line = JSON.parse(text);
    if (line.loaded !== undefined) return loading(line.loaded);
    const all = id ? [waiting.get(id)] : [...waiting.values()];
    for (const w of all) {
      if (line.error !== undefined) w?.reject(new Error(line.error));
      else if (line.answer !== undefined) w?.resolve(line.answer);
      else w?.progress?.(line.done, line.total);
    }
    if (line.error !== undefined || line.answer !== undefined) waiting.delete(id);
  };
  worker.onerror = (e) => {
    for (const { reject } of waiting.values()) reject(new Error(e.message || "The reader cannot be loaded."));
    waiting.clear();
    worker = null;
  };
}

function send(name, args, { signal, progress } = {}) {
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, progress });
    signal?.addEventListener("abort", () => {
      worker.postMessage([id, "cancel"]);
      waiting.delete(id);
      reject(new DOMException("cancelled", "AbortError"));
    });
    worker.postMessage([id, name, args]);
  });
}

// filesOf lists what was dropped, folders with what is in them.
async function filesOf(items) {
  const found = [], open = [...items].map((i) => i.webkitGetAsEntry()).filter(Boolean);
  while (open.length && found.length < 10000) {
    const entry = open.pop();
    if (entry.isFile) found.push(await new Promise((yes, no) => entry.file(yes, no)));
    else for (const reader = entry.createReader(); ; ) {
      const some = await new Promise((yes, no) => reader.readEntries(yes, no));
      if (!some.length) break;
      open.push(...some);
    }
  }
  return found;
}

export const carrier = {
  call: send,
  // choose lets the user choose files, and then starts the page.
  choose(start, problem) {
    const main = document.querySelector("main"), rest = [...main.children];
    const box = Object.assign(document.createElement("div"), { className: "drop" });
    const said = (name, text) => Object.assign(document.createElement(name), { textContent: text });
    const title = "Drop a database here", head = said("h2", title);
    box.append(head, said("p", "A folder or all files of a ChessBase database, an archive (.cbv), a PGN file, a book (.ctg, .bin). They are read here, and nothing of them leaves this computer."));
    const state = said("p", "");
    state.setAttribute("role", "status");
    loading = (share) => { state.textContent = share < 1 ? `The reader is loading … ${Math.floor(100 * share)} %` : ""; };
    begin(); // while the user chooses
    const use = async (files) => {
      if (!files.length) return;
      if (!worker) begin();
      problem(null);
      head.textContent = "Reading …";
      try {
        await send("files", files, { progress: (done, total) => { head.textContent = `Reading … ${Math.round((100 * done) / (total || 1))} %`; } });
        main.replaceChildren(...rest);
        start();
      } catch (error) {
        head.textContent = title;
        problem(error);
      }
    };
    for (const [id, label, folder] of [["files", "Choose files", false], ["folder", "or a whole folder", true]]) {
      const input = Object.assign(document.createElement("input"), { type: "file", multiple: true, webkitdirectory: folder, id, className: "sr" });
      input.addEventListener("change", () => use([...input.files]));
      box.append(input, Object.assign(said("label", label), { htmlFor: id, className: folder ? "folder" : "choose" }));
    }
    box.append(state);
    for (const [name, over] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
      document.addEventListener(name, async (e) => {
        e.preventDefault();
        box.classList.toggle("over", over);
        if (name === "drop") use(await filesOf(e.dataTransfer.items));
      });
    }
    main.replaceChildren(box);
  },
};
