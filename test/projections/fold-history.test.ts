// Folds of a board’s history: wherever the ranges are cut, they contain each entry once, also over several pages.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Rules } from '../../domain/board-rules.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import type { EntryState } from '../../projections/entry-state.ts'
import { foldHistory } from '../../projections/folded-history.ts'
import { Folds } from '../../projections/folds.ts'
import type { History } from '../../stores/contract/history.ts'
import { historyOf, nothingBy, skipsNothing } from '../memory/history.ts'
import { createMemoryLog } from '../memory/log.ts'
import { turn } from '../until.ts'

const BOARD = 'b1'
const rules: Rules = {
  ordering: 'asc',
  secondaryOrdering: 'asc',
  unique: true,
  minScore: null,
  maxScore: '50' as Decimal,
}
/** Bytes. */
const AMPLE = 2 ** 27
const everything = { board: BOARD, rules, upTo: null, isTaken: () => true }

async function boardOf(events: number, players: number, extra: string | null = null) {
  const log = createMemoryLog()
  for (let n = 0; n < events; n++) {
    const player = `p${n % players}`
    const data: JsonObject = { id: `s${n}`, score: String((n * 37) % 101), secondary: null, extra, playerName: null }
    const time = new Date(n).toISOString()
    const meta = { v: 1, game: 'g1', board: BOARD, player, command: `c${n}`, actor: null, request: null, time }
    const revision = Math.floor(n / players)
    const event = { id: randomUUID(), type: 'ScoreSubmitted', data, meta }
    await log.append(`lb_${BOARD}-${player}`, revision === 0 ? 'none' : revision - 1, [event])
  }
  return { log, history: historyOf(log) }
}

const byPlayer = (all: readonly EntryState[] = []) => all.toSorted((a, b) => (a.player < b.player ? -1 : 1))

describe('a folded history', () => {
  it('returns each entry in exactly one range, wherever ranges are cut', async () => {
    const deps = await boardOf(1_700, 70)
    const folded = await foldHistory(deps, everything, AMPLE)
    if (folded === null) throw new Error('the fold exceeds its memory limit')
    expect([folded.events, folded.broken, folded.end?.event]).to.deep.equal([
      1_700,
      null,
      { stream: `lb_${BOARD}-p${1_699 % 70}`, revision: Math.floor(1_699 / 70) },
    ])
    const found: EntryState[] = []
    let [after, events] = [null as string | null, 0]
    for (let next = folded.next(null, 10); next !== null; next = folded.next(after, 10)) {
      const [end] = await deps.log.readStream(next.upTo.stream, next.upTo.revision, 1)
      const upTo = end?.position ?? ''
      found.push(...(await folded.entryStates(after, upTo)))
      after = upTo
      events += next.events
    }
    const whole = byPlayer(await folded.entryStates(null, '~'))
    expect([events, whole.length]).to.deep.equal([1_700, 70])
    expect(byPlayer(found)).to.deep.equal(whole)
    for (const cut of [30, 500, 731]) {
      const middle = (await deps.history.nth({ board: BOARD }, null, cut))?.position ?? ''
      const halves = [...(await folded.entryStates(null, middle)), ...(await folded.entryStates(middle, after ?? ''))]
      expect(byPlayer(halves)).to.deep.equal(whole)
    }
  })

  it('reports progress, and decrypts only submissions that are shown', async () => {
    const all = Array.from({ length: 51_000 }, (_, n): StoredEvent => {
      const [player, revision] = [`p${n % 3}`, Math.floor(n / 3)]
      const data = { id: `s${n}`, score: String((n * 37) % 101), secondary: null, extra: null, playerName: `name ${n}` }
      const time = new Date(n).toISOString()
      const meta = { v: 1, game: 'g1', board: BOARD, player, command: 'c', actor: null, request: null, time }
      const position = String(n).padStart(16, '0')
      return { id: `e${n}`, type: 'ScoreSubmitted', data, meta, stream: `lb_${BOARD}-${player}`, revision, position }
    })
    const part = async (_: unknown, after: string | null, limit: number) => {
      const from = after === null ? 0 : Number(after) + 1
      return all.slice(from, from + limit)
    }
    const brief = async (...args: Parameters<typeof part>) =>
      (await part(...args)).map(({ id: _, data, meta, ...event }) => {
        return { ...event, data: { ...data, playerName: 'sealed' }, meta: JSON.stringify(meta) }
      })
    const opened: string[] = []
    const readStream = async (stream: string, from: number, limit: number) => {
      opened.push(stream)
      return all.filter((event) => event.stream === stream).slice(from, from + limit)
    }
    const onProgress: number[] = []
    const others = { nth: async () => null, skip: skipsNothing, lastBy: nothingBy }
    const folded = await foldHistory({ log: { readStream }, history: { part, brief, ...others } }, everything, AMPLE, {
      onProgress: async (events) => void onProgress.push(events),
    })
    expect(onProgress).to.deep.equal([50_000])
    const end = folded?.end?.position ?? ''
    const entryStates = await folded?.entryStates(null, end)
    expect(opened.sort()).to.deep.equal(['lb_b1-p0', 'lb_b1-p1', 'lb_b1-p2'])
    expect(entryStates?.map(({ shown }) => shown?.playerName)).to.deep.equal(['name 0', 'name 101', 'name 202'])
    const whole = await foldHistory({ log: { readStream }, history: { part, ...others } }, everything, AMPLE)
    expect(entryStates).to.deep.equal(await whole?.entryStates(null, end))
  })

  it('stops at the memory limit, and reads no event past the given end', async () => {
    const deps = await boardOf(1_200, 70)
    expect(await foldHistory(deps, everything, 1_000)).to.equal(null)
    const upTo = (await deps.history.nth({ board: BOARD }, null, 600))?.position ?? ''
    const folded = await foldHistory(deps, { ...everything, upTo }, AMPLE)
    const first = await foldHistory(await boardOf(600, 70), everything, AMPLE)
    expect(folded?.events).to.equal(600)
    expect(await folded?.entryStates(null, upTo)).to.deep.equal(await first?.entryStates(null, '~'))
  })

  it('reads extra data and names from the log instead of keeping them in memory', async () => {
    const extra = JSON.stringify('x'.repeat(998))
    const [plain, rich] = [await boardOf(1_200, 70), await boardOf(1_200, 70, extra)]
    const folded = await foldHistory(rich, everything, 70 * 350)
    const entryStates = (await folded?.entryStates(null, '~')) ?? []
    expect(entryStates.map(({ shown }) => shown?.extra ?? extra)).to.deep.equal(entryStates.map(() => extra))
    const bare = entryStates.map((one) => ({ ...one, shown: one.shown && { ...one.shown, extra: null } }))
    expect(bare).to.deep.equal(await (await foldHistory(plain, everything, AMPLE))?.entryStates(null, '~'))
  })

  it('is not prepared if it needs more than its share of the memory for folds', async () => {
    const deps = await boardOf(1_200, 70)
    const build = { board: BOARD, generation: 2, rules }
    expect(await new Folds(deps, 4 * 1_000).prepare(build, null, new Map(), {})).to.equal(null)
    expect((await new Folds(deps, 4 * 70 * 350).prepare(build, null, new Map(), {}))?.events).to.equal(1_200)
  })

  it('is the same whether prepared or folded again, and leaves out parked streams from the parked event on', async () => {
    const deps = await boardOf(300, 30)
    const build = { board: BOARD, generation: 2, rules }
    const end = (await deps.history.nth({ board: BOARD }, null, 300))?.position ?? ''
    const parked = new Map([[`lb_${BOARD}-p3`, '']])
    const folds = new Folds(deps)
    const prepared = await folds.prepare(build, null, parked, {})
    expect(await folds.get(build, end, parked, false)).to.equal(prepared)
    const again = await new Folds(deps).get(build, end, parked, true)
    expect(await again.entryStates(null, end)).to.deep.equal(await prepared?.entryStates(null, end))
    const whole = byPlayer(await (await folds.get(build, end, new Map(), false)).entryStates(null, end))
    expect(whole).to.have.length(30)
    expect(byPlayer(await again.entryStates(null, end))).to.deep.equal(whole.filter(({ player }) => player !== 'p3'))
    folds.drop(BOARD)
    expect(await folds.get(build, end, parked, false)).to.not.equal(prepared)
  })

  /** Counts the events read for the entries: in total, and the maximum between two turns of the event loop. */
  async function readsOf(events: number, players: number) {
    const { log, history } = await boardOf(events, players)
    const brief: History['brief'] = async (...args) =>
      (await history.part(...args)).map(({ meta, data, ...event }) => {
        return { ...event, data: { ...data, playerName: 'sealed' }, meta: JSON.stringify(meta) }
      })
    const reads = { pages: 0, events: 0, maxAtOnce: 0 }
    const readStream: typeof log.readStream = (...args) => {
      reads.events++
      return log.readStream(...args)
    }
    const part: typeof history.part = (...args) => {
      reads.pages++
      return history.part(...args)
    }
    const folded = await foldHistory({ log: { readStream }, history: { ...history, part, brief } }, everything, AMPLE)
    let isOver = false
    const args = folded?.entryStates(null, '~').finally(() => {
      isOver = true
    })
    const sum = () => reads.events + 50 * reads.pages
    for (let before = sum(); !isOver; before = sum()) {
      await turn()
      reads.maxAtOnce = Math.max(reads.maxAtOnce, sum() - before)
    }
    const all = (await args) ?? []
    const shown = all.filter((one) => one.shown !== null)
    expect(shown.every((one) => one.shown?.playerName === null)).to.equal(true)
    return { ...reads, all: all.length, shown: shown.length }
  }

  it('reads whole pages if many shown submissions are on a page, and yields between pages', async () => {
    const { shown: _, ...reads } = await readsOf(1_000, 1_000)
    expect(reads).to.deep.equal({ all: 1_000, pages: 20, events: 0, maxAtOnce: 50 })
  })

  it('reads submissions one by one if few are on a page', async () => {
    const { maxAtOnce: _, ...reads } = await readsOf(50, 16)
    expect(reads).to.deep.equal({ all: 16, shown: 14, pages: 0, events: 14 })
  })

  it('returns null extra data and name if the log no longer has the submission', async () => {
    for (const players of [70, 3]) {
      const { log, history } = await boardOf(210, players, '{"a":1}')
      let isGone = false
      const readStream: typeof log.readStream = async (...args) => (isGone ? [] : log.readStream(...args))
      const part: typeof history.part = async (...args) => (isGone ? [] : history.part(...args))
      const folded = await foldHistory({ log: { readStream }, history: { ...history, part } }, everything, AMPLE)
      const present = (await folded?.entryStates(null, '~')) ?? []
      isGone = true
      const left = present.map((one) => ({ ...one, shown: one.shown && { ...one.shown, extra: null } }))
      expect(await folded?.entryStates(null, '~')).to.deep.equal(left)
      const middle = (await history.nth({ board: BOARD }, null, 100))?.position ?? ''
      const halves = [
        ...((await folded?.entryStates(null, middle)) ?? []),
        ...((await folded?.entryStates(middle, '~')) ?? []),
      ]
      expect(byPlayer(halves)).to.deep.equal(byPlayer(left))
    }
  })

  it('stops folding when the signal aborts', async () => {
    const leaving = new AbortController()
    const { log, history } = await boardOf(1_200, 70)
    const part: typeof history.part = async (...args) => {
      leaving.abort(new Error('nobody waits'))
      return history.part(...args)
    }
    const folding = foldHistory({ log, history: { ...history, part } }, everything, AMPLE, { signal: leaving.signal })
    expect(await folding.catch((failure: Error) => failure.message)).to.equal('nobody waits')
  })
})
