// The carrier of cbkit serve: calls are requests to the server that the page came
// from, whose answers are lines of JSON: progress, then the answer or an error.
export const carrier = {
  async call(name, args, { signal, progress } = {}) {
    const response = await fetch(`call/${name}?${new URLSearchParams(args)}`, { signal, cache: "no-store" }).catch((error) => {
      throw error.name === "AbortError" ? error : new Error("cbkit serve does not answer: it has ended. Start it again, and open the address that it prints.");
    });
    if (!response.ok) throw new Error(`${response.status}: ${(await response.text()).trim() || response.statusText}`);
    const reader = response.body.getReader(), text = new TextDecoder();
    let parts = [];
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = text.decode(value, { stream: true }).split("\n");
      parts.push(lines[0]);
      for (let i = 1; i < lines.length; i++) {
        const line = JSON.parse(parts.join(""));
        parts = [lines[i]];
        if (line.error !== undefined) throw new Error(line.error);
        if (line.answer !== undefined) return line.answer;
        progress?.(line.done, line.total);
      }
    }
    throw new Error("The answer was cut off. Is cbkit serve still running?");
  },
};
