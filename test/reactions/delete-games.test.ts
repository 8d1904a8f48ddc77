// When the removal of a deleted game begins: after the slowest call that another node may still have been serving; and
// how events are removed that only their stream ties to the game.

import { expect } from 'chai'
import { SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { createHandler } from '../../commands/handle.ts'
import { refuseDeleted } from '../../commands/refuse-deleted.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { beginErasure, createGame, deleteGame, game, gameStream } from '../../domain/game.ts'
import { slots, slotsStream, takeSlot } from '../../domain/slots.ts'
import { deleteGames } from '../../reactions/delete-games.ts'
import { queryDeps } from '../../server/compose.ts'
import { SERVERS_SETTLE_MS } from '../../server/node/deletion.ts'
import { APPEND_DEADLINE_MS } from '../../stores/contract/log.ts'
import { DeletedGames, hideInLog } from '../../stores/log-decorators/hiding/deleted-games.ts'
import { NO_FILES } from '../../stores/support/no-files.ts'
import { contextAt, signInRig } from '../commands/sign-in/sign-in-rig.ts'
import { historyOf } from '../memory/history.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'

const about = { stream: slotsStream('g'), game: null }
const take = (id: string) => takeSlot({ kind: 'buckets', id }, 0)

describe('the removal of a deleted game on servers', () => {
  it('begins after the last append of a call that a node started before it knew of the deletion', async () => {
    // Every append but the last one uses up its deadline; the patience of the command is tried to its last millisecond.
    for (const firstMs of [APPEND_DEADLINE_MS, APPEND_DEADLINE_MS - 1, 6_000, 2_000, 1]) {
      let elapsedMs = SYNCED_WITHIN_MS
      let appends = 0
      const append = () => {
        elapsedMs += appends === 0 ? firstMs : APPEND_DEADLINE_MS
        appends += 1
        return Promise.reject(new Error('no answer'))
      }
      const handler = createHandler({ ...createMemoryLog(), append }, { elapsedMs: () => elapsedMs })
      const failed: unknown = await handler
        .handle(slots, about, contextAt(), take('b'))
        .catch((error: unknown) => error)
      expect(failed).to.include({ code: 'log_unavailable' })
      expect(elapsedMs, `after ${appends} appends`).to.be.below(SERVERS_SETTLE_MS)
    }
  })
})

describe('the slots of a deleted game', () => {
  it('are not taken by calls once a node knows of the deletion', async () => {
    const deleted = new DeletedGames()
    const handler = refuseDeleted(createHandler(createMemoryLog()), deleted.has)
    await handler.handle(slots, about, contextAt(), take('b1'))
    deleted.add('g')
    const refused: unknown = await handler
      .handle(slots, about, contextAt(), take('b2'))
      .catch((error: unknown) => error)
    expect(refused).to.include({ code: 'game_not_found' })
  })

  it('are hidden from readers and accept no event once the removal has begun', async () => {
    const deleted = new DeletedGames()
    const inner = createMemoryLog()
    const log = hideInLog(inner, deleted)
    await createHandler(log).handle(slots, about, contextAt(), take('b1'))
    await createHandler(log).handle(slots, { ...about, stream: slotsStream('h') }, contextAt(), take('b1'))
    deleted.hide('g')
    expect(await log.readStream(slotsStream('g'), 0, 10)).to.deep.equal([])
    const streams = (await log.readAll(null, 10)).map(({ stream }) => stream)
    expect(new Set(streams)).to.deep.equal(new Set([slotsStream('h')]))
    const [event] = await inner.readStream(slotsStream('g'), 0, 1)
    if (event === undefined) throw new Error('no slot was taken')
    const { id, type, data, meta } = event
    const late: unknown = await log.append(slotsStream('g'), 1, [{ id, type, data, meta }]).catch((e: unknown) => e)
    expect(late).to.have.property('name', 'NotSent')
  })
})

describe('the events of a deleted game in an embedded log', () => {
  it('are emptied after the removal of their documents is durable, and the end is recorded last', async () => {
    const { deps, log } = signInRig()
    const calls: string[] = []
    const called = (name: string) => async () => void calls.push(name)
    const context = contextAt()
    const named = { stream: gameStream('g'), game: 'g' }
    await deps.handler.handle(game, named, context, createGame('name'))
    await deps.handler.handle(slots, about, context, take('b'))
    await deps.handler.handle(game, named, context, deleteGame('name'))
    await deps.handler.handle(game, named, context, beginErasure)
    const views = { ...createMemoryViews(), durable: called('durable') }
    const queries = queryDeps({ stores: { views, rankings: createRankings(), history: historyOf(log) } })
    const olderEvents = async () => ({ events: [], next: null })
    const reaction = deleteGames({
      ...{ commands: deps, queries, now: () => context.nowMs, waitForProjection: async () => true, views, settleMs: 0 },
      files: NO_FILES,
      unfiltered: { log, history: historyOf(log) },
      deletedGames: new DeletedGames(),
      clearing: { begin: async () => true, clear: called('documents'), end: called('end of documents') },
      logErasure: { rewriteEvents: called('events'), olderEvents, purge: called('purge') },
      ...{ streamErasure: null, documentErasure: null, rooms: { forget: async () => {} }, progress: () => {} },
    })
    const begun = (await log.readAll(null, 10)).at(-1) as StoredEvent
    await reaction.react(begun, new AbortController().signal)
    const page = ['documents', 'durable', 'events']
    expect(calls).to.deep.equal([...page, ...page, 'durable', 'end of documents', 'purge'])
    expect((await log.readAll(null, 10)).at(-1)?.type).to.equal('GameErased')
  })
})
