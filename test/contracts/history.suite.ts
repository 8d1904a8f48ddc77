// The contract of a history: the events of one game or board, exactly as in the log.

import { expect } from 'chai'
import type { Position, StoredEvent } from '../../domain/event.ts'
import type { History, HistoryFilter, PositionRange, TimeRange } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import { appended, everything, someEvent } from './events.ts'
import { withFresh } from './fresh.ts'
import type { Check } from './test-contract.ts'

/** A log and its history; `settled` resolves when the history contains the whole log. */
export interface LogWithHistory {
  readonly log: Log
  readonly history: History
  settled(): Promise<void>
  close(): Promise<void>
}

const METAS = [
  { game: 'g1', board: 'b1' },
  { game: 'g2', board: 'b2' },
  { game: 'g1', board: 'b3' },
  { game: null },
  { game: 'g1' },
]

const FILTERS: readonly HistoryFilter[] = [{ game: 'g1' }, { game: 'g2' }, { board: 'b1' }, { board: 'b2' }]

/** The `count`-th event after the first `n` events. */
const COUNTS = [
  [0, 1],
  [0, 8],
  [0, 9],
  [3, 2],
  [3, 5],
  [3, 6],
  [8, 16],
] as const

export const historyChecks: readonly Check<LogWithHistory>[] = [
  {
    name: 'returns only the events of one game or one board, in pages of any size',
    run: (make) =>
      withFresh(make, async ({ log, history, settled }) => {
        for (let n = 0; n < 40; n += 1) {
          await appended(log, `s-${n}`, 'none', [someEvent({ meta: METAS[n % METAS.length] ?? {}, data: { n } })])
        }
        await settled()
        const all = await everything(log)
        for (const filter of FILTERS) {
          const isOfIt = ({ meta }: StoredEvent) =>
            'game' in filter ? meta.game === filter.game : meta.board === filter.board
          const part = await wholePart(history, filter, 3)
          expect(part).to.deep.equal(all.filter(isOfIt))
          expect(part).to.have.length('game' in filter && filter.game === 'g1' ? 24 : 8)
          expect(await history.part(filter, part.at(-1)?.position ?? null, 9)).to.deep.equal([])
          const brief = part.map(({ type, stream, revision, position, data, meta }) => {
            return { type, stream, revision, position, data, meta: JSON.stringify(meta) }
          })
          const after = part[1]?.position ?? null
          if (history.brief !== undefined)
            expect(await history.brief(filter, after, 3)).to.deep.equal(brief.slice(2, 5))
          for (const [from, count] of COUNTS) {
            const nth = await history.nth(filter, part[from - 1]?.position ?? null, count)
            expect(nth).to.deep.equal(part[from + count - 1] ?? null)
          }
        }
        expect(await history.part({ game: 'g3' }, null, 9)).to.deep.equal([])
      }),
  },
  {
    name: 'skips no event of a game within a range of times, whatever the clocks did',
    run: (make) => withFresh(make, skipsExactly),
  },
  {
    name: 'refuses a limit or a count below 1',
    run: (make) =>
      withFresh(make, async ({ history }) => {
        const refused = await history.part({ game: 'g1' }, null, 0).catch((error: unknown) => error)
        expect(refused).to.be.instanceOf(RangeError)
        const uncounted = await history.nth({ game: 'g1' }, null, 0).catch((error: unknown) => error)
        expect(uncounted).to.be.instanceOf(RangeError)
      }),
  },
]

/** Ascends in general, as clocks do: with jumps in both directions, and with two nodes whose clocks differ. */
function unevenTime(n: number): string {
  const jump = n === 11 ? 500 : n > 25 && n < 30 ? -90 : 0
  return new Date(Date.UTC(2026, 0, 1) + (n + jump + (n % 2) * 3) * 60_000).toISOString()
}

async function skipsExactly({ log, history, settled }: LogWithHistory): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    const meta = { ...METAS[n % METAS.length], time: unevenTime(n) }
    await appended(log, `s-${n}`, 'none', [someEvent({ meta })])
  }
  await settled()
  const all = await everything(log)
  expect(all).to.have.length(60)
  const bounds = [null, ...[-200, 0, 20, 22, 41, 59, 530].map((minute) => unevenTime(minute))]
  for (const since of bounds) {
    for (const until of bounds) {
      for (const [from, to] of [
        [0, 60],
        [23, 60],
        [5, 31],
        [31, 31],
        [31, 5],
      ] as const) {
        const range = { after: all[from - 1]?.position ?? null, upTo: all[to - 1]?.position ?? '' }
        const skipped = await skippedIn(history, range, { since, until })
        const inBetween = all.filter(({ position }) => position > (range.after ?? '') && position <= (skipped ?? ''))
        const isIn = ({ meta: { game, time } }: StoredEvent) =>
          game === 'g1' && (since === null || time >= since) && (until === null || time < until)
        expect(inBetween.filter(isIn), `${since} to ${until}`).to.deep.equal([])
        if (skipped === range.after) continue
        expect(skipped).to.satisfy((position: string) => position > (range.after ?? '') && position <= range.upTo)
        expect(await log.eventAt(skipped ?? '')).not.to.equal(null)
      }
    }
  }
}

async function skippedIn(history: History, range: PositionRange, times: TimeRange): Promise<Position | null> {
  for (let { after } = range; ; ) {
    const next = await history.skip('g1', { ...range, after }, times)
    if (next === after) return after
    after = next
  }
}

async function wholePart(history: History, filter: HistoryFilter, limit: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const page = await history.part(filter, events.at(-1)?.position ?? null, limit)
    events.push(...page)
    if (page.length < limit) return events
  }
}

/** A log with its own history: nothing to wait for. */
export function withOwnHistory(log: Log & History): LogWithHistory {
  return { log, history: log, settled: async () => {}, close: () => log.close() }
}
