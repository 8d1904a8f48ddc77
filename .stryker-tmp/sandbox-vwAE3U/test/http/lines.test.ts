// Answers that come line by line: made no faster than they are read, ended in order or
// cut, and released in every case.

import { expect } from 'chai'
import { linesBody, ndjsonChunks } from '../../http/pipeline/lines.ts'
import { gate } from '../until.ts'

const yes = async () => true

/** Pieces without end, and how many were made. */
function endless(piece = 'x'.repeat(10_000)) {
  const made = { count: 0, isOver: false }
  async function* make(ending: AbortSignal): AsyncGenerator<string> {
    try {
      while (!ending.aborted) {
        made.count++
        yield piece
      }
    } finally {
      made.isOver = true
    }
  }
  return { made, make }
}

const turns = async (times: number) => {
  for (let n = 0; n < times; n++) await new Promise((next) => setImmediate(next))
}

describe('lines', () => {
  it('are made as they are read: a reader who takes nothing holds one buffer of them', async () => {
    const { made, make } = endless()
    let over = 0
    const body = linesBody(make, { isStillAllowed: yes, over: () => over++, stopping: new AbortController().signal })
    body.read(0)
    await turns(100)
    const held = made.count
    expect(held).to.be.within(1, 8)
    await turns(100)
    expect(made.count).to.equal(held)
    body.read()
    await turns(100)
    expect(made.count).to.be.greaterThan(held)
    body.destroy()
    await turns(10)
    expect([over, made.isOver]).to.deep.equal([1, true])
  })

  it('are cut for a reader who takes nothing for long, and for no other', async () => {
    const { made, make } = endless()
    let over = 0
    const options = { isStillAllowed: yes, over: () => void over++, recheckEveryMs: 1, maxIdleMs: 20 }
    const stuck = linesBody(make, options)
    const cut = new Promise<Error>((resolve) => stuck.once('error', resolve))
    stuck.read(0)
    expect((await cut).message).to.equal('the reader takes nothing')
    await turns(10)
    expect([over, made.isOver]).to.deep.equal([1, true])
    // Whoever waits for lines that are yet to come takes all that there is.
    const { opened: late, open: come } = gate()
    async function* once(): AsyncGenerator<string> {
      await late
      yield 'late'
    }
    const waiting = linesBody(() => once(), options)
    const read = waiting.toArray()
    await new Promise((wake) => setTimeout(wake, 60))
    come()
    expect(String(Buffer.concat(await read))).to.equal('late')
  })

  it('without an end of their own end in order when the node stops', async () => {
    const stopping = new AbortController()
    const { make } = endless()
    const body = linesBody(make, { isStillAllowed: yes, over: () => {}, stopping: stopping.signal })
    let read = 0
    for await (const piece of body) {
      read += piece.length
      if (read > 100_000) stopping.abort()
    }
    expect(body.errored).to.equal(null)
    const late = linesBody(endless().make, { isStillAllowed: yes, over: () => {}, stopping: stopping.signal })
    for await (const _ of late) throw new Error('it had ended before it began')
  })

  it('are cut for a reader who takes nothing, once they are to end', async () => {
    const stopping = new AbortController()
    const { make } = endless()
    const body = linesBody(make, { isStillAllowed: yes, over: () => {}, stopping: stopping.signal })
    body.read(0)
    stopping.abort()
    const failure = await new Promise<Error>((resolve) => body.once('error', resolve))
    expect(failure.message).to.contain('takes nothing')
  })

  it('with an end of their own are cut, and never end in order, for who may not read on', async () => {
    for (const isStillAllowed of [async () => false, () => Promise.reject(new Error('away'))]) {
      const body = linesBody(endless().make, { isStillAllowed, over: () => {}, recheckEveryMs: 1 })
      const failure = await (async () => {
        for await (const _ of body) await turns(1)
        return null
      })().catch((why: Error) => why.message)
      expect(failure).to.contain('has lost access')
    }
  })

  it('fail when their source fails, and are released if nobody ever read them', async () => {
    let over = 0
    async function* failing(): AsyncGenerator<string> {
      yield 'a\n'
      throw new Error('planted')
    }
    const body = linesBody(failing, { isStillAllowed: yes, over: () => over++ })
    const failure = await (async () => {
      for await (const _ of body);
      return null
    })().catch((why: Error) => why.message)
    expect([failure, over]).to.deep.equal(['planted', 1])
    linesBody(failing, { isStillAllowed: yes, over: () => over++ }).destroy()
    await turns(10)
    expect(over).to.equal(2)
  })

  it('are joined into pieces of some size', () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'y'.repeat(200) }))
    const pieces = [...ndjsonChunks(rows)]
    expect(pieces.length).to.be.within(2, 10)
    expect(
      pieces
        .join('')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).to.deep.equal(rows)
    expect([...ndjsonChunks([])]).to.deep.equal([])
  })
})
