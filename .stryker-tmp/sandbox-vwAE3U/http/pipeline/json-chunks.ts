// Serialises one JSON object as a stream of text chunks, for answers that are too large for memory.

/** A field with its value, or with pages of rows, which become an array. */
export type JsonSection = readonly [name: string, content: object | AsyncIterable<readonly unknown[]>]

/** Approximate size of a chunk in characters. */
const PIECE_LENGTH = 65_536

/** One row per line. If the signal aborts, it ends early and the text is not valid JSON. */
export async function* jsonChunks(sections: AsyncIterable<JsonSection>, ending: AbortSignal): AsyncGenerator<string> {
  let piece = '{'
  let isFirst = true
  for await (const [name, content] of sections) {
    piece += `${isFirst ? '' : ','}\n${JSON.stringify(name)}:`
    isFirst = false
    if (!(Symbol.asyncIterator in content)) {
      piece += JSON.stringify(content)
      continue
    }
    let separator = '['
    for await (const rows of content) {
      if (ending.aborted) return
      for (const row of rows) {
        piece += `${separator}\n${JSON.stringify(row)}`
        separator = ','
        if (piece.length < PIECE_LENGTH) continue
        yield piece
        piece = ''
      }
    }
    piece += separator === '[' ? '[]' : '\n]'
  }
  yield `${piece}\n}\n`
}
