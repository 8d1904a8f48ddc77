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
const LATEST: Rules = { ...RULES, keep: 'latest' }
const TOTAL: Rules = { ...RULES, keep: 'total' }
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
function expectedEffects(events: readonly StoredEvent[], rules: Rules): string[] {
  const { evolve, initial } = standing(rules, 'all')
  const changes = rules.keep === 'latest' ? 'replaced' : 'improved'
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
    return made.shown === was.shown ? [] : [{ name: nameOf(changes, event), revision: event.revision }]
  })
  return [...removed, ...makes].sort((a, b) => a.revision - b.revision).map(({ name }) => name)
}

const foundUnder = (rules: Rules, generation: number) => ({
  entry: { id: 's0', player: 'p1', member: 'm' },
  board: { id: 'b1', generation, state: { rules } },
})

async function explained(log: Log, generation: number, rules = RULES) {
  const answer = await explainScore(log, foundUnder(rules, generation), { limit: 100, offset: 0 }, new TimeSlices())
  if (!('left_out' in answer)) throw new Error('explained as a total')
  const { events, left_out } = answer
  return { events: events.map(({ effect, event }) => `${effect} ${event.revision}`), left_out }
}

describe('the explanation of a score, read page by page', () => {
  for (const rules of [RULES, LATEST]) {
    it(`equals the explanation from a fold of the whole stream: ${rules.keep ?? 'best'}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: 'max' }), async (steps) => {
          const log = await streamOf(steps)
          const expected = expectedEffects(await log.readStream(STREAM, 0, 1_000), rules)
          expect(await explained(log, 2, rules)).to.deep.equal({ events: expected, left_out: 0 })
        }),
      )
    })
  }

  it('names each submission that replaced the one before on a board of the latest, also worse and equal ones', async () => {
    const sent = (score: number): Step => ({ kind: 'sent', score })
    const deletion: Step = { kind: 'all', which: 0 }
    // 7 and 8 are above the maximum.
    const log = await streamOf([sent(1), deletion, ...[2, 1, 7, 1, 3, 8].map(sent)])
    const events = ['removed 1', 'began 2', 'replaced 3', 'replaced 5', 'replaced 6']
    for (const generation of [1, 2])
      expect(await explained(log, generation, LATEST)).to.deep.equal({ events, left_out: 0 })
  })

  it('lists the counted submissions of a total, newest first, in pages', async () => {
    const anyPaging = fc.record({ limit: fc.integer({ min: 1, max: 7 }), offset: fc.nat(12) })
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: 'max' }), anyPaging, async (steps, paging) => {
        const log = await streamOf(steps)
        const left = submissionsLeft(await log.readStream(STREAM, 0, 1_000))
        const counted = left.filter(({ data }) => Number(data.score) <= 6).reverse()
        const { limit, offset } = paging
        const page = counted.slice(offset, offset + limit).map(({ revision }) => `counted ${revision}`)
        const answer = await explainScore(log, foundUnder(TOTAL, 2), paging, new TimeSlices())
        const events = answer.events.map(({ effect, event }) => `${effect} ${event.revision}`)
        const next = offset + limit < counted.length ? offset + limit : null
        const found = { score: 's0', leaderboard: 'b1', player: 'p1', hidden: false }
        expect({ ...answer, events }).to.deep.equal({
          ...found,
          ...{ events: page, count: counted.length, offset, limit, next_offset: next },
        })
      }),
    )
  })

  it('leaves out of a total what was deleted, singly or with the entry, and what does not count', async () => {
    const log = createMemoryLog()
    const submission = (n: number, score: string, secondary: string | null = null) =>
      newEvent(n, 'ScoreSubmitted', { id: `s${n}`, score, secondary, extra: null, playerName: null })
    await log.append(STREAM, 'none', [
      submission(0, '1'),
      newEvent(1, 'ScoreDeleted', { id: 's0', upTo: 0 }),
      submission(2, '2'),
      submission(3, '3'),
      newEvent(4, 'ScoreDeleted', { id: 's2', upTo: null }),
      submission(5, '6.000000000000000001'),
      submission(6, `-1${'0'.repeat(24)}`),
      submission(7, '1', `1${'0'.repeat(24)}`),
      submission(8, '6', '-4'),
    ])
    const answer = await explainScore(log, foundUnder(TOTAL, 3), { limit: 100, offset: 0 }, new TimeSlices())
    expect(answer.events.map(({ effect, event }) => [effect, event.data.id])).to.deep.equal([
      ['counted', 's8'],
      ['counted', 's3'],
    ])
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
