// Signing in as a new guest: what is stored and recorded, in which order, and what happens to a guest who is deleted or
// banned meanwhile.

import { expect } from 'chai'
import type { CommandContext } from '../../../commands/command-context.ts'
import { deletePlayer, forgetSession } from '../../../commands/forget.ts'
import { createHandler } from '../../../commands/handle.ts'
import { ban } from '../../../commands/player.ts'
import { playerNow } from '../../../commands/player-now.ts'
import { ownerOf } from '../../../commands/session.ts'
import { newGuest } from '../../../commands/sign-in/guest.ts'
import type { SignInDeps } from '../../../commands/sign-in/sign-in-deps.ts'
import { keyedIds } from '../../../credentials/command-ids.ts'
import { playerStream } from '../../../domain/player.ts'
import { sessionStream } from '../../../domain/session.ts'
import type { Log } from '../../../stores/contract/log.ts'
import type { Vault } from '../../../stores/contract/vault.ts'
import { refusalCodeOf } from '../../refusal-of.ts'
import { contextAt, GAME, LONG_AGO_MS, signInRig } from './sign-in-rig.ts'

const GUEST = { game: GAME, name: 'Ada', caller: { key: 'ck_x', permissions: ['play'] } }
const BAN = { until: null, reason: null }

/** Of one call with an Idempotency-Key. */
const keyed = (repeated: boolean): CommandContext => ({
  ...contextAt(),
  ...keyedIds(new Uint8Array(32), 'ck_x', null, 'k'),
  call: 'the call',
  repeated,
})

type Rig = ReturnType<typeof signInRig>

/** `onAppended` is called after each append, before its result is known. */
function withAppends({ log, deps }: Rig, onAppended: (...append: Parameters<Log['append']>) => Promise<void>) {
  const watched: Log = {
    ...log,
    append: async (...append) => {
      const result = await log.append(...append)
      await onAppended(...append)
      return result
    },
  }
  return { ...deps, log: watched, handler: createHandler(watched) }
}

const typesIn = async ({ log }: Rig) => (await log.readAll(null, 100)).map(({ type }) => type)
const secretsIn = async ({ vault }: Rig) => (await vault.scan(null, 100)).map(({ kind }) => kind).sort()

describe('signing in as a new guest', () => {
  let rig: Rig
  beforeEach(() => {
    rig = signInRig()
  })

  it('stores all secrets together before it records the player, then the session', async () => {
    const order: string[] = []
    const log = withAppends(rig, async (stream) => void order.push(stream))
    const vault: Vault = {
      ...rig.vault,
      putIfAbsent: async (kind, id, value) => {
        order.push(`${kind} begun`)
        const stored = await rig.vault.putIfAbsent(kind, id, value)
        order.push(`${kind} stored`)
        return stored
      },
    }
    const deps = { ...log, vault }
    const { player, guestToken, begun } = await newGuest(deps, GUEST, contextAt())
    const session = await ownerOf(deps, 'refresh-token', begun.refreshToken)
    const kinds = ['guest-token', 'refresh-token', 'player-key']
    expect(order).to.deep.equal([
      ...kinds.map((kind) => `${kind} begun`),
      ...kinds.map((kind) => `${kind} stored`),
      playerStream(player.id),
      sessionStream(session),
    ])
    expect(await typesIn(rig)).to.deep.equal(['PlayerCreated', 'SessionStarted'])
    expect(await ownerOf(deps, 'guest-token', guestToken)).to.equal(player.id)
    expect(deps.tokens.check(begun.token, LONG_AGO_MS)).to.deep.include({ player: player.id, session })
  })

  describe('looks whether the guest was deleted meanwhile', () => {
    /** From which revisions on streams were read. */
    async function readFrom(views: Pick<SignInDeps, 'waitForProjection' | 'playerInViews'>): Promise<number[]> {
      const read: number[] = []
      const log: Log = {
        ...rig.log,
        readStream: (stream, from, limit) => {
          read.push(from)
          return rig.log.readStream(stream, from, limit)
        },
      }
      await newGuest({ ...rig.deps, ...views, log, handler: createHandler(log) }, GUEST, contextAt())
      return read
    }
    const playerInViews = (id: string) => playerNow(rig.deps, id)

    it('in the views once they have the session', async () => {
      const waited: unknown[] = []
      const waitForProjection: SignInDeps['waitForProjection'] = async (written) => {
        waited.push(written)
        return true
      }
      expect(await readFrom({ waitForProjection, playerInViews })).to.deep.equal([])
      const last = (await rig.log.readAll(null, 100)).at(-1)
      expect(waited).to.deep.equal([{ game: GAME, position: last?.position }])
    })

    it('in the log, after the first event, where the views are behind or have no such player', async () => {
      expect(await readFrom({ waitForProjection: async () => false, playerInViews })).to.deep.equal([1])
      expect(await readFrom({ waitForProjection: async () => true, playerInViews: async () => null })).to.deep.equal([
        1,
      ])
    })
  })

  it('ends the session of a guest who is deleted before it has started, and leaves no token', async () => {
    const deps = withAppends(rig, async (stream, _expected, events) => {
      const player = events[0]?.meta.player ?? ''
      if (stream === playerStream(player)) await deletePlayer(rig.deps, GAME, player, contextAt())
    })
    expect(await refusalCodeOf(newGuest(deps, GUEST, contextAt()))).to.equal('sign_in_rejected')
    expect(await typesIn(rig)).to.deep.equal(['PlayerCreated', 'PlayerDeleted', 'SessionStarted', 'SessionEnded'])
    expect(await secretsIn(rig)).to.deep.equal(['player-key'])
  })

  // Whether the views have the first call already, so that the repeated one is known as such.
  for (const repeated of [true, false]) {
    const known = repeated ? 'known' : 'not known yet'
    it(`refuses a repeated call, ${known} as one, of a deleted guest, and leaves no token`, async () => {
      const { player, begun } = await newGuest(rig.deps, GUEST, keyed(false))
      await deletePlayer(rig.deps, GAME, player.id, contextAt())
      const session = await ownerOf(rig.deps, 'refresh-token', begun.refreshToken)
      await forgetSession(rig.deps, { game: GAME, player: player.id, session }, contextAt())
      const stored: string[] = []
      const vault: Vault = {
        ...rig.vault,
        putIfAbsent: (kind, id, value) => {
          stored.push(kind)
          return rig.vault.putIfAbsent(kind, id, value)
        },
      }
      expect(await refusalCodeOf(newGuest({ ...rig.deps, vault }, GUEST, keyed(repeated)))).to.equal('sign_in_rejected')
      // A repeated call that is known as one stores nothing, not even for a moment.
      expect(stored.length).to.equal(repeated ? 0 : 3)
      // The tombstone of the key.
      expect(await secretsIn(rig)).to.deep.equal(['player-key'])
    })

    it(`refuses a repeated call, ${known} as one, of a banned guest`, async () => {
      const { player } = await newGuest(rig.deps, GUEST, keyed(false))
      await ban(rig.deps, { game: GAME, player: player.id }, BAN, contextAt())
      expect(await refusalCodeOf(newGuest(rig.deps, GUEST, keyed(repeated)))).to.equal('player_banned')
      expect(await typesIn(rig)).to.deep.equal(['PlayerCreated', 'SessionStarted', 'PlayerBanned'])
    })
  }
})
