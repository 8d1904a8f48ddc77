// Answers of lines: produced no faster than they are read, ended in order or cut, and released in every case.

import { expect } from 'chai'
import { linesBody, ndjsonChunks } from '../../http/pipeline/lines.ts'
import { gate, pause, turn } from '../until.ts'

const yes = async () => true

/** Endless chunks, and how many were produced. */
function endless(chunk = 'x'.repeat(10_000)) {
  const made = { count: 0, isOver: false }
  async function* make(ending: AbortSignal): AsyncGenerator<string> {
    try {
      while (!ending.aborted) {
        made.count++
        yield chunk
      }
    } finally {
      made.isOver = true
    }
  }
  return { made, make }
}

const yieldLoop = async (times: number) => {
  for (let n = 0; n < times; n++) await turn()
}

describe('streams of lines', () => {
  it('are produced as they are read, with one buffer for a reader who reads nothing', async () => {
    const { made, make } = endless()
    let over = 0
    const body = linesBody(make, { isStillAllowed: yes, over: () => over++, stopping: new AbortController().signal })
    body.read(0)
    await yieldLoop(100)
    const madeSoFar = made.count
    expect(madeSoFar).to.be.within(1, 8)
    await yieldLoop(100)
    expect(made.count).to.equal(madeSoFar)
    body.read()
    await yieldLoop(100)
    expect(made.count).to.be.greaterThan(madeSoFar)
    body.destroy()
    await yieldLoop(10)
    expect([over, made.isOver]).to.deep.equal([1, true])
  })

  it('are cut for a reader who reads nothing for long, and for no other', async () => {
    const { made, make } = endless()
    let over = 0
    const options = { isStillAllowed: yes, over: () => void over++, recheckEveryMs: 1, maxIdleMs: 20 }
    const stuck = linesBody(make, options)
    const cut = new Promise<Error>((resolve) => stuck.once('error', resolve))
    stuck.read(0)
    expect((await cut).message).to.equal('the reader takes nothing')
    await yieldLoop(10)
    expect([over, made.isOver]).to.deep.equal([1, true])
    // A reader who waits for future lines reads everything that is available.
    const { opened: late, open: come } = gate()
    async function* once(): AsyncGenerator<string> {
      await late
      yield 'late'
    }
    const waiting = linesBody(() => once(), options)
    const read = waiting.toArray()
    await pause(60)
    come()
    expect(String(Buffer.concat(await read))).to.equal('late')
  })

  it('end in order when the node stops, if they have no end of their own', async () => {
    const stopping = new AbortController()
    const { make } = endless()
    const body = linesBody(make, { isStillAllowed: yes, over: () => {}, stopping: stopping.signal })
    let read = 0
    for await (const chunk of body) {
      read += chunk.length
      if (read > 100_000) stopping.abort()
    }
    expect(body.errored).to.equal(null)
    const late = linesBody(endless().make, { isStillAllowed: yes, over: () => {}, stopping: stopping.signal })
    for await (const _ of late) throw new Error('a stream yielded after the node stopped')
  })

  it('are cut for a reader who reads nothing when they are to end', async () => {
    const stopping = new AbortController()
    const { make } = endless()
    const body = linesBody(make, { isStillAllowed: yes, over: () => {}, stopping: stopping.signal })
    body.read(0)
    stopping.abort()
    const failure = await new Promise<Error>((resolve) => body.once('error', resolve))
    expect(failure.message).to.contain('takes nothing')
  })

  it('are cut, and never end in order, when the caller may not read on, if they have an end of their own', async () => {
    for (const isStillAllowed of [async () => false, () => Promise.reject(new Error('unavailable'))]) {
      const body = linesBody(endless().make, { isStillAllowed, over: () => {}, recheckEveryMs: 1 })
      const failure = await (async () => {
        for await (const _ of body) await yieldLoop(1)
        return null
      })().catch((error: Error) => error.message)
      expect(failure).to.contain('has lost access')
    }
  })

  it('fail when their source fails, and are released if nobody read them', async () => {
    let over = 0
    async function* failing(): AsyncGenerator<string> {
      yield 'a\n'
      throw new Error('planted')
    }
    const body = linesBody(failing, { isStillAllowed: yes, over: () => over++ })
    const failure = await (async () => {
      for await (const _ of body);
      return null
    })().catch((error: Error) => error.message)
    expect([failure, over]).to.deep.equal(['planted', 1])
    linesBody(failing, { isStillAllowed: yes, over: () => over++ }).destroy()
    await yieldLoop(10)
    expect(over).to.equal(2)
  })

  it('are joined into chunks of a minimum size', () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'y'.repeat(200) }))
    const chunks = [...ndjsonChunks(rows)]
    expect(chunks.length).to.be.within(2, 10)
    expect(
      chunks
        .join('')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).to.deep.equal(rows)
    expect([...ndjsonChunks([])]).to.deep.equal([])
  })
})
