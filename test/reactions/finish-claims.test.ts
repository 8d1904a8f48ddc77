// A claim on an external id whose call failed before the player was created.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { finishExternalClaim, makePlayer } from '../../commands/player.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { playerStream } from '../../domain/player.ts'
import { finishClaims } from '../../reactions/finish-sign-ins.ts'
import { runReactions } from '../../reactions/run.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { ownsAll } from '../memory/ownership.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { createMemoryViews } from '../memory/views.ts'
import { turn } from '../until.ts'

const LONG_AGO_MS = Date.parse('2026-01-01T00:00:00.000Z')
const GAME = 'agame'

function world() {
  const log = createMemoryLog()
  const views = createMemoryViews()
  const commands = {
    handler: createHandler(log),
    publish: async () => {},
    log,
    vault: createMemoryVault(),
    keys: workingKeys(new Uint8Array(32).fill(7)),
  }
  const failures: unknown[] = []
  const deps = { log, views, failed: (_name: string, error: unknown) => failures.push(error) }
  return { log, views, commands, deps, failures }
}

const contextAt = (nowMs: number) => ({
  ...randomIds(),
  call: null,
  repeated: false,
  actor: 'sk_x',
  request: 'r',
  nowMs,
})

/** Runs the reaction until it has made its checkpoint at the head of the log. */
async function settle({ log, views, commands, deps }: ReturnType<typeof world>): Promise<void> {
  const stop = new AbortController()
  const running = runReactions(deps, [finishClaims({ commands, now: Date.now })], ownsAll, stop.signal)
  const claim = (await log.readAll(null, 100)).findLast(({ type }) => type === 'ExternalClaimed')
  for (;;) {
    const saved = (await views.checkpoints('process_finish_claims@1')).get(0)
    if (saved !== undefined && claim !== undefined && saved.position >= claim.position) break
    await turn()
  }
  stop.abort()
  await running
}

/** A log that refuses to make players, as if the process had died between the two appends. */
function dyingBeforePlayers(log: Log): Log {
  return {
    ...log,
    append: async (stream, expected, events) => {
      if (stream.startsWith('player-')) throw new NotSent('died')
      return log.append(stream, expected, events)
    },
  }
}

async function eventsOf(log: Log, stream: string): Promise<StoredEvent[]> {
  return log.readStream(stream, 0, 100)
}

describe('finishing a claim on an external id', () => {
  it('creates the player of the claim', async () => {
    const all = world()
    const dying = { ...all.commands, handler: createHandler(dyingBeforePlayers(all.log)) }
    const fresh = { name: 'Ada', externalId: 'x-1' }
    const died = await makePlayer(dying, GAME, fresh, contextAt(LONG_AGO_MS)).catch((error: unknown) => error)
    expect(died).to.be.instanceOf(NotSent)
    const [claim] = await all.log.readAll(null, 10)
    const player = String(claim?.data.player)
    expect(await eventsOf(all.log, playerStream(player))).to.deep.equal([])

    await settle(all)
    const made = await eventsOf(all.log, playerStream(player))
    expect(made.map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: 'PlayerCreated', data: { name: 'Ada', externalId: 'x-1', guest: false } },
    ])
    expect(all.failures).to.deep.equal([])
  })

  it('adds nothing if the call has finished or the event is delivered again', async () => {
    const all = world()
    const { id } = await makePlayer(all.commands, GAME, { name: 'Ada', externalId: 'x-1' }, contextAt(LONG_AGO_MS))
    const before = await all.log.readAll(null, 100)
    await settle(all)
    const [claim] = before
    expect(claim?.data.player).to.equal(id)
    await finishExternalClaim(
      all.commands,
      GAME,
      { player: id, name: 'Ada', externalId: 'x-1' },
      contextAt(LONG_AGO_MS),
    )
    expect(await all.log.readAll(null, 100)).to.deep.equal(before)
  })

  it('continues after a failure', async () => {
    const all = world()
    const dying = { ...all.commands, handler: createHandler(dyingBeforePlayers(all.log)) }
    await makePlayer(dying, GAME, { name: 'Ada', externalId: 'x-1' }, contextAt(LONG_AGO_MS)).catch(() => {})
    let failuresLeft = 1
    const flaky: Log = {
      ...all.log,
      append: async (stream, expected, events) => {
        if (failuresLeft-- > 0) throw new NotSent('not this time')
        return all.log.append(stream, expected, events)
      },
    }
    await settle({ ...all, commands: { ...all.commands, handler: createHandler(flaky) } })
    expect(all.failures.map(String)).to.deep.equal(['NotSent: not this time'])
    expect((await all.log.readAll(null, 10)).map(({ type }) => type)).to.deep.equal([
      'ExternalClaimed',
      'PlayerCreated',
    ])
  })
})
