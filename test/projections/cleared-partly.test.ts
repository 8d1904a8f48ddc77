// The last slice that clears a generation away, of which a write broke off: the same slice comes again, and clears all the same.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import { entries } from '../../projections/entries.ts'
import { viewSpec } from '../../projections/projection.ts'
import { runWorld } from './run-world.ts'

const BOARD = 'b1'
const TIME = '2026-01-01T00:00:00.000Z'

const rulesOf = (unique: boolean): Rules => ({
  ordering: 'desc',
  secondaryOrdering: 'desc',
  unique,
  minScore: null,
  maxScore: null,
})

/** A board with so many generations, all but the last of them cleared, each by one slice; its rules are of the other kind each time. */
function eventsOf(
  generations: number,
  unique: boolean,
): readonly (readonly [stream: string, type: string, JsonObject])[] {
  const board = `board-${BOARD}`
  const scores = ['p1', 'p1', 'p2'].map((player, n) => {
    const data = { id: `s${n}`, score: String(n), secondary: null, extra: null, playerName: null }
    return [`lb_${BOARD}-${player}`, 'ScoreSubmitted', data] as const
  })
  const changes = Array.from({ length: generations - 1 }, (_, n) => {
    const [change, generation, rules] = [`c${n}`, n + 2, rulesOf(unique === (n % 2 === 1))]
    const changed = { stream: board, revision: 3 * n + 2 }
    const cleared = { generation: n + 1, after: null, upTo: changed, until: changed }
    return [
      [board, 'LeaderboardRulesRequested', { change, generation, rules }],
      [board, 'LeaderboardRulesChanged', { change, generation, rules, after: null, replaces: n + 1 }],
      [board, 'LeaderboardSliceCleared', cleared],
    ] as const
  })
  const created = { name: 'B', description: '', rules: rulesOf(unique) }
  return [[board, 'LeaderboardCreated', created], ...scores, ...changes.flat()]
}

/** What is left of entries, where of each slice that clears only these collections were written at first. */
async function leftOf(unique: boolean, written: readonly string[]): Promise<readonly unknown[]> {
  const { deps, appliers } = runWorld([entries])
  await deps.views.prepare(viewSpec(entries))
  const [applier] = appliers
  if (applier === undefined) throw new Error('there is one')
  for (const [stream, type, data] of eventsOf(3, unique)) {
    const player = type === 'ScoreSubmitted' ? { player: stream.slice(`lb_${BOARD}-`.length) } : {}
    const about = { v: 1, game: 'g1', board: BOARD, ...player, command: randomUUID(), actor: null, request: null }
    const revision = (await deps.log.readStream(stream, 0, 100)).length
    const expected = revision === 0 ? 'none' : revision - 1
    await deps.log.append(stream, expected, [{ id: randomUUID(), type, data, meta: { ...about, time: TIME } }])
    const stored = await deps.log.readStream(stream, revision, 1)
    await applier.apply(stored)
    if (type === 'LeaderboardSliceCleared') {
      const { batch } = applier.take(new Map())
      const writes = batch.writes.filter(({ collection }) => written.includes(collection))
      await deps.views.commit([{ ...batch, writes }])
      applier.forget()
      await applier.apply(stored)
    }
    await deps.views.commit([applier.take(new Map()).batch])
  }
  const left = await deps.views.scan('entries@3', 'entries', null, 100)
  return left.map(({ body }) => [body.generation, body.player, body.score]).sort()
}

describe('a slice that clears a generation, of which a write broke off', () => {
  for (const [kind, unique] of [
    ['one entry a player', true],
    ['an entry for each submission', false],
  ] as const) {
    const due = unique
      ? [
          [3, 'p1', '1'],
          [3, 'p2', '2'],
        ]
      : [
          [3, 'p1', '0'],
          [3, 'p1', '1'],
          [3, 'p2', '2'],
        ]
    for (const written of ['generations', 'entries']) {
      it(`clears all the same where only the ${written} were written, on a board that began with ${kind}`, async () => {
        expect(await leftOf(unique, [written])).to.deep.equal(due)
      })
    }
  }
})
