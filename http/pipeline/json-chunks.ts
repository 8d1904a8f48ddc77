// One JSON object as pieces of text, of which rows are written as they come: for answers that are too large to be made whole.

/** A field's value, or its rows in pages, which become an array. */
export type JsonSection = readonly [name: string, content: object | AsyncIterable<readonly unknown[]>]

/** A piece has about so many characters. */
const PIECE_LENGTH = 65_536

/** Valid JSON once it has come to its end, a row a line; ends early, and is then no JSON, where the signal aborts. */
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
