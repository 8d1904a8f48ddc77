// How boards as of an instant are cached, shared, aborted and bounded.

import { expect } from 'chai'
import { IDLE_MS, PAST_LIMITS, PastBoards } from '../../queries/past/boards.ts'
import { scoreAsOf } from '../../queries/past/score.ts'
import { READ_LIMITS, ReadQueue } from '../../queries/work-queue.ts'
import { withFakeTimers } from '../fake-timers.ts'
import { Random } from '../random.ts'
import { gate, until } from '../until.ts'
import { expectedBoard } from './past-model.ts'
import { instant, rowsAt, timesOf, withOwners } from './past-reads.ts'
import { append, BOARD, type PastWorld, pastWorld, playHistory } from './past-world.ts'

/** The position of the last event that is not later. */
const cutOf = ({ events }: PastWorld, asOf: string) => events.findLast(({ meta }) => meta.time <= asOf)?.position

/** Instants in order, each with a cut of its own. */
const instantsOf = (world: PastWorld): string[] =>
  timesOf(world).filter((time, n, all) => cutOf(world, time) !== cutOf(world, all[n - 1] ?? ''))

describe('boards as of an instant, cached', () => {
  function played(): PastWorld {
    const world = pastWorld(true)
    playHistory(world, new Random(7), 80)
    return world
  }

  /** Makes reads of the history wait; returns the function that lets them continue. */
  function gated(world: PastWorld): () => void {
    const { opened, open } = gate()
    world.gate = opened
    return open
  }

  it('are folded once for all concurrent callers', async () => {
    const world = played()
    const open = gated(world)
    const past = new PastBoards(world.deps)
    const asOf = timesOf(world).at(-1) ?? ''
    const boards = Array.from({ length: 64 }, () => past.at(world.board, instant(asOf)))
    open()
    const [first, ...others] = await Promise.all(boards)
    expect(others.every((one) => one === first)).to.equal(true)
    expect(past.folds).to.equal(1)
    const reads = world.reads()
    expect(await past.at(world.board, instant(asOf))).to.equal(first)
    expect(world.reads()).to.equal(reads)
  })

  it('are dropped when they have not been read for a minute, and folded again', async () => {
    const world = played()
    const past = new PastBoards(world.deps)
    const { now } = performance
    let passedMs = 0
    performance.now = () => now.call(performance) + passedMs
    try {
      await withFakeTimers(async ({ fire }) => {
        const [read, unread] = instantsOf(world).slice(-2) as [string, string]
        for (const asOf of [read, unread]) await past.at(world.board, instant(asOf))
        const both = past.bytesKept
        passedMs += IDLE_MS - 1_000
        fire()
        expect(past.bytesKept).to.equal(both)
        const { bytes = 0 } = (await past.at(world.board, instant(read))) ?? {}
        passedMs += 2_000
        fire()
        expect(past.bytesKept).to.equal(bytes)
        passedMs += IDLE_MS
        fire()
        expect(past.bytesKept).to.equal(0)
        expect(past.folds).to.equal(2)
        await past.at(world.board, instant(read))
        expect(past.folds).to.equal(3)
      })
    } finally {
      performance.now = now
    }
  })

  it('stop being folded when the last waiting caller leaves, and not before', async () => {
    const world = played()
    const open = gated(world)
    const past = new PastBoards(world.deps)
    const asOf = timesOf(world).at(-1) ?? ''
    const [leaving, staying] = [new AbortController(), new AbortController()]
    const left = past.at(world.board, instant(asOf, leaving.signal)).catch((error) => error)
    const stayed = past.at(world.board, instant(asOf, staying.signal))
    await until(() => world.reads() > 0)
    leaving.abort(new Error('left'))
    expect((await left).message).to.equal('left')
    open()
    expect((await stayed)?.cut).to.equal(cutOf(world, asOf))

    const again = gated(world)
    const alone = new AbortController()
    const other = timesOf(world)[30] ?? ''
    const reads = world.reads()
    const gone = past.at(world.board, instant(other, alone.signal)).catch((error) => error)
    await until(() => world.reads() !== reads)
    alone.abort(new Error('gone'))
    expect((await gone).message).to.equal('gone')
    again()
    // A later caller starts again.
    expect((await past.at(world.board, instant(other)))?.cut).to.equal(cutOf(world, other))
    expect(past.folds).to.equal(3)
  })

  it('are folded a few at once; callers beyond the queue limit get 503 reads_busy', async () => {
    const world = played()
    const open = gated(world)
    const past = new PastBoards(world.deps, PAST_LIMITS, new ReadQueue({ ...READ_LIMITS, running: [1], waiting: [1] }))
    const times = timesOf(world)
    const boards = [10, 20, 30].map((n) => past.at(world.board, instant(times[n] ?? '')).catch((error) => error.code))
    expect(await boards[2]).to.equal('reads_busy')
    await until(() => past.folds === 1)
    open()
    expect((await Promise.all(boards.slice(0, 2))).map((one) => one.cut)).to.deep.equal(
      [10, 20].map((n) => cutOf(world, times[n] ?? '')),
    )
  })

  it('are cut where the views are, however old the instant is, and further on once the views are there', async () => {
    for (const seed of [1, 2, 3]) {
      const world = pastWorld(true)
      playHistory(world, new Random(seed), 60)
      const asOf = timesOf(world).at(-1) ?? ''
      const past = new PastBoards(world.deps)
      world.shown = 20
      const early = await past.at(world.board, instant(asOf))
      expect(early?.cut).to.equal(world.events[19]?.position)
      world.shown = null
      expect(await rowsAt(world, past, asOf)).to.deep.equal(expectedBoard(world, asOf))
    }
  })

  it('look for a cut once, and then only among what was recorded since', async () => {
    const world = played()
    const asOf = timesOf(world)[30] ?? ''
    const { history } = world.deps.queries
    const ranges: (readonly (string | null)[])[] = []
    const lastBy: typeof history.lastBy = (game, range, ...more) => {
      ranges.push([range.after, range.upTo])
      return history.lastBy(game, range, ...more)
    }
    const { queries } = world.deps
    const past = new PastBoards({ ...world.deps, queries: { ...queries, history: { ...history, lastBy } } })
    const first = await past.at(world.board, instant(asOf))
    expect(await past.at(world.board, instant(asOf))).to.equal(first)
    const last = world.events.at(-1)?.position ?? ''
    expect(ranges).to.deep.equal([[null, last]])
    append(world, 'player-p1', 'PlayerUnbanned', {}, 'p1', 10_000)
    expect(await past.at(world.board, instant(asOf))).to.equal(first)
    const later = world.events.at(-1)?.position ?? ''
    expect(ranges.slice(1)).to.deep.equal([[last, later]])
    append(world, 'player-q', 'PlayerUnbanned', {}, 'q', 1)
    expect((await past.at(world.board, instant(asOf)))?.cut).to.equal(world.events.at(-1)?.position)
    expect(ranges.slice(2)).to.deep.equal([[later, world.events.at(-1)?.position]])
  })

  it('are refused if they need more memory than allowed while they are folded', async () => {
    const world = played()
    const asOf = timesOf(world).at(-1) ?? ''
    const folded = await new PastBoards(world.deps).at(world.board, instant(asOf))
    const bytesOfFold = folded?.fold.bytes ?? 0
    // The second limit is exceeded only by the rank order, which is added last.
    for (const bytes of [Math.floor(bytesOfFold / 2), bytesOfFold - 1]) {
      const small = new PastBoards(world.deps, { ...PAST_LIMITS, bytesOfFold: bytes })
      const refused = await small.at(world.board, instant(asOf)).catch((error) => error)
      expect([refused.kind, refused.code]).to.deep.equal(['unprocessable', 'board_too_large'])
    }
    const ample = new PastBoards(world.deps, { ...PAST_LIMITS, bytesOfFold })
    expect((await ample.at(world.board, instant(asOf)))?.cut).to.equal(cutOf(world, asOf))
  })

  it('are refused again and again if they need more memory than allowed', async () => {
    const world = pastWorld(false)
    playHistory(world, new Random(7), 80)
    for (let n = 0; n < 2_000; n++) {
      const data = { id: `more-${n}`, score: '1', secondary: null, extra: null, playerName: null }
      append(world, `lb_${BOARD}-q${n}`, 'ScoreSubmitted', data, `q${n}`, 0)
    }
    const asOf = timesOf(world).at(-1) ?? ''
    world.shown = 40
    const bytesOfFold = (await new PastBoards(world.deps).at(world.board, instant(asOf)))?.fold.bytes ?? 0
    const past = new PastBoards(world.deps, { ...PAST_LIMITS, bytesOfFold })
    const read = () =>
      past.at(world.board, instant(asOf)).then(
        () => past.folds,
        (error) => error.code,
      )
    expect(await read()).to.equal(1)
    world.shown = null
    expect([await read(), past.folds]).to.deep.equal(['board_too_large', 2])
    expect([await read(), past.folds]).to.deep.equal(['board_too_large', 3])
  })

  it('answer for one score without creating an abort signal if they are cached', async () => {
    const world = played()
    const asOf = timesOf(world).at(-1) ?? ''
    const past = new PastBoards(withOwners(world))
    const board = await past.at(world.board, instant(asOf))
    const watched = {
      path: ['g'],
      asOf,
      get signal(): AbortSignal {
        throw new Error('an abort signal was created')
      },
    }
    expect(board).to.not.equal(null)
    for (const { id, score } of expectedBoard(world, asOf))
      expect((await scoreAsOf(past, id, world.board.game, watched))?.score).to.equal(score)
    expect(await scoreAsOf(past, 'none', world.board.game, watched)).to.equal(null)
  })

  it('use at most the memory limit of one game', async () => {
    const world = played()
    const times = instantsOf(world).slice(-6)
    const one = (await new PastBoards(world.deps).at(world.board, instant(times[0] ?? '')))?.bytes ?? 0
    const past = new PastBoards(world.deps, { ...PAST_LIMITS, bytes: one * 5, bytesOfGame: Math.ceil(one * 2.5) })
    for (const asOf of times) await past.at(world.board, instant(asOf))
    expect(past.bytesKept).to.be.within(one, one * 2.5)
  })

  it('are cached up to a number of bytes, and the least recently used are evicted first', async () => {
    const world = played()
    const [a = '', b = '', c = ''] = instantsOf(world).slice(-3)
    const one = (await new PastBoards(world.deps).at(world.board, instant(c)))?.bytes ?? 0
    const past = new PastBoards(world.deps, { ...PAST_LIMITS, bytes: Math.ceil(one * 2.5) })
    for (const asOf of [a, b, a, c, a]) await past.at(world.board, instant(asOf))
    expect(past.folds).to.equal(3)
    expect(past.bytesKept).to.be.within(1, one * 2.5)
    await past.at(world.board, instant(b))
    expect(past.folds).to.equal(4)
  })

  it('are folded again when another build of the views becomes active', async () => {
    const world = played()
    const asOf = timesOf(world).at(-1) ?? ''
    let shown = 'past@1'
    const past = new PastBoards({ ...world.deps, activeBuilds: () => shown })
    const first = await past.at(world.board, instant(asOf))
    expect(await past.at(world.board, instant(asOf))).to.equal(first)
    shown = 'past@1+1'
    expect(await past.at(world.board, instant(asOf))).to.not.equal(first)
    expect(past.folds).to.equal(2)
  })
})
