// A large past board over HTTP: the cost of the first answer and the delay of other calls; then a page, a page around a
// player and one score, compared with the live board; and the cost of a player's rank history. as-of-many.ts measures
// many callers and growth, as-of-fold.ts memory and time slices.

import { foldRows } from './as-of-fold.ts'
import { growthRow, manyRows } from './as-of-many.ts'
import { numbers, playerId } from './support/events.ts'
import { largeBoard } from './support/large-board.ts'
import { cpuSecondsOf, inTurn, type Size } from './support/measure.ts'
import { startLoader, startOurs } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { call, getText, handshake } from './support/test-game.ts'

const IN_FLIGHT = 64
/** Calls per round: a page costs much more than one score. */
const PAGES = 500
const ONES = 2_000
const PAGE = 20
/** Maximum processor seconds per million submissions. */
const MAX_FIRST_S = 10
const MILLION = 1_000_000

/** Pages whose scores are then read by id. */
const SAMPLED_PAGES = 40

interface Answer {
  readonly count: number
  readonly scores: readonly { readonly id: string }[]
}

export async function benchAsOf(size: Size): Promise<BenchRow[]> {
  const { dataDir, world, entries } = await largeBoard(size.entries)
  const loader = startLoader()
  const ours = await startOurs(dataDir)
  try {
    const token = await handshake(ours.port, world.key)
    const asOf = new Date(Date.now() - 1).toISOString()
    const list = `/api/lb/${world.board}/score/?limit=${PAGE}`
    const get = (path: string) => call<Answer>(ours.port, 'GET', path, { token })
    const live = await get(list)
    const before = cpuSecondsOf(ours.pid)
    const first = await get(`${list}&as_of=${asOf}`)
    const usedS = cpuSecondsOf(ours.pid) - before
    if (first.count !== live.count) throw new Error(`${first.count} entries then, ${live.count} now`)
    const random = numbers(3)
    const of = (query: string) =>
      Array.from({ length: PAGES }, () => getText(`${list}&around=${playerId(random(entries))}${query}`, token))
    const pages = (query: string) =>
      Array.from({ length: PAGES }, () => getText(`${list}&offset=${random(entries)}${query}`, token))
    const sampled: string[] = []
    for (let n = 0; n < SAMPLED_PAGES; n++) {
      const { scores } = await get(`${list}&offset=${random(entries - PAGE)}`)
      for (const { id } of scores) sampled.push(id)
    }
    const ones = (query: string) =>
      Array.from({ length: ONES }, () => getText(`/api/score/${sampled[random(sampled.length)]}/${query}`, token))
    const beforeMoved = cpuSecondsOf(ours.pid)
    await get(`/api/lb/${world.board}/history/?player=${playerId(0)}`)
    const movedS = cpuSecondsOf(ours.pid) - beforeMoved
    const then = `&as_of=${asOf}`
    const costs = await inTurn(size.rounds, {
      liveAround: () => loader.cost(ours, IN_FLIGHT, of('')),
      around: () => loader.cost(ours, IN_FLIGHT, of(then)),
      livePage: () => loader.cost(ours, IN_FLIGHT, pages('')),
      page: () => loader.cost(ours, IN_FLIGHT, pages(then)),
      liveOne: () => loader.cost(ours, IN_FLIGHT, ones('')),
      one: () => loader.cost(ours, IN_FLIGHT, ones(`?as_of=${asOf}`)),
    })
    const shown = entries.toLocaleString('en')
    const maxS = (MAX_FIRST_S * entries) / MILLION
    return [
      {
        what: `as_of, first answer at an instant of ${shown} submissions`,
        limit: '',
        ours: `${usedS.toFixed(2)} cpu s`,
        ratio: `${Math.round(entries / usedS).toLocaleString('en')} /cpu s`,
        goal: `≤ ${maxS} cpu s`,
        met: usedS <= maxS,
      },
      fastEnough(
        { what: `as_of, around, ${PAGE} of ${shown} / live`, limit: costs.liveAround, ours: costs.around },
        0.9,
      ),
      fastEnough({ what: `as_of, any page, ${PAGE} of ${shown} / live`, limit: costs.livePage, ours: costs.page }, 0.9),
      fastEnough({ what: `as_of, one score of ${shown} / live`, limit: costs.liveOne, ours: costs.one }, 0.9),
      {
        what: `how a rank moved, 100 instants of ${shown} submissions`,
        limit: '',
        ours: `${movedS.toFixed(2)} cpu s`,
        ratio: `${Math.round(entries / movedS).toLocaleString('en')} /cpu s`,
        goal: `≤ ${maxS} cpu s`,
        met: movedS <= maxS,
      },
      ...(await manyRows(ours, list, token, usedS)),
      await growthRow(entries, usedS),
      ...(await foldRows(entries)),
    ]
  } finally {
    await Promise.all([ours.stop(), loader.stop()])
  }
}
