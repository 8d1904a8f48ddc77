// A player has a limited number of live sessions: another one ends the oldest, and only those above the limit.

import { expect } from 'chai'
import { makePlayer } from '../../../commands/player.ts'
import { start } from '../../../commands/session.ts'
import { beginSession } from '../../../commands/sign-in/begin.ts'
import type { SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import { MAX_SESSIONS } from '../../../domain/session.ts'
import { idIn, isNamed } from '../../../domain/streams.ts'
import { contextAt, GAME, LONG_AGO_MS, signInRig } from './sign-in-rig.ts'

const CALLER = { key: 'ck_x', permissions: [] }

async function openRig() {
  const { deps: bare, log } = signInRig()
  const published: string[] = []
  const ofSessions = async () => (await log.readAll(null, 2_000)).filter(({ stream }) => isNamed(stream, 'session-'))
  const idsOf = async (type: string) => {
    return (await ofSessions()).filter((event) => event.type === type).map(({ stream }) => idIn(stream))
  }
  const deps: SignInDeps = {
    ...bare,
    publish: async (changes) => void published.push(...changes.map(({ subject }) => subject)),
    async openSessions(_player, _nowMs, most) {
      const endedIds = await idsOf('SessionEnded')
      const open = (await ofSessions()).filter(({ stream }) => !endedIds.includes(idIn(stream)))
      return open.map(({ stream, meta }) => ({ id: idIn(stream), started: meta.time, signOuts: 0 })).slice(0, most)
    },
  }
  const { id, handled } = await makePlayer(deps, GAME, { name: 'Ada', externalId: null }, contextAt())
  if (handled.after === null) throw new Error('no player was made')
  const player = { id, state: handled.after, made: false }
  const begin = (nowMs: number, of: Partial<typeof player> = {}) =>
    beginSession(deps, { game: GAME, player: { ...player, ...of }, caller: CALLER }, contextAt(nowMs))
  /** Begun in some other way: by racers, or before there was a limit. */
  const startMany = async (count: number) => {
    const fresh = { game: GAME, player: id, ...CALLER, signOuts: 0 }
    for (let n = 0; n < count; n++) await start(deps, fresh, contextAt(LONG_AGO_MS + n))
  }
  return {
    begin,
    startMany,
    published,
    startedIds: () => idsOf('SessionStarted'),
    endedIds: () => idsOf('SessionEnded'),
  }
}

describe('the sessions of a player', () => {
  it('are at most the limit, and another one ends the oldest on every node', async () => {
    const { begin, startMany, published, startedIds, endedIds } = await openRig()
    await startMany(MAX_SESSIONS - 1)
    await begin(LONG_AGO_MS + 1_000)
    expect(await endedIds()).to.deep.equal([])
    await begin(LONG_AGO_MS + 1_001)
    await begin(LONG_AGO_MS + 1_002)
    const oldest = (await startedIds()).slice(0, 2)
    expect(await endedIds()).to.deep.equal(oldest)
    expect(published).to.deep.equal(oldest.map((id) => `session:${id}`))
  })

  it('far above the limit end in batches, without the new one', async () => {
    const { begin, startMany, startedIds, endedIds } = await openRig()
    await startMany(MAX_SESSIONS + 60)
    await begin(LONG_AGO_MS + 1_000)
    const first = (await endedIds()).length
    expect([first > 0, first < 61]).to.deep.equal([true, true])
    await begin(LONG_AGO_MS + 1_001)
    expect((await endedIds()).toSorted()).to.deep.equal((await startedIds()).slice(0, 62).toSorted())
  })

  it('are not read for a player whom the call has just created', async () => {
    const { begin, startMany, endedIds } = await openRig()
    await startMany(MAX_SESSIONS)
    await begin(LONG_AGO_MS + 1_000, { made: true })
    expect(await endedIds()).to.deep.equal([])
  })
})
