// A sealed log passes the contract of the log, and nobody reads personal text without its player's key.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import type { History } from '../../stores/contract/history.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import type { Vault } from '../../stores/contract/vault.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { sealHistory, sealLog } from '../../stores/log-decorators/sealing/open.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { appendAll } from '../../stores/support/append-all.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { logChecks } from '../contracts/log.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { newPath } from './folder.ts'

const PERSONAL = { PlayerNamed: ['name', 'motto'] }
const MASTER_KEYS = { current: { id: 'm1', key: new Uint8Array(32).fill(1) }, previous: [] }

testContract('a sealed embedded log', logChecks, async () =>
  sealLog(await openLog(newPath('log.sqlite')), createMemoryVault(), { SomethingHappened: ['name'] }),
)

interface Stores {
  readonly inner: Log & History
  readonly vault: Vault
  readonly log: Log
  readonly history: History
}

function stores(): Stores {
  const inner = createMemoryLog()
  const vault = sealVault(createMemoryVault(), MASTER_KEYS)
  return { inner, vault, log: sealLog(inner, vault, PERSONAL), history: sealHistory(inner, vault, PERSONAL) }
}

function named(name: string | null, player = 'p-1') {
  return someEvent({ type: 'PlayerNamed', data: { name, level: 3, motto: 'Zoë 🎲' }, meta: { player, board: 'b1' } })
}

/** The only event of a log, by every kind of read. */
async function everyReading(log: Log, history: History): Promise<(StoredEvent | undefined | null)[]> {
  const head = (await log.head()) ?? ''
  const subscription = log.subscribe(null, 9, new AbortController().signal)
  const [followed] = (await subscription[Symbol.asyncIterator]().next()).value ?? []
  const [ofStream] = await log.readStream('s-1', 0, 9)
  const [ofAll] = await log.readAll(null, 9)
  const [ofGame] = await history.part({ game: 'g1' }, null, 9)
  return [ofStream, ofAll, ofGame, await log.eventAt(head), followed]
}

describe('a sealed log', () => {
  it('decrypts personal text in every read, and stores none of it in clear', async () => {
    const { inner, log, history } = stores()
    const event = named('Ada')
    await appended(log, 's-1', 'none', [event])
    for (const read of await everyReading(log, history)) expect(read?.data).to.deep.equal(event.data)
    for (const read of await everyReading(inner, inner)) {
      expect(read?.data.level).to.equal(3)
      expect(JSON.stringify(read)).not.to.match(/Ada|Zoë/)
      expect(read?.data.name).not.to.equal(read?.data.motto)
    }
  })

  it('leaves personal text encrypted for readers that do not need it', async () => {
    const { log, history } = stores()
    await appended(log, 's-1', 'none', [named('Ada')])
    const [read] = (await history.unopened?.({ game: 'g1' }, null, 9)) ?? []
    expect(read?.data.level).to.equal(3)
    expect(JSON.stringify(read)).not.to.match(/Ada|Zoë/)
  })

  it('returns null for personal text once its key is destroyed, in every read, and keeps all other fields', async () => {
    const { vault, log, history } = stores()
    await appended(log, 's-1', 'none', [named('Ada')])
    await everyReading(log, history)
    await vault.destroy('player-key', 'p-1')
    for (const read of await everyReading(log, history))
      expect(read?.data).to.deep.equal({ name: null, level: 3, motto: null })
  })

  it('returns null for text under a destroyed key even if the player has a new key', async () => {
    const { vault, log } = stores()
    await appended(log, 's-1', 'none', [named('Ada')])
    await vault.destroy('player-key', 'p-1')
    await appended(log, 's-1', 0, [named('Bea'), named('Cid', 'p-2')])
    expect((await log.readStream('s-1', 0, 9)).map(({ data }) => data.name)).to.deep.equal([null, 'Bea', 'Cid'])
  })

  it('does not change null, absent and other fields, and events of other types', async () => {
    const { inner, vault, log } = stores()
    const events = [
      someEvent({ type: 'PlayerNamed', data: { name: null, level: 1 } }),
      someEvent({ type: 'PlayerNamed', data: { level: 2 }, meta: { player: 'p-1' } }),
      someEvent({ type: 'Other', data: { name: 'Ada' } }),
    ]
    await appended(log, 's-1', 'none', events)
    const expected = events.map(({ data }) => data)
    expect((await inner.readAll(null, 9)).map(({ data }) => data)).to.deep.equal(expected)
    expect((await log.readAll(null, 9)).map(({ data }) => data)).to.deep.equal(expected)
    expect(await vault.get('player-key', 'p-1')).to.equal(null)
  })

  it('acknowledges a repeated append of an encrypted event', async () => {
    const { log } = stores()
    const event = named('Ada')
    const first = await log.append('s-1', 'none', [event])
    expect(await log.append('s-1', 'none', [event])).to.deep.equal(first)
    expect(await log.readAll(null, 9)).to.have.length(1)
  })

  it('returns null for text that was moved to another event or field', async () => {
    const { inner, log } = stores()
    await appended(log, 's-1', 'none', [named('Ada')])
    const [sealed] = await inner.readStream('s-1', 0, 1)
    if (sealed === undefined) throw new Error('Nothing was appended')
    const { name = null, motto = null } = sealed.data
    const meta = { player: 'p-1' }
    await appended(inner, 's-2', 'none', [
      someEvent({ type: 'PlayerNamed', data: { name, motto }, meta }),
      { ...sealed, data: { name: motto, motto: name } },
    ])
    const moved = await log.readStream('s-2', 0, 9)
    expect(moved.map(({ data }) => data)).to.deep.equal([
      { name: null, motto: null },
      { name: null, motto: null },
    ])
  })

  it('stores the key before the event, and refuses personal text without a player', async () => {
    const vault = createMemoryVault()
    const inner = createMemoryLog()
    const keys: (Uint8Array | null)[] = []
    const watched: Log = {
      ...inner,
      append: async (stream, expected, events) => {
        keys.push(await vault.get('player-key', 'p-1'))
        return inner.append(stream, expected, events)
      },
    }
    const log = sealLog(watched, vault, PERSONAL)
    await appended(log, 's-1', 'none', [named('Ada')])
    expect(keys.map((key) => key?.length)).to.deep.equal([32])
    const stray = someEvent({ type: 'PlayerNamed', data: { name: 'Ada' } })
    const refusal = await log.append('s-2', 'none', [stray]).catch((error: unknown) => error)
    expect(refusal).to.be.an.instanceOf(NotSent)
    expect(await inner.readStream('s-2', 0, 1)).to.deep.equal([])
  })

  it('keeps the order of appends together, also where the keys of their players come in another order', async () => {
    const { inner, log, vault } = stores()
    await appended(log, 's-0', 'none', [named('Cached', 'p-2')])
    const slow: Record<string, number> = { 'p-1': 3, 'p-3': 1 }
    const get: Vault['get'] = async (purpose, id) => {
      for (let turns = slow[id] ?? 0; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
      return vault.get(purpose, id)
    }
    const sealed = sealLog(inner, { ...vault, get }, PERSONAL)
    const appends = [
      { stream: 's-1', expected: 'none' as const, events: [named('Ada', 'p-1')] },
      { stream: 's-2', expected: 'none' as const, events: [named('Bea', 'p-2')] },
      { stream: 's-3', expected: 'none' as const, events: [named('Cid', 'p-3')] },
      { stream: 's-4', expected: 'none' as const, events: [someEvent({ type: 'Other', data: { name: 'clear' } })] },
    ]
    const results = await Promise.all(appendAll(sealed, appends))
    expect(results.map(({ kind }) => kind)).to.deep.equal(Array(4).fill('appended'))
    const rows = (await sealed.readAll(null, 9)).slice(1).map(({ stream, data }) => [stream, data.name])
    expect(rows).to.deep.equal([
      ['s-1', 'Ada'],
      ['s-2', 'Bea'],
      ['s-3', 'Cid'],
      ['s-4', 'clear'],
    ])
    expect(JSON.stringify(await inner.readAll(null, 9))).not.to.match(/Ada|Bea|Cid/)
  })

  it('refuses only the one of several appends that has personal text without a player', async () => {
    const { log } = stores()
    const stray = someEvent({ type: 'PlayerNamed', data: { name: 'Ada' } })
    const settled = await Promise.allSettled(
      appendAll(log, [
        { stream: 's-1', expected: 'none', events: [stray] },
        { stream: 's-2', expected: 'none', events: [named('Bea')] },
      ]),
    )
    expect(settled.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled'])
    expect((await log.readAll(null, 9)).map(({ stream }) => stream)).to.deep.equal(['s-2'])
  })
})
