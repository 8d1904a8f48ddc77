// Long streams that are held in memory are read in the work queue; submissions are found by id in a history.

import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import { queuedIfLong } from '../../queries/long-stream.ts'
import { PAST_LIMITS, PastBoards } from '../../queries/past/boards.ts'
import { movementOf } from '../../queries/past/movement.ts'
import { Submissions } from '../../queries/past/submissions.ts'
import { READ_LIMITS, ReadQueue } from '../../queries/work-queue.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { Random } from '../random.ts'
import { until } from '../until.ts'
import { append, BOARD, type PastWorld, pastWorld, playHistory } from './past-world.ts'

const never = () => new AbortController().signal
const caller = { path: ['g'], signal: never() }

describe('reading a whole stream into memory', () => {
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

  it('waits in the work queue if the stream is long, and runs at once otherwise', async () => {
    const { deps, events } = longWorld()
    const queue = new ReadQueue({ ...READ_LIMITS, running: [1] })
    let free = () => {}
    const other = queue.run(caller, 'past', () => new Promise<void>((resolve) => (free = resolve)))
    let isRead = false
    const read = () => queuedIfLong({ queue, log: deps.log }, stream, async () => 'read', caller)
    const long = read().then(() => {
      isRead = true
    })
    await until(() => queue.waiting === 1)
    expect([queue.running, isRead]).to.deep.equal([1, false])
    const short = events.pop()
    expect(await read()).to.equal('read')
    expect([queue.waiting, isRead]).to.deep.equal([1, false])
    if (short !== undefined) events.push(short)
    free()
    await Promise.all([other, long])
    expect(isRead).to.equal(true)
  })

  it('reads only the first event for a movement before the queue runs it', async () => {
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
    const past = new PastBoards({ ...world.deps, log }, PAST_LIMITS, new ReadQueue({ ...READ_LIMITS, running: [1] }))
    let free = () => {}
    const busy = past.queue.run(caller, 'past', () => new Promise<void>((resolve) => (free = resolve)))
    const asOf = world.events.at(-1)?.meta.time ?? ''
    const instant = { ...caller, asOf, nowMs: Date.parse(asOf) }
    const moved = movementOf(past, world.board, { player: PLAYER, points: 3 }, instant)
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

describe('an index of submissions by id', () => {
  it('finds a submission by reading one page of the history, and knows an unknown id without reading', async () => {
    const world = pastWorld(false)
    playHistory(world, new Random(3), 900)
    const { history } = world.deps.queries
    const submissions = new Submissions(BOARD)
    const upTo = () => world.events.at(-1)?.position ?? ''
    const slices = () => new TimeSlices(never())
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
