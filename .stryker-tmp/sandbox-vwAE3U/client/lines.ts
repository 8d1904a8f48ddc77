// An answer that comes in pieces: text, and lines of JSON.

/** Rejects where the connection is cut, and for what is not UTF-8. */
export async function* textPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // A caller that reads no further leaves the connection.
    await reader.cancel().catch(() => {})
  }
}

/** Each line, parsed. Rejects likewise, and where the last line has no end. */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  let rest = ''
  for await (const piece of textPieces(body)) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest !== '') throw new Error('the last line has no end')
}
