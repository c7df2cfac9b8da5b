// The worker of the static page: it runs the reader as WebAssembly and reads the
// files that were chosen, piece by piece. Nothing of them is sent anywhere.
importScripts("wasm_exec.js");

const reader = new FileReaderSync();
const size = 0; // of cbkit.wasm in bytes; who builds the site fills it in
// What Go calls: the bytes of a file from one place to another.
self.readBlock = (file, from, to) => new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to)));
// What Go answers: an id, and a line as cbkit serve has it.
self.reply = (id, line) => postMessage([id, line]);

const ready = (async () => {
  const go = new Go();
  const response = await fetch("cbkit.wasm");
  if (!response.ok) throw new Error(`The reader, cbkit.wasm, cannot be loaded: ${response.status} ${response.statusText}`);
  let done = 0, told = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(part, to) {
      done += part.length;
      if (size && done - told > size / 50) postMessage([0, JSON.stringify({ loaded: (told = done) / size })]);
      to.enqueue(part);
    },
  }));
  const module = await WebAssembly.instantiateStreaming(new Response(counted, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  postMessage([0, JSON.stringify({ loaded: 1 })]);
  go.run(module.instance).then(() => postMessage([0, '{"error":"The reader has ended; load the page again."}']));
})();

self.onmessage = async ({ data: [id, name, args] }) => {
  try {
    await ready;
    if (name === "cancel") self.cancel(id);
    else if (name === "files") self.openFiles(id, args);
    else self.call(id, name, JSON.stringify(args));
  } catch (error) {
    postMessage([id, JSON.stringify({ error: String(error?.message ?? error) })]);
  }
};
