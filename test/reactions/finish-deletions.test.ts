// A player's deletion whose call died right after the event: a reaction does the rest, once or twice; and start-up does
// it again to a vault that was restored from a copy.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { makePlayer, remove } from '../../commands/player.ts'
import { endAll, start, storeTokenHash } from '../../commands/session.ts'
import { recordSubmission } from '../../commands/submit-score.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { filesKeyOf, PERSONAL_FIELDS } from '../../domain/personal.ts'
import { playerStream } from '../../domain/player.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { finishDeletions } from '../../reactions/finish-deletions.ts'
import { queryDeps } from '../../server/compose.ts'
import { deleteRestoredKeys } from '../../server/node/delete-restored-keys.ts'
import { sealLog } from '../../stores/log-decorators/sealing/open.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryVault } from '../memory/vault.ts'
import { prepareWorld } from '../projections/prepare-world.ts'
import { runToEnd, runWorld } from '../projections/run-world.ts'
import { rulesOf } from '../rules.ts'

const GAME = 'agame'
const NOW_MS = Date.parse('2026-11-21T07:05:01.123Z')
const SIGNAL = new AbortController().signal
const RULES = rulesOf(true)

async function openWorld() {
  const inner = createMemoryLog()
  const vault = createMemoryVault()
  const log = sealLog(inner, vault, PERSONAL_FIELDS)
  const world = runWorld(ALL_VIEWS, { log })
  await prepareWorld(world)
  const keys = workingKeys(new Uint8Array(32).fill(7))
  const commands = { handler: createHandler(log), log, vault, keys, publish: async () => {} }
  const { views, rankings } = world.deps
  const queries = queryDeps({ stores: { views, rankings, history: inner } })
  const settled = () => runToEnd(world)
  return { inner, log, vault, commands, queries, settled }
}

type World = Awaited<ReturnType<typeof openWorld>>

const context = (nowMs = NOW_MS) => {
  return { ...randomIds(), call: null, repeated: false, actor: 'sk_x', request: null, nowMs }
}

/** A player with all that a player can have, deleted by a call that died right after the event. */
async function deletedPlayer({ commands, vault, settled }: World) {
  const { id } = await makePlayer(commands, GAME, { name: 'Ada', externalId: 'steam:1' }, context())
  const fresh = { game: GAME, player: id, key: 'ck_a', permissions: [], signOuts: 0 }
  const sessions = [await start(commands, fresh, context()), await start(commands, fresh, context())].map(
    (one) => one.id,
  )
  for (const session of sessions) await vault.putIfAbsent('session-used', session, new Uint8Array(10))
  await endAll(commands, { game: GAME, player: id, sessions: sessions.slice(1) }, context())
  await storeTokenHash(commands, 'guest-token', id, new Uint8Array(32))
  const { events } = await remove(commands, { game: GAME, player: id }, context())
  await settled()
  return { id, sessions, deletion: events[0] }
}

async function react({ log, commands, queries }: World, waitForProjection: () => Promise<boolean> = async () => true) {
  const reaction = finishDeletions({ commands, queries, now: () => NOW_MS, waitForProjection })
  for (const event of await log.readAll(null, 1_000)) {
    if (reaction.takes.includes(event.type)) await reaction.react(event, SIGNAL)
  }
}

async function kept({ vault }: World, id: string, sessions: readonly string[]) {
  const all = [vault.get('player-key', id), vault.get('guest-token', id)]
  const ofSession = (session: string) => [vault.get('refresh-token', session), vault.get('session-used', session)]
  const rows = await Promise.all([...all, ...sessions.flatMap(ofSession)])
  return rows.map((row) => row?.length ?? null)
}

const DAYS_MS = 3 * 24 * 60 * 60 * 1000

const destroyed = ({ vault, log, queries }: Pick<World, 'vault' | 'log' | 'queries'>, nowMs = NOW_MS + DAYS_MS) =>
  deleteRestoredKeys(vault, log, queries, nowMs)

describe('finishing the deletion of a player', () => {
  it('destroys key and secrets, ends sessions and releases the external id, idempotently', async () => {
    const world = await openWorld()
    const { id, sessions } = await deletedPlayer(world)
    expect(await kept(world, id, sessions)).to.deep.equal([32, 32, 32, 10, 32, 10])
    await react(world)
    const types = async () => (await world.log.readAll(null, 1_000)).map(({ type }) => type)
    const once = await types()
    expect(once.slice(-2).sort()).to.deep.equal(['ExternalReleased', 'SessionEnded'])
    await react(world)
    expect(await types()).to.deep.equal(once)
    expect(await kept(world, id, sessions)).to.deep.equal([0, null, null, null, null, null])
    const other = await makePlayer(world.commands, GAME, { name: 'Eve', externalId: 'steam:1' }, context())
    await react(world)
    expect(await types()).to.deep.equal([...once, 'ExternalClaimed', 'PlayerCreated'])
    expect(other.id).not.to.equal(id)
  })

  it('is repeated if the views lack some sessions', async () => {
    const world = await openWorld()
    const { id, sessions } = await deletedPlayer(world)
    const failed = await react(world, async () => false).then(
      () => false,
      () => true,
    )
    expect(failed).to.equal(true)
    expect((await kept(world, id, sessions)).slice(0, 2)).to.deep.equal([0, null])
    await react(world)
    expect(await kept(world, id, sessions)).to.deep.equal([0, null, null, null, null, null])
  })

  it('leaves no text readable, whether written before or late', async () => {
    const world = await openWorld()
    const { id } = await deletedPlayer(world)
    await react(world)
    const target = {
      game: GAME,
      board: 'b1',
      rules: RULES,
      since: new Date(0).toISOString(),
      generation: 1,
      player: id,
    }
    const late = { score: '5' as Decimal, secondary: null, extra: null, playerName: 'Late Ada' }
    await recordSubmission(world.commands, target, late, context())
    const events = await world.log.readAll(null, 1_000)
    expect(JSON.stringify(events)).not.to.match(/Ada|steam/)
    expect(JSON.stringify(await world.inner.readAll(null, 1_000))).not.to.match(/Ada|steam/)
    expect((await world.log.readStream(playerStream(id), 0, 1))[0]?.data).to.deep.include({
      name: null,
      externalId: null,
    })
  })

  it('is repeated at start for a restored vault, checking only deletions since its backup', async () => {
    const world = await openWorld()
    const first = await deletedPlayer(world)
    expect(await destroyed(world)).to.equal(1)
    expect(await destroyed(world)).to.equal(0)
    // A vault restored from an older backup: it has the keys again, and not the marker.
    for (const key of [first.id, filesKeyOf(first.id)]) {
      await world.vault.destroy('player-key', key)
      await world.vault.putIfAbsent('player-key', key, new Uint8Array(32))
    }
    await world.vault.destroy('installation', 'deletions')
    expect(await destroyed(world)).to.equal(1)
    expect(await kept(world, first.id, [])).to.deep.equal([0, 32])
    expect(await world.vault.get('player-key', filesKeyOf(first.id))).to.have.length(0)
    const { id } = await makePlayer(world.commands, GAME, { name: 'Bo', externalId: null }, context(NOW_MS + DAYS_MS))
    await remove(world.commands, { game: GAME, player: id }, context(NOW_MS + DAYS_MS))
    await world.settled()
    expect(await destroyed(world)).to.equal(1)
    const asked: string[] = []
    const watched = {
      ...world.vault,
      get: async (...[kind, of]: Parameters<typeof world.vault.get>) => {
        asked.push(of)
        return world.vault.get(kind, of)
      },
    }
    expect(await destroyed({ ...world, vault: watched })).to.equal(0)
    expect(asked).to.deep.equal(['deletions', id, filesKeyOf(id)])
  })

  it('is repeated at start for deletions after one that a clock years ahead dated', async () => {
    const world = await openWorld()
    const deleted = async (nowMs: number) => {
      const { id } = await makePlayer(world.commands, GAME, { name: 'Bo', externalId: null }, context(NOW_MS))
      await remove(world.commands, { game: GAME, player: id }, context(nowMs))
      await world.settled()
      return id
    }
    await deleted(Date.UTC(2030, 0, 1))
    expect(await destroyed(world, NOW_MS)).to.equal(1)
    await deleted(NOW_MS)
    expect(await destroyed(world, NOW_MS)).to.equal(1)
    // As an earlier version left it.
    await world.vault.replace('installation', 'deletions', Buffer.from('2030-01-01T00:00:00.000Z'))
    await deleted(NOW_MS)
    expect(await destroyed(world, NOW_MS)).to.equal(1)
  })
})
