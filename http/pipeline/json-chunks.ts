// Serialises one JSON object as a stream of text chunks, for answers that are too large for memory.

/** A field with its value, or with pages of rows, which become an array. */
export type JsonSection = readonly [name: string, content: object | AsyncIterable<readonly unknown[]>]

/** Approximate size of a chunk in characters. */
const CHUNK_LENGTH = 65_536

/** One row per line. If the signal aborts, it ends early and the text is not valid JSON. */
export async function* jsonChunks(sections: AsyncIterable<JsonSection>, ending: AbortSignal): AsyncGenerator<string> {
  let chunk = '{'
  let isFirst = true
  for await (const [name, content] of sections) {
    chunk += `${isFirst ? '' : ','}\n${JSON.stringify(name)}:`
    isFirst = false
    if (!(Symbol.asyncIterator in content)) {
      chunk += JSON.stringify(content)
      continue
    }
    let separator = '['
    for await (const rows of content) {
      if (ending.aborted) return
      for (const row of rows) {
        chunk += `${separator}\n${JSON.stringify(row)}`
        separator = ','
        if (chunk.length < CHUNK_LENGTH) continue
        yield chunk
        chunk = ''
      }
    }
    chunk += separator === '[' ? '[]' : '\n]'
  }
  yield `${chunk}\n}\n`
}
