// Explanations of scores from streams with submissions and both kinds of deletions in any order. They are read page by
// page, and must equal those from a fold of the whole stream.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Rules } from '../../domain/board-rules.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { submissionsLeft } from '../../domain/entry.ts'
import { type NewEvent, recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import type { ScoreEvent } from '../../domain/score.ts'
import { standing } from '../../domain/standing.ts'
import { explainScore } from '../../queries/explain-score.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Log } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'

const RULES: Rules = {
  ordering: 'desc',
  secondaryOrdering: 'desc',
  unique: true,
  minScore: null,
  maxScore: '6' as Decimal,
}
const STREAM = 'lb_b1-p1'

/** A deletion of one or all present submissions, or a submission. */
type Step = { readonly kind: 'one' | 'all'; readonly which: number } | { readonly kind: 'sent'; readonly score: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('sent' as const), score: fc.nat(8) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('one' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('all' as const), which: fc.constant(0) }) },
)

const newEvent = (n: number, type: string, data: object): NewEvent => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  type,
  data: unsafeCast(data),
  meta: { v: 1, game: 'g1', board: 'b1', player: 'p1', command: `c${n}`, actor: null, request: null, time: timeOf(n) },
})
const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 1) + 1_000 * n).toISOString()

async function streamOf(steps: readonly Step[]): Promise<Log> {
  const log = createMemoryLog()
  let present: string[] = []
  const events = steps.flatMap((step, n): NewEvent[] => {
    if (step.kind === 'sent') {
      present.push(`s${n}`)
      const data = { id: `s${n}`, score: String(step.score), secondary: null, extra: null, playerName: null }
      return [newEvent(n, 'ScoreSubmitted', data)]
    }
    const id = present[step.which % Math.max(1, present.length)]
    if (id === undefined) return []
    present = step.kind === 'all' ? [] : present.filter((one) => one !== id)
    return [newEvent(n, 'ScoreDeleted', { id, upTo: step.kind === 'all' ? n : null })]
  })
  if (events.length > 0) await log.append(STREAM, 'none', events)
  return log
}

/** Computed by folding the whole stream, then the remaining submissions once more. */
function expectedEffects(events: readonly StoredEvent[]): string[] {
  const { evolve, initial } = standing(RULES, 'all')
  const nameOf = (effect: string, { revision }: StoredEvent) => `${effect} ${revision}`
  let removed: { name: string; revision: number }[] = []
  let before = initial
  for (const event of events) {
    const after = evolve(before, unsafeCast<ScoreEvent>(event), recordedAt(event))
    if (event.type === 'ScoreDeleted') {
      const own = { name: nameOf('removed', event), revision: event.revision }
      if (after.first === null) removed = [own]
      else if (after.first !== before.first || after.shown !== before.shown) removed.push(own)
    }
    before = after
  }
  let made = initial
  const makes = submissionsLeft(events).flatMap((event) => {
    const was = made
    made = evolve(was, unsafeCast<ScoreEvent>(event), recordedAt(event))
    if (was.first === null) return [{ name: nameOf('began', event), revision: event.revision }]
    return made.shown === was.shown ? [] : [{ name: nameOf('improved', event), revision: event.revision }]
  })
  return [...removed, ...makes].sort((a, b) => a.revision - b.revision).map(({ name }) => name)
}

async function explained(log: Log, generation: number) {
  const found = {
    entry: { id: 's0', player: 'p1', member: 'm' },
    board: { id: 'b1', generation, state: { rules: RULES } },
  }
  const answer = await explainScore(log, found, { limit: 100, offset: 0 }, new TimeSlices())
  if (!('left_out' in answer)) throw new Error('explained as a total')
  const { events, left_out } = answer
  return { events: events.map(({ effect, event }) => `${effect} ${event.revision}`), left_out }
}

describe('the explanation of a score, read page by page', () => {
  it('equals the explanation from a fold of the whole stream', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: 'max' }), async (steps) => {
        const log = await streamOf(steps)
        const expected = expectedEffects(await log.readStream(STREAM, 0, 1_000))
        expect(await explained(log, 2)).to.deep.equal({ events: expected, left_out: 0 })
      }),
    )
  })

  it('reports the newest events of a long stream, and the number of others', async () => {
    const rising = Array.from({ length: 5_000 }, (_, n) => ({ id: `s${n}`, score: `0.${String(n).padStart(5, '0')}` }))
    for (const generation of [1, 2]) {
      const log = createMemoryLog()
      const events = rising.map((one, n) => {
        return newEvent(n, 'ScoreSubmitted', { ...one, secondary: null, extra: null, playerName: null })
      })
      for (let from = 0; from < events.length; from += 1_000) {
        await log.append(STREAM, from === 0 ? 'none' : from - 1, events.slice(from, from + 1_000))
      }
      const expected = Array.from({ length: 1_000 }, (_, n) => `improved ${n + 4_000}`)
      const { events: newest, left_out } = await explained(log, generation)
      expect([newest.join(), left_out]).to.deep.equal([expected.join(), 4_000])
    }
  })
})
