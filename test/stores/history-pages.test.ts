// Reading a history in pages, with and without prefetch; and cached positions of events that are looked up
// repeatedly.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { historyPages } from '../../stores/support/history-pages.ts'
import { EventNotFound, positionOf } from '../../stores/support/positions.ts'
import { turn } from '../until.ts'

const PAGES = [['1', '2'], ['3', '4'], ['5']]

/** Pages with one or two of five events; `calls` records when each page is read. */
function pagesOf(calls: string[], failsAfter: string | null = null) {
  return async (_filter: unknown, after: string | null) => {
    calls.push(`read after ${after}`)
    if (after === failsAfter && after !== null) throw new Error('away')
    return (PAGES[Math.ceil(Number(after ?? 0) / 2)] ?? []).map((position) => ({ position }))
  }
}

async function readAll(calls: string[], isAhead: boolean, failsAfter: string | null = null): Promise<void> {
  const read = pagesOf(calls, failsAfter)
  for await (const page of historyPages(read, { board: 'b' }, { limit: 2, isAhead })) {
    calls.push(`handled ${page.map(({ position }) => position).join()}`)
  }
}

describe('a history in pages', () => {
  it('is read on demand', async () => {
    const calls: string[] = []
    await readAll(calls, false)
    const first = ['read after null', 'handled 1,2', 'read after 2', 'handled 3,4', 'read after 4', 'handled 5']
    expect(calls).to.deep.equal(first)
  })

  it('is read one page ahead with isAhead, and not past its end', async () => {
    const calls: string[] = []
    await readAll(calls, true)
    const first = ['read after null', 'read after 2', 'handled 1,2', 'read after 4', 'handled 3,4', 'handled 5']
    expect(calls).to.deep.equal(first)
  })

  it('throws a failed prefetch only when the caller continues', async () => {
    for (const isAhead of [false, true]) {
      const calls: string[] = []
      const failure = await readAll(calls, isAhead, '2').catch((error: Error) => error.message)
      expect([failure, calls.at(-1)]).to.deep.equal(['away', isAhead ? 'handled 1,2' : 'read after 2'])
    }
  })

  it('causes no unhandled rejection if the caller stops', async () => {
    const unheard: unknown[] = []
    const hear = (error: unknown) => void unheard.push(error)
    process.on('unhandledRejection', hear)
    try {
      for await (const _page of historyPages(pagesOf([], '2'), { board: 'b' }, { limit: 2, isAhead: true })) break
      // Node reports unhandled rejections after the promise callbacks of a turn.
      for (let n = 0; n < 3; n++) await turn()
      expect(unheard).to.deep.equal([])
    } finally {
      process.off('unhandledRejection', hear)
    }
  })
})

describe('the position of an event reference', () => {
  it('is read once per log', async () => {
    const read: string[] = []
    const logOf = (name: string) => ({
      readStream: async (stream: string, revision: number) => {
        read.push(`${name} ${stream} ${revision}`)
        return [{ position: `${name}${revision}` } as StoredEvent]
      },
    })
    const [a, b] = [logOf('a'), logOf('b')]
    for (const log of [a, a, b, a]) {
      expect(await positionOf(log, { stream: 's', revision: 1 })).to.equal(log === a ? 'a1' : 'b1')
    }
    await positionOf(a, { stream: 's', revision: 2 })
    expect(read).to.deep.equal(['a s 1', 'b s 1', 'a s 2'])
  })

  it('is looked up again if it was not found before', async () => {
    const there: StoredEvent[] = []
    const log = { readStream: async () => there }
    const reference = { stream: 's', revision: 0 }
    expect(await positionOf(log, reference).catch((error) => error)).to.be.an.instanceOf(EventNotFound)
    there.push({ position: '7' } as StoredEvent)
    expect(await positionOf(log, reference)).to.equal('7')
  })
})
