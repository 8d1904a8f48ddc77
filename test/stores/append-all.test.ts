// Several appends at once through the decorators of a log: each settles by itself, and they reach the log together and
// in order.

import { expect } from 'chai'
import type { Append, Log } from '../../stores/contract/log.ts'
import { OfDeletedGame } from '../../stores/contract/log.ts'
import type { Stores } from '../../stores/contract/stores.ts'
import { openEmbeddedMemory } from '../../stores/embedded/open.ts'
import { DeletedGames, hideInLog } from '../../stores/log-decorators/hiding/deleted-games.ts'
import { withRestore } from '../../stores/log-decorators/restored/positions.ts'
import { appendAll } from '../../stores/support/append-all.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'

/** A log that appends together only what comes in one call, in the order of the list. */
function watchedLog() {
  const log = createMemoryLog()
  const calls: string[][] = []
  const watched: Log = {
    ...log,
    appendAll: (appends) => {
      calls.push(appends.map(({ stream }) => stream))
      return appends.map(({ stream, expected, events }) => log.append(stream, expected, events))
    },
  }
  return { log, watched, calls }
}

const one = (stream: string, game = 'g1'): Append => ({
  stream,
  expected: 'none',
  events: [someEvent({ type: 'SomethingHappened', data: { name: stream }, meta: { game } })],
})

describe('several appends at once', () => {
  it('are those of the log one by one in their order, where it has no appendAll', async () => {
    const log = createMemoryLog()
    await appended(log, 's-2', 'none', [someEvent({})])
    const results = await Promise.all(appendAll(log, [one('s-1'), one('s-2'), one('s-3')]))
    expect(results.map(({ kind }) => kind)).to.deep.equal(['appended', 'conflict', 'appended'])
    expect((await log.readAll(null, 9)).map(({ stream }) => stream)).to.deep.equal(['s-2', 's-1', 's-3'])
  })

  it('reach the log together through a hiding log, which refuses only those of a deleted game', async () => {
    const { log, watched, calls } = watchedLog()
    const deleted = new DeletedGames()
    deleted.add('g2')
    deleted.hide('g2')
    const settled = await Promise.allSettled(
      appendAll(hideInLog(watched, deleted), [one('s-1'), one('s-2', 'g2'), one('s-3')]),
    )
    expect(settled.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
    expect((settled[1] as PromiseRejectedResult).reason).to.be.instanceOf(OfDeletedGame)
    expect(calls).to.deep.equal([['s-1', 's-3']])
    const rows = await log.readAll(null, 9)
    expect(settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))).to.deep.equal(
      rows.map(({ position, revision }) => ({ kind: 'appended', position, revision })),
    )
  })

  it('reach the log together through a restored log, and have its positions', async () => {
    const { log, watched, calls } = watchedLog()
    await appended(log, 's-2', 'none', [someEvent({})])
    const stores = { ...openEmbeddedMemory(createRankings()), log: watched, history: null, logErasure: null }
    const restored = withRestore(stores as unknown as Stores, 'r7').log
    const results = await Promise.all(appendAll(restored, [one('s-1'), one('s-2'), one('s-3')]))
    expect(calls).to.deep.equal([['s-1', 's-2', 's-3']])
    expect(results.map(({ kind }) => kind)).to.deep.equal(['appended', 'conflict', 'appended'])
    const positions = (await restored.readAll(null, 9)).slice(1).map(({ position }) => position)
    expect(results.flatMap((result) => (result.kind === 'appended' ? [result.position] : []))).to.deep.equal(positions)
    expect(positions.every((position) => position.endsWith('-r7'))).to.equal(true)
  })
})
