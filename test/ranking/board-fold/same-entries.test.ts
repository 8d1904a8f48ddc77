// Random histories of a board with deletions of both kinds under any rules: compares the result of each fold with plain
// arrays.

import { expect } from 'chai'
import fc from 'fast-check'
import type { Ordering, Rules } from '../../../domain/board-rules.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import { type JsonObject, recordedAt, type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import type { ScoreEvent } from '../../../domain/score.ts'
import { standing } from '../../../domain/standing.ts'
import { applyScoreEvent, entryRef, needsStream } from '../../../projections/entry-documents.ts'
import { foldHistory } from '../../../projections/folded-history.ts'
import type { Docs } from '../../../projections/projection.ts'
import { BoardFold } from '../../../ranking/board-fold/board-fold.ts'
import { streamsFrom } from '../../../ranking/board-fold/streams.ts'
import { sortKeyOf } from '../../../ranking/sort-key.ts'
import { TimeSlices } from '../../../runtime/time-slices.ts'
import { nothingBy, skipsNothing } from '../../memory/history.ts'
import { sized } from '../../seeds.ts'

const BOARD = 'b'

/** A submission, or the deletion of one or all of a player's submissions. */
const anyStep = fc.record({
  player: fc.constantFrom('p1', 'p2', 'p3'),
  kind: fc.constantFrom('send', 'send', 'send', 'send', 'one', 'one', 'all'),
  which: fc.nat(5),
  score: fc.integer({ min: -3, max: 3 }),
  secondary: fc.constantFrom(null, null, -1, 2),
  /** Whether the time advances before this event. */
  later: fc.boolean(),
  /** Prefix of the id, so that ids are not in submission order. */
  letter: fc.constantFrom('r', 's', 't'),
})

const anyRules: fc.Arbitrary<Rules> = fc
  .record({
    ordering: fc.constantFrom<Ordering>('asc', 'desc'),
    secondaryOrdering: fc.constantFrom<Ordering>('asc', 'desc'),
    kind: fc.constantFrom('each', 'best', 'latest', 'total'),
    minScore: fc.constantFrom(null, '-2' as Decimal),
    maxScore: fc.constantFrom(null, '1' as Decimal),
  })
  .map(({ kind, ...rules }) => ({
    ...rules,
    unique: kind !== 'each',
    ...((kind === 'latest' || kind === 'total') && { keep: kind }),
  }))

type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

function historyOf(steps: readonly Step[]): StoredEvent[] {
  const sent = new Map<string, string[]>()
  const revisions = new Map<string, number>()
  let ms = Date.UTC(2026, 0, 1)
  return steps.flatMap(({ player, kind, which, score, secondary, later, letter }, n): StoredEvent[] => {
    const own = sent.get(player) ?? []
    const id = kind === 'send' ? `${letter}${String(n).padStart(3, '0')}` : own[which % Math.max(1, own.length)]
    if (id === undefined) return []
    const revision = revisions.get(player) ?? 0
    revisions.set(player, revision + 1)
    sent.set(player, kind === 'send' ? [...own, id] : kind === 'all' ? [] : own.filter((one) => one !== id))
    if (later) ms++
    const [type, data] =
      kind === 'send'
        ? ['ScoreSubmitted', { id, score: `${score}`, secondary: textOf(secondary), extra: null, playerName: null }]
        : ['ScoreDeleted', { id, upTo: kind === 'all' ? revision - 1 : null }]
    const time = new Date(ms).toISOString()
    const meta = { v: 1, game: 'g', board: BOARD, player, command: '', actor: null, request: null, time }
    const position = String(n).padStart(16, '0')
    return [{ id: position, type, data, meta, stream: `lb_${BOARD}-${player}`, revision, position } as StoredEvent]
  })
}

const textOf = (number: number | null) => (number === null ? null : `${number}`)

/** An entry: its player, sort key (null if all submissions are outside the bounds), displayed fields and start time. */
type Line = readonly [player: string, sortKey: string | null, id: string, revision: number, added: string]

interface Values {
  readonly score: Decimal
  readonly secondary: Decimal | null
}

function summed(submissions: readonly StoredEvent[]): Values {
  const all = submissions.map(({ data }) => unsafeCast<Values>(data))
  const sumOf = (values: readonly (Decimal | null)[]) =>
    `${values.reduce((sum, one) => sum + Number(one), 0)}` as Decimal
  const secondary = all.map((one) => one.secondary).filter((one) => one !== null)
  return { score: sumOf(all.map(({ score }) => score)), secondary: secondary.length === 0 ? null : sumOf(secondary) }
}

/** The model: implements the contract directly. */
function due(events: readonly StoredEvent[], rules: Rules): Line[] {
  const lines: Line[] = []
  for (const player of new Set(events.map(({ meta }) => meta.player ?? ''))) {
    let left: StoredEvent[] = []
    for (const event of events.filter(({ meta }) => meta.player === player)) {
      if (event.type === 'ScoreSubmitted') left.push(event)
      else left = event.data.upTo === null ? left.filter(({ data }) => data.id !== event.data.id) : []
    }
    const scoreOf = ({ data }: StoredEvent) => Number(data.score)
    const isIn = (one: StoredEvent) =>
      scoreOf(one) >= Number(rules.minScore ?? -9) && scoreOf(one) <= Number(rules.maxScore ?? 9)
    const lineOf = (shown: StoredEvent, first: StoredEvent, summed?: Values): Line => {
      const { score, secondary } = summed ?? unsafeCast<Values>(shown.data)
      const id = String(first.data.id)
      const sortKey = isIn(shown)
        ? sortKeyOf({ score, secondary, position: shown.position, time: shown.meta.time }, id, rules)
        : null
      return [player, sortKey, id, shown.revision, first.meta.time]
    }
    if (!rules.unique) lines.push(...left.filter(isIn).map((one) => lineOf(one, one)))
    else if (left[0] !== undefined) {
      const sign = (ordering: 'asc' | 'desc') => (ordering === 'asc' ? 1 : -1)
      const worth = ({ data }: StoredEvent) =>
        data.secondary === null ? 9 : sign(rules.secondaryOrdering) * Number(data.secondary)
      const better = (a: StoredEvent, b: StoredEvent) =>
        sign(rules.ordering) * (scoreOf(a) - scoreOf(b)) || worth(a) - worth(b) || a.revision - b.revision
      const inside = left.filter(isIn)
      const shown = (rules.keep === undefined ? inside.sort(better)[0] : inside.at(-1)) ?? left[0]
      lines.push(lineOf(shown, left[0], rules.keep === 'total' ? summed(inside) : undefined))
    }
  }
  return lines.sort()
}

/** Entries from the projected documents of a generation. */
function byDocuments(events: readonly StoredEvent[], rules: Rules, generation: number): Line[] {
  const entry = new Map<string, JsonObject>()
  const docs: Docs = {
    get: (_, id) => entry.get(id) ?? null,
    isAfter: () => false,
    put: (_, id, body) => void entry.set(id, body),
    remove: (_, id) => void entry.delete(id),
  }
  const of = { generation, rules }
  for (const event of events) {
    const isAsked = event.type === 'ScoreDeleted' && needsStream(event, of, docs.get)
    applyScoreEvent(event, of, docs, isAsked ? streamUpTo(events, event) : [])
    if (event.type === 'ScoreDeleted' && !rules.unique) expect(entry.has(entryRef(event, of)[1])).to.equal(false)
  }
  return [...entry.values()]
    .map(({ player, member, id, revision, added }) => unsafeCast<Line>([player, member, id, revision, added]))
    .sort()
}

const streamUpTo = (events: readonly StoredEvent[], { stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>) =>
  events.filter((one) => one.stream === stream && one.revision <= revision)

const logOf = (events: readonly StoredEvent[]) => ({
  readStream: async (stream: string, from: number, limit: number) =>
    events.filter((one) => one.stream === stream).slice(from, from + limit),
})

/** Entries from the ranked in-memory fold, in rank order. */
async function inMemory(events: readonly StoredEvent[], rules: Rules) {
  const fold = new BoardFold(rules)
  for (const event of events) fold.take(event, event.meta.player ?? '')
  for await (const _ of fold.settle(streamsFrom(logOf(events)))) {
  }
  await new TimeSlices().all(fold.rank())
  return fold.at(0, fold.ranked.size)
}

/** Entries from the in-memory fold, as a generation build reads it. */
async function byBuild(events: readonly StoredEvent[], rules: Rules): Promise<Line[]> {
  const part = async (_: unknown, after: string | null, limit: number) =>
    events.filter(({ position }) => after === null || position > after).slice(0, limit)
  const history = { part, nth: async () => null, skip: skipsNothing, lastBy: nothingBy }
  const asked = { board: BOARD, rules, upTo: null, isTaken: () => true }
  const folded = await foldHistory({ log: logOf(events), history }, asked, 2 ** 20)
  const entryStates = (await folded?.entryStates(null, '~')) ?? []
  return entryStates
    .map(({ player, sortKey, id, firstSubmission, revision, time }): Line => {
      return [player, sortKey, firstSubmission?.id ?? id, revision, firstSubmission?.added ?? time]
    })
    .sort()
}

describe('the entries of a board', () => {
  it('are the same in documents, in memory, from a build, and from each player’s stream', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 60, size: 'max' }),
        anyRules,
        fc.constantFrom(1, 2),
        async (steps, rules, generation) => {
          // Only boards whose rules have changed can have deletions of both kinds.
          const kindOf = (kind: Step['kind']) => (kind === 'send' ? kind : rules.unique ? 'all' : 'one')
          const events = historyOf(generation > 1 ? steps : steps.map((step) => ({ ...step, kind: kindOf(step.kind) })))
          const lines = due(events, rules)
          expect(byDocuments(events, rules, generation)).to.deep.equal(lines)
          if (rules.unique) expect(await byBuild(events, rules)).to.deep.equal(lines)

          const ranked = lines.filter(([, sortKey]) => sortKey !== null)
          ranked.sort(([, a], [, b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
          const rows = await inMemory(events, rules)
          expect(rows.map(({ player, sortKey, id, revision }) => [player, sortKey, id, revision])).to.deep.equal(
            ranked.map(([player, sortKey, id, revision]) => [player, sortKey, id, revision]),
          )

          const { evolve, initial } = standing(rules, generation > 1 ? 'all' : 'first and shown')
          for (const player of new Set(events.map(({ meta }) => meta.player))) {
            const own = events.filter(({ meta }) => meta.player === player)
            const state = own.reduce(
              (state, event) => evolve(state, unsafeCast<ScoreEvent>(event), recordedAt(event)),
              initial,
            )
            const [, , id, revision] = ranked.find(([whose]) => whose === player) ?? []
            expect(state.shown?.revision).to.equal(revision)
            if (!rules.unique) expect(state.shown?.id).to.equal(id)
            else expect(state.first?.id).to.equal(lines.find(([whose]) => whose === player)?.[2])
          }
        },
      ),
      { numRuns: sized(100, 300) },
    )
  })
})
