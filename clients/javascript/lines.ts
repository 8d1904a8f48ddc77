// Reads a streamed answer as text or as lines of JSON.

/** Rejects if the connection is cut or the text is not UTF-8. */
export async function* textChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // Releases the connection if the caller stops reading.
    await reader.cancel().catch(() => {})
  }
}

/** Each line, parsed. Rejects like `textChunks`, and if the last line is incomplete. */
export async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  let rest = ''
  for await (const chunk of textChunks(body)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest !== '') throw new Error('the last line has no end')
}
