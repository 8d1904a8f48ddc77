// The view of activity: counts of random histories compared with a count of the log, also after interrupted writes, and
// the actions that it keeps.

import { expect } from 'chai'
import { dayOf, type GameActivity, hourOf } from '../../domain/activity.ts'
import { type JsonObject, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { activity } from '../../projections/activity.ts'
import { viewKey, viewSpec } from '../../projections/projection.ts'
import { frozen } from '../domain/frozen.ts'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'
import { bodies, type RunWorld, runWorld } from './run-world.ts'
import { viewInMemory } from './view-in-memory.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const START_MS = Date.parse('2026-11-21T07:05:01.123Z')
const VIEW = viewKey(activity)
const COLLECTIONS = ['games', 'players', 'boards', 'actions']

function submission(n: number, timeMs: number, random: Random): StoredEvent {
  const [game, player, board] = [random.pick(['g1', 'g2']), random.below(6), random.below(3)]
  return {
    id: `e${n}`,
    type: 'ScoreSubmitted',
    stream: `lb_${game}b${board}-${game}p${player}`,
    revision: n,
    position: String(n).padStart(16, '0'),
    data: { id: `s${n}`, score: '1', secondary: null, extra: null, playerName: null },
    meta: {
      v: 1,
      game,
      board: `${game}b${board}`,
      player: `${game}p${player}`,
      command: `c${n}`,
      actor: null,
      request: null,
      time: new Date(timeMs).toISOString(),
    },
  }
}

/** Clocks go forward, at times by days, and back by at most a day before the newest event. */
function historyOf(random: Random, length: number): StoredEvent[] {
  let [nowMs, newestMs] = [START_MS, START_MS]
  return Array.from({ length }, (_, n) => {
    const step = random.weighted([1, 2, 3, 4], (kind) => [0, 80, 10, 4, 6][kind] ?? 0)
    if (step === 1) nowMs += random.below(HOUR_MS)
    if (step === 2) nowMs += random.below(DAY_MS)
    if (step === 3) nowMs += random.below(12 * DAY_MS)
    newestMs = Math.max(newestMs, nowMs)
    if (step === 4) nowMs = newestMs - random.below(DAY_MS)
    return submission(n, nowMs, random)
  })
}

/** Rows of the 24 hours and 30 days up to an hour, as the log has them. */
function countOfLog(events: readonly StoredEvent[], game: string, hour: number): GameActivity {
  const own = events.filter(({ meta }) => meta.game === game)
  const count = (last: number, shown: number, atOf: (hour: number) => number) =>
    Array.from({ length: shown }, (_, index) => {
      const at = last - shown + 1 + index
      const inside = own.filter(({ meta }) => atOf(hourOf(meta.time)) === at)
      return [at, inside.length, new Set(inside.map(({ meta }) => meta.player)).size] as const
    }).filter(([, submissions]) => submissions > 0)
  return { hours: count(hour, 24, (at) => at), days: count(dayOf(hour), 30, dayOf) }
}

/** The rows of the same hours and days in a document. */
function shownOf({ hours, days }: GameActivity, hour: number): GameActivity {
  const upTo = (rows: GameActivity['hours'], last: number, shown: number) =>
    rows.filter(([at]) => at <= last && at > last - shown)
  return { hours: upTo(hours, hour, 24), days: upTo(days, dayOf(hour), 30) }
}

const SEEDS = Array.from({ length: sized(10, 300) }, (_, n) => SEED + n)

describe('the view of activity', () => {
  it('counts submissions and active players as a count of the log does, while clocks step by up to a day', () => {
    for (const seed of SEEDS) {
      const random = new Random(seed)
      const view = viewInMemory(activity)
      const events: StoredEvent[] = []
      for (const event of historyOf(random, 200)) {
        events.push(event)
        view.apply(event)
        if (random.chance(0.9)) continue
        const game = event.meta.game ?? ''
        // The clock of a reader may be a day behind the newest event.
        const hour = Math.max(...events.map(({ meta }) => hourOf(meta.time))) - random.below(25)
        const found = shownOf(unsafeCast<GameActivity>(view.documents('games')[game]), hour)
        expect(found, `seed ${seed}, event ${event.position}`).to.deep.equal(countOfLog(events, game, hour))
      }
    }
  })

  it('has the same documents after writes that were interrupted, in any of its documents', async () => {
    for (const seed of SEEDS) {
      const random = new Random(seed)
      const history = historyOf(random, 200)
      const whole = await newWorld()
      await applyAll(whole, [history])
      const interrupted = await newWorld()
      await applyAll(interrupted, partsOf(history, random), (writes) => writes.filter(() => random.chance(0.5)))
      for (const collection of COLLECTIONS) {
        const [expected, found] = [whole, interrupted].map(({ deps }) => bodies(deps.views, VIEW, collection))
        expect(await found, `seed ${seed}`).to.deep.equal(await expected)
      }
    }
  })

  it('counts the submissions of each leaderboard per hour, and the last hour with one', () => {
    const view = viewInMemory(activity)
    const events = historyOf(new Random(SEED), 20).map((event, n) => ({
      ...event,
      meta: { ...event.meta, game: 'g1', board: 'b1', time: new Date(START_MS + (n % 3) * HOUR_MS).toISOString() },
    }))
    view.apply(...events)
    const hour = hourOf(new Date(START_MS).toISOString())
    const hours = [0, 1, 2].map((n) => [hour + n, n === 2 ? 6 : 7])
    expect(view.documents('boards')).to.deep.equal({ b1: { game: 'g1', hour: hour + 2, hours } })
  })

  it('keeps a bounded number of hours and days', () => {
    const view = viewInMemory(activity)
    const random = new Random(SEED)
    for (let n = 0; n < 3_000; n++) view.apply(submission(n, START_MS + n * HOUR_MS, random))
    const { hours, days } = unsafeCast<GameActivity>(view.documents('games').g1)
    expect([hours.length <= 48, days.length <= 32]).to.deep.equal([true, true])
  })

  it('keeps what callers changed, and nothing that the service did by itself', () => {
    const [banned] = frozen('PlayerBanned')
    if (banned === undefined) throw new Error('no frozen ban')
    const view = viewInMemory(activity)
    const by = (actor: string | null) => ({ ...banned, meta: { ...banned.meta, actor } })
    view.apply(by(null))
    expect(view.documents('actions')).to.deep.equal({})
    view.apply(by('sk_1'))
    const { position, meta } = banned
    const kept: JsonObject = {
      game: meta.game,
      position,
      type: 'PlayerBanned',
      time: meta.time,
      actor: 'sk_1',
      about: 'player',
      id: meta.player ?? '',
    }
    expect(view.documents('actions')).to.deep.equal({ [position]: kept })
  })
})

async function newWorld(): Promise<RunWorld> {
  const world = runWorld([activity])
  await world.deps.views.prepare(viewSpec(activity))
  return world
}

type Writes = Parameters<RunWorld['deps']['views']['commit']>[0][number]['writes']

/** `written`: which writes of a part are stored before it is interrupted and applied again. */
async function applyAll(
  { deps, appliers: [applier] }: RunWorld,
  parts: readonly (readonly StoredEvent[])[],
  written?: (writes: Writes) => Writes,
): Promise<void> {
  if (applier === undefined) throw new Error('the world has no applier')
  for (const part of parts) {
    await applier.apply(part)
    if (written !== undefined) {
      const { batch } = applier.take(new Map())
      await deps.views.commit([{ ...batch, writes: written(batch.writes) }])
      applier.forget()
      await applier.apply(part)
    }
    await deps.views.commit([applier.take(new Map()).batch])
  }
}

function partsOf(events: readonly StoredEvent[], random: Random): StoredEvent[][] {
  const parts: StoredEvent[][] = [[]]
  for (const event of events) {
    if (random.chance(0.05)) parts.push([])
    parts.at(-1)?.push(event)
  }
  return parts
}
