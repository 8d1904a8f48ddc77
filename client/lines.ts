// An answer that comes line by line, each one JSON.

/** Rejects where the connection is cut, and where the last line has no end. */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line)
    }
    if (rest !== '') throw new Error('the last line has no end')
  } finally {
    // Whoever looks at no more of it leaves the connection.
    await reader.cancel().catch(() => {})
  }
}
