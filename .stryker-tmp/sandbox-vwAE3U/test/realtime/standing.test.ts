// Who is cut when somebody is revoked, with connections and answers that the test holds: how much is asked for how
// many, and what becomes of those of whom nobody can tell.

import { expect } from 'chai'
import type { RoomAsked } from '../../access/room-entry.ts'
import { UNHEARD_MOST_MS, WATCH_EVERY_MS } from '../../realtime/limits.ts'
import { unheard, wakingClock, watchRevoked } from '../../realtime/revoked.ts'
import type { RoomConnection } from '../../realtime/room-connection.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'

const MANY = 10_000

describe('who may be in the rooms still', () => {
  let revokes: (subject: string | null) => void
  let answers: (asked: readonly RoomAsked[]) => Promise<readonly boolean[]>
  let asked: RoomAsked[][]
  let read: string[][]
  let watch: ReturnType<typeof watchRevoked>
  let cuts: Map<number, string>
  beforeEach(() => {
    ;[asked, read, cuts] = [[], [], new Map()]
    answers = async (questions) => questions.map(() => true)
    watch = watchRevoked({
      stillStand: (questions) => {
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
      heardAgeMs: () => 0,
    })
  })
  afterEach(() => watch.stop())

  function enter(n: number, game = 'g'): RoomConnection {
    const holder = { game, key: 'k', session: `s${n}`, player: `p${n >> 1}`, permissions: [] }
    const cut = (reason: string) => {
      if (!cuts.has(n)) cuts.set(n, reason)
      watch.gone(connection)
    }
    // As much of one as is looked at.
    const connection = { holder, player: null, cut } as unknown as RoomConnection
    watch.entered(connection)
    return connection
  }
  const until = async (is: () => boolean) => {
    while (!is()) await new Promise((later) => setTimeout(later, 5))
  }
  const ids = () => asked.flat().map(({ session }) => session)

  it('is asked once for a key, and once for each connection of a session or a player', async () => {
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

  it('cuts all of a key at once, and nobody else', async () => {
    for (let n = 0; n < 500; n++) enter(n)
    await until(() => ids().length === 500)
    answers = async (questions) => questions.map(({ session }) => session !== null)
    revokes('key:k')
    await until(() => cuts.size > 0)
    expect(cuts.size).to.equal(500)
    expect(new Set(cuts.values())).to.deep.equal(new Set(['revoked']))
  })

  it('cuts the named clients when the store is unavailable, and waits for the others', async () => {
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

  it('does not let one who was named wait for a look at everybody', async () => {
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

  it('reads the settings of all games in one exchange, and cuts where they are off', async () => {
    for (let n = 0; n < 1_000; n++) enter(n, `g${n % 100}`)
    await until(() => read.length > 0)
    expect(read[0]).to.have.length(100)
    expect(cuts.size, 'what was not answered holds').to.equal(0)
  })
})

describe('a node that does not hear of revocations', () => {
  /** Ticks for so long; answers at which age it was found to be deaf, or null. */
  function deafAt(age: (nowMs: number) => number, tickEvery: (nowMs: number) => number): number | null {
    const clock = wakingClock()
    let nowMs = 0
    const isDeaf = unheard(() => age(nowMs), clock.nowMs)
    for (; nowMs < 60_000; nowMs += tickEvery(nowMs)) {
      clock.tick(nowMs)
      if (isDeaf()) return age(nowMs)
    }
    return null
  }

  it('knows of it after two seconds', () => {
    const age = deafAt(
      (nowMs) => (nowMs < 5_000 ? nowMs % 1_000 : nowMs - 4_000),
      () => WATCH_EVERY_MS,
    )
    expect(age).to.be.within(UNHEARD_MOST_MS, UNHEARD_MOST_MS + WATCH_EVERY_MS)
  })

  it('is not one that heard each second', () => {
    expect(
      deafAt(
        (nowMs) => nowMs % 1_300,
        () => WATCH_EVERY_MS,
      ),
    ).to.equal(null)
  })

  it('is not one that stood still, and heard soon after', () => {
    // Stands still for ten seconds, and hears half a second later.
    const age = (nowMs: number) => (nowMs >= 10_000 && nowMs < 20_500 ? nowMs - 9_500 : 300)
    const tickEvery = (nowMs: number) => (nowMs >= 9_900 && nowMs < 10_000 ? 10_100 : WATCH_EVERY_MS)
    expect(deafAt(age, tickEvery)).to.equal(null)
  })
})
