/**
 * The lines of a stream of UTF-8 text, without their ends; the last one may lack its own. Pieces of a long line are
 * joined once, when it ends.
 */
export async function* kubeLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for await (const chunk of stream) {
    const parts = decoder.decode(chunk, { stream: true }).split("\n");
    const rest = parts.pop() ?? "";
    for (const part of parts) {
      pieces.push(part);
      yield pieces.splice(0).join("");
    }
    if (rest !== "") pieces.push(rest);
  }
  const last = pieces.join("") + decoder.decode();
  if (last !== "") yield last;
}
