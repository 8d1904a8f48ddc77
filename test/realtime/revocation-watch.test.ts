// The revocation watch with connections and answers that the test controls: how many checks it makes, and what happens
// to connections whose check is undecided.

import { expect } from 'chai'
import { REVOCATION_TIMER_MS, STALE_MAX_MS } from '../../realtime/limits.ts'
import { activeClock, staleCheck, watchRevocations } from '../../realtime/revocation-watch.ts'
import type { RoomConnection } from '../../realtime/room-connection.ts'
import type { RoomIdentity } from '../../realtime/room-entry.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { until } from '../until.ts'

const MANY = 10_000

describe('the revocation watch of the rooms', () => {
  let revokes: (subject: string | null) => void
  let answers: (asked: readonly RoomIdentity[]) => Promise<readonly boolean[]>
  let asked: RoomIdentity[][]
  let read: string[][]
  let watch: ReturnType<typeof watchRevocations>
  let cuts: Map<number, string>
  beforeEach(() => {
    ;[asked, read, cuts] = [[], [], new Map()]
    answers = async (questions) => questions.map(() => true)
    watch = watchRevocations({
      areStillAllowed: (questions) => {
        asked.push([...questions])
        return answers(questions)
      },
      roomGames: async (games) => {
        read.push([...games])
        return new Map()
      },
      onRevoked: (listener) => {
        revokes = listener
      },
      syncAgeMs: () => 0,
    })
  })
  afterEach(() => watch.stop())

  function enter(n: number, game = 'g'): RoomConnection {
    const holder = { game, key: 'k', session: `s${n}`, player: `p${n >> 1}`, permissions: [] }
    const cut = (reason: string) => {
      if (!cuts.has(n)) cuts.set(n, reason)
      watch.gone(connection)
    }
    // The members of a connection that the watch uses.
    const connection = { holder, player: null, cut } as unknown as RoomConnection
    watch.entered(connection)
    return connection
  }
  const ids = () => asked.flat().map(({ session }) => session)

  it('checks a key once, and a session or a player once per connection', async () => {
    for (let n = 0; n < MANY; n++) enter(n)
    await until(() => ids().length === MANY)
    expect(asked.length, 'together').to.be.at.most(MANY / 100)
    asked = []
    revokes('key:k')
    await until(() => asked.length > 0)
    expect(asked).to.deep.equal([[{ game: 'g', key: 'k', session: null, player: null, permissions: [] }]])
    asked = []
    revokes('session:s7')
    revokes('player:p4')
    revokes('player:nobody')
    await until(() => asked.length > 0)
    expect(ids()).to.deep.equal(['s7', 's8', 's9'])
    expect(cuts.size).to.equal(0)
  })

  it('closes all connections of a revoked key at once, and no other', async () => {
    for (let n = 0; n < 500; n++) enter(n)
    await until(() => ids().length === 500)
    answers = async (questions) => questions.map(({ session }) => session !== null)
    revokes('key:k')
    await until(() => cuts.size > 0)
    expect(cuts.size).to.equal(500)
    expect(new Set(cuts.values())).to.deep.equal(new Set(['revoked']))
  })

  it('closes connections named in a revocation when the store is unavailable, and waits for the others', async () => {
    enter(1)
    enter(5)
    await until(() => ids().length === 2)
    let isUnavailable = true
    answers = async (questions) => {
      if (isUnavailable) throw new StoreUnavailable('planted')
      return questions.map(() => true)
    }
    revokes(null)
    revokes('session:s5')
    await until(() => cuts.size > 0)
    expect([...cuts]).to.deep.equal([[5, 'unavailable']])
    isUnavailable = false
    asked = []
    await until(() => ids().includes('s1'))
    expect([...cuts.keys()]).to.deep.equal([5])
  })

  it('checks a connection named in a revocation before the periodic checks of all others', async () => {
    for (let n = 0; n < 1_000; n++) enter(n)
    await until(() => ids().length === 1_000)
    answers = (questions) =>
      questions.length > 1 ? new Promise(() => {}) : Promise.resolve(questions.map(() => false))
    revokes(null)
    await until(() => asked.some((questions) => questions.length > 1))
    revokes('session:s8')
    await until(() => cuts.size > 0)
    expect([...cuts]).to.deep.equal([[8, 'revoked']])
  })

  it('reads the settings of all games in one call, and closes connections of games whose rooms are off', async () => {
    for (let n = 0; n < 1_000; n++) enter(n, `g${n % 100}`)
    await until(() => read.length > 0)
    expect(read[0]).to.have.length(100)
    expect(cuts.size, 'what was not answered holds').to.equal(0)
  })
})

describe('the detection of stale revocations on a node', () => {
  /** Advances the clock; returns the age at which the node was reported as stale, or null. */
  function deafAt(age: (nowMs: number) => number, tickEvery: (nowMs: number) => number): number | null {
    const clock = activeClock()
    let nowMs = 0
    const isDeaf = staleCheck(() => age(nowMs), clock.nowMs)
    for (; nowMs < 60_000; nowMs += tickEvery(nowMs)) {
      clock.advance(nowMs)
      if (isDeaf()) return age(nowMs)
    }
    return null
  }

  it('reports a node that received nothing for two seconds', () => {
    const age = deafAt(
      (nowMs) => (nowMs < 5_000 ? nowMs % 1_000 : nowMs - 4_000),
      () => REVOCATION_TIMER_MS,
    )
    expect(age).to.be.within(STALE_MAX_MS, STALE_MAX_MS + REVOCATION_TIMER_MS)
  })

  it('does not report a node that received them every second', () => {
    expect(
      deafAt(
        (nowMs) => nowMs % 1_300,
        () => REVOCATION_TIMER_MS,
      ),
    ).to.equal(null)
  })

  it('does not report a node that was suspended and received them soon after it resumed', () => {
    // Suspended for ten seconds; receives revocations half a second later.
    const age = (nowMs: number) => (nowMs >= 10_000 && nowMs < 20_500 ? nowMs - 9_500 : 300)
    const tickEvery = (nowMs: number) => (nowMs >= 9_900 && nowMs < 10_000 ? 10_100 : REVOCATION_TIMER_MS)
    expect(deafAt(age, tickEvery)).to.equal(null)
  })
})
