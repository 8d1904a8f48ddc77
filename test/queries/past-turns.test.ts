// Turns to fold boards and to hold long streams, shared by games; and ids of submissions
// that are looked for in histories.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import type { JsonObject } from '../../domain/event.ts'
import { inTurnIfLong } from '../../queries/long-stream.ts'
import { PAST_LIMITS, PastBoards } from '../../queries/past/boards.ts'
import { movementOf } from '../../queries/past/movement.ts'
import { Submissions } from '../../queries/past/submissions.ts'
import { Slices } from '../../queries/slices.ts'
import { type TurnLimits, Turns } from '../../queries/turns.ts'
import { Random } from '../random.ts'
import { until } from '../until.ts'
import { append, BOARD, type PastWorld, pastWorld, playHistory } from './past-world.ts'

const LIMITS: TurnLimits = { atOnce: 2, atOnceOfGame: 1, waiting: 4, waitingOfGame: 3 }
const busy = () => new Refusal('unavailable', 'ask_again', 'Ask again.')
const never = () => new AbortController().signal

/** Asks for turns; each has begun when its name is in `begun`, and ends when it is told to. */
function asking(turns: Turns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (game: string, name: string, signal = never()) =>
    turns
      .run(
        game,
        () => {
          begun.push(name)
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
        },
        signal,
      )
      .catch((why: { code?: string; message: string }) => why.code ?? why.message)
  return { begun, ask, end: (name: string) => ends.get(name)?.() }
}

const settled = () => new Promise((next) => setImmediate(next))

describe('turns to fold a past board', () => {
  it('are not all held by one game, and pass from game to game', async () => {
    const { begun, ask, end } = asking(new Turns(LIMITS, busy))
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((name) => ask(name.charAt(0), name))
    await settled()
    expect(begun).to.deep.equal(['a1', 'b1'])
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'c2']) {
      await until(() => begun.includes(name))
      end(name)
    }
    await Promise.all(all)
    // One of each game before the next one of any.
    expect(begun).to.deep.equal(['a1', 'b1', 'a2', 'c1', 'a3', 'c2'])
    expect(await Promise.all(all)).to.deep.equal(['a1', 'a2', 'a3', 'b1', 'c1', 'c2'])
  })

  it('are refused past those who may wait, of a game and of all', async () => {
    const { begun, ask, end } = asking(new Turns(LIMITS, busy))
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name))
    expect(await ask('a', 'a5')).to.equal('ask_again')
    const b = [ask('b', 'b1'), ask('b', 'b2')]
    expect(await ask('c', 'c1')).to.equal('ask_again')
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) {
      await until(() => begun.includes(name))
      end(name)
    }
    await Promise.all([...all, ...b])
    expect(begun.toSorted()).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
  })

  it('are left by who waits no longer', async () => {
    const { begun, ask, end } = asking(new Turns(LIMITS, busy))
    const first = ask('a', 'a1')
    const leaving = new AbortController()
    const left = ask('a', 'a2', leaving.signal)
    const last = ask('a', 'a3')
    leaving.abort(new Error('left'))
    expect(await left).to.equal('left')
    end('a1')
    await until(() => begun.includes('a3'))
    end('a3')
    expect([await first, await last, begun]).to.deep.equal(['a1', 'a3', ['a1', 'a3']])
  })
})

describe('streams that are held whole', () => {
  const SENT = 1_001
  const PLAYER = 'p0'
  const stream = `lb_${BOARD}-${PLAYER}`

  function longWorld(): PastWorld {
    const world = pastWorld(false)
    const rules = world.board.state.rules as unknown as JsonObject
    append(world, `board-${BOARD}`, 'LeaderboardCreated', { name: 'B', description: '', rules }, null, 0)
    for (let n = 0; n < SENT; n++) {
      const data = { id: `s${n}`, score: String(n % 7), secondary: null, extra: null, playerName: null }
      append(world, stream, 'ScoreSubmitted', data, PLAYER, n)
    }
    return world
  }

  it('are read in a turn where they are long, and at once where they are not', async () => {
    const { deps, events } = longWorld()
    const turns = new Turns({ ...LIMITS, atOnce: 1 }, busy)
    const { begun, ask, end } = asking(turns)
    const other = ask('a', 'a1')
    let looks = 0
    const readStream: typeof deps.log.readStream = async (...asked) => {
      looks++
      return deps.log.readStream(...asked)
    }
    const read = () =>
      inTurnIfLong({ turns, log: { readStream } }, { id: BOARD, game: 'b' }, PLAYER, async () => 'read', never())
    let isRead = false
    const long = read().then(() => {
      isRead = true
    })
    await until(() => looks > 0)
    expect([begun, isRead]).to.deep.equal([['a1'], false])
    end('a1')
    await Promise.all([other, long])
    const again = ask('a', 'a2')
    events.pop()
    expect(await read()).to.equal('read')
    end('a2')
    await again
  })

  it('are not read for a movement before its turn', async () => {
    const world = longWorld()
    let given = 0
    const { readStream } = world.deps.log
    const log = {
      ...world.deps.log,
      readStream: async (of: string, from: number, limit: number) => {
        const events = await readStream(of, from, limit)
        if (of === stream) given += events.length
        return events
      },
    }
    const past = new PastBoards({ ...world.deps, log }, { ...PAST_LIMITS, folds: { ...LIMITS, atOnce: 1 } })
    let free = () => {}
    const busy = past.turns.run('other', () => new Promise<void>((resolve) => (free = resolve)), never())
    const asOf = world.events.at(-1)?.meta.time ?? ''
    const instant = { asOf, nowMs: Date.parse(asOf), signal: never() }
    const moved = movementOf(past, world.board, PLAYER, 3, instant)
    await until(() => given > 0)
    expect(given).to.equal(1)
    free()
    await busy
    expect((await moved).map(({ rank, score }) => [rank, score])).to.deep.equal([
      [1, '0'],
      [1, '6'],
      [1, '6'],
    ])
    expect(given).to.be.above(SENT)
  })
})

describe('submissions by their ids', () => {
  it('are found in one page of the history, and one that is none without reading it', async () => {
    const world = pastWorld(false)
    playHistory(world, new Random(3), 900)
    const { history } = world.deps.queries
    const submissions = new Submissions(BOARD)
    const upTo = () => world.events.at(-1)?.position ?? ''
    const slices = () => new Slices(never())
    await submissions.readOn(history.part, upTo(), slices())
    playHistory(world, new Random(4), 900)
    await Promise.all([1, 2].map(() => submissions.readOn(history.part, upTo(), slices())))
    const sent = world.events.filter(({ type, meta }) => type === 'ScoreSubmitted' && meta.board === BOARD)
    for (const { data } of sent) {
      const found = await submissions.find(history.part, String(data.id))
      expect(found?.data.id).to.equal(data.id)
    }
    const reads = world.reads()
    for (let n = 0; n < 500; n++) expect(await submissions.find(history.part, `unknown-${n}`)).to.equal(null)
    expect(world.reads()).to.equal(reads)
  })
})
