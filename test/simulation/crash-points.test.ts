// Crash points of the projector: a node dies just before or just after one of its view writes. A new node on the same
// stores must then reach the state that a rebuild gives.

import { expect } from 'chai'
import type { Rules } from '../../domain/board-rules.ts'
import { partitionOf } from '../../domain/partition.ts'
import { PERSONAL_FIELDS } from '../../domain/personal.ts'
import { ALL_VIEWS } from '../../projections/all.ts'
import { createApplier } from '../../projections/create-applier.ts'
import { Progress } from '../../projections/progress.ts'
import { viewKey } from '../../projections/projection.ts'
import { run } from '../../projections/run.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { AllRankings, RankingChange } from '../../stores/contract/rankings.ts'
import type { Batch, Views } from '../../stores/contract/views.ts'
import { sealLog } from '../../stores/log-decorators/sealing/open.ts'
import { sealVault } from '../../stores/log-decorators/sealing/vault.ts'
import { historyOf } from '../memory/history.ts'
import { ownsAll } from '../memory/ownership.ts'
import { createRankings } from '../memory/rankings-in-process.ts'
import { createMemoryViews } from '../memory/views.ts'
import { RulesWorld } from '../projections/rules-world.ts'
import { heardLive } from '../projections/run-world.ts'
import { startViews } from '../projections/start-views.ts'
import { Random } from '../random.ts'
import { sized } from '../seeds.ts'
import { playHistory } from './history.ts'
import { type Rebuilt, rebuild, rebuiltDifferences, sortKeysOf } from './oracle/rebuilt.ts'
import { newHistory } from './world/in-memory.ts'

/** Themes of the history to crash in: the first fault-free one with scores and enough event types is used. */
const THEMES: readonly unknown[] = ['boards', 'files']
const TYPES_LEAST = 20
const EVENTS = { least: 70, most: 100 }
/** Maximum crash points per test, spread evenly over the writes. */
const POINTS_MAX = sized(10, 50)
/** Of the log about totals: submissions before a change to totals, while it is built, and after it. */
const SUBMISSIONS = 12
const DELETED_EVERY = 6
const TOTALS: Rules = {
  ordering: 'desc',
  secondaryOrdering: 'desc',
  unique: true,
  keep: 'total',
  minScore: null,
  maxScore: null,
}
/** How many seeds are searched for such a history. */
const SEEDS = 500
/** Events per batch of the live subscription. */
const BATCH = 3

/** Counts the writes of one node and kills the node before or after write number `dies`. */
class Mortality {
  writes = 0
  readonly #dies: number
  readonly #after: boolean
  #tell: () => void = () => {}
  readonly death = new Promise<'died'>((resolve) => {
    this.#tell = () => resolve('died')
  })

  constructor(dies: number, after: boolean) {
    this.#dies = dies
    this.#after = after
  }

  async write(work: () => Promise<void>): Promise<void> {
    const number = this.writes++
    if (number < this.#dies) return work()
    if (number === this.#dies && this.#after) await work()
    this.#tell()
    return new Promise(() => {})
  }
}

/** `whole`: a commit is one write; otherwise each document and each set of checkpoints is one. */
function mortal(views: Views, mortality: Mortality, whole: boolean): Views {
  const singleWrites = (batches: readonly Batch[]): (readonly Batch[])[] =>
    batches.flatMap(({ view, writes, checkpoints }) => [
      ...writes.map((write) => [{ view, writes: [write], checkpoints: new Map() }]),
      [{ view, writes: [], checkpoints }],
    ])
  const commit = async (batches: readonly Batch[]) => {
    for (const batch of whole ? [batches] : singleWrites(batches)) await mortality.write(() => views.commit(batch))
  }
  return { ...views, commit }
}

function mortalRankings(all: AllRankings, mortality: Mortality): AllRankings {
  const of = (view: string, partition: number) => {
    const rankings = all.of(view, partition)
    return { ...rankings, put: (changes: readonly RankingChange[]) => mortality.write(() => rankings.put(changes)) }
  }
  return { ...all, of }
}

/** Starts a node on the stores and runs it until it has applied the whole log, or dies. */
async function live(log: Log, views: Views, mortality: Mortality, whole: boolean) {
  const rankings = createRankings()
  const progress = new Progress()
  const reports: string[] = []
  const deps = {
    log: inSmallBatches(log),
    history: historyOf(log),
    views: mortal(views, mortality, whole),
    rankings: mortalRankings(rankings, mortality),
    installation: 'this one',
    progress,
    parked: (view: string) => void reports.push(`parked in ${view}`),
    reopening: (error: unknown) => void reports.push(`reopened: ${String(error)}`),
    applied: () => {},
    catchingUp: () => {},
  }
  const appliers = ALL_VIEWS.map((view) => createApplier(view, deps))
  const stopping = new AbortController()
  const toEnd = async () => {
    await startViews({ deps, appliers })
    void run(deps, appliers, ownsAll, stopping.signal)
    const last = (await log.readAll(null, 1_000_000)).at(-1)
    if (last !== undefined) await progress.waitFor(last.meta.game, last.position, 10_000)
    return 'ended' as const
  }
  const outcome = await Promise.race([toEnd(), mortality.death])
  stopping.abort()
  return { outcome, rankings, reports }
}

const inSmallBatches = (log: Log): Log => ({
  ...log,
  subscribe: (after, _limit, signal) => log.subscribe(after, BATCH, signal),
})

/** The decrypting log of the first suitable history. */
async function calmHistory(): Promise<Log> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const history = newHistory(seed)
    if (history.isHarsh || !THEMES.includes(history.theme)) continue
    const { world, cluster, defects } = history
    await world.scheduler.underItsTime(() => playHistory(history))
    cluster.end()
    const events = await world.log.readAll(null, 1_000_000)
    if (events.length < EVENTS.least || events.length > EVENTS.most) continue
    const types = new Set(events.map(({ type }) => type))
    if (types.size < TYPES_LEAST || !types.has('ScoreSubmitted')) continue
    expect(defects).to.deep.equal([])
    return sealLog(world.log, sealVault(world.vault, world.masters.keys()), PERSONAL_FIELDS)
  }
  throw new Error(`none of ${SEEDS} histories is one to crash in`)
}

/** The log of a board that becomes one of totals between submissions. */
async function logOfTotals(): Promise<Log> {
  const world = new RulesWorld(new Random(1))
  await world.begin()
  for (let n = 0; n < SUBMISSIONS; n++) await world.submit()
  await world.requestOtherRules(TOTALS)
  for (let n = 0; n < SUBMISSIONS; n++) await world.submit()
  await world.finish()
  for (let n = 0; n < SUBMISSIONS; n++) {
    await world.submit()
    if (n % DELETED_EVERY === DELETED_EVERY - 1) await world.deleteOne()
  }
  return world.log
}

for (const [what, make, pointsMax] of [
  ['a history', calmHistory, POINTS_MAX],
  // A short log, in which few writes are of a total that changes again.
  ['changes to totals', logOfTotals, 5 * POINTS_MAX],
] as const) {
  describe(`a crash at any view write of ${what}`, () => expectRecoveries(make, pointsMax))
}

function expectRecoveries(make: () => Promise<Log>, pointsMax: number): void {
  let log: Log
  let rebuilt: Rebuilt

  before(async function () {
    this.timeout(30_000)
    log = await make()
    rebuilt = await rebuild(log)
  })

  async function expectRecovery(views: Views, what: string): Promise<void> {
    const immortal = new Mortality(Number.POSITIVE_INFINITY, false)
    const { outcome, rankings, reports } = await live(log, views, immortal, true)
    expect(outcome, what).to.equal('ended')
    expect(reports, what).to.deep.equal([])
    expect(await rebuiltDifferences(views, log, rebuilt), what).to.deep.equal([])
    for (const key of rebuilt.keys) {
      expect(await sortKeysOf(rankings, key), what).to.deep.equal(await sortKeysOf(rebuilt.rankings, key))
    }
    const last = (await log.readAll(null, 100_000)).reduce(
      (reached, { meta, position }) => reached.set(partitionOf(meta.game), position),
      new Map<number, string>(),
    )
    for (const view of ALL_VIEWS) {
      const checkpoints = await views.checkpoints(viewKey(view))
      for (const [partition, position] of last) {
        expect((checkpoints.get(partition)?.position ?? '') >= position, `${what}: ${viewKey(view)}`).to.equal(true)
      }
    }
  }

  for (const whole of [true, false]) {
    for (const mode of ['live', 'catching up']) {
      const kind = whole ? 'commits taken whole' : 'commits taken document by document'
      it(`leaves views from which a new node recovers (${mode}, ${kind})`, async function () {
        this.timeout(60_000)
        const dying = () => (mode === 'live' ? heardLive(log) : log)
        const counted = new Mortality(Number.POSITIVE_INFINITY, false)
        await live(dying(), createMemoryViews(), counted, whole)
        const least = mode === 'live' ? 20 : whole ? 2 : 50
        expect(counted.writes).to.be.at.least(least)
        const step = Math.ceil(counted.writes / pointsMax)
        for (let write = 0; write < counted.writes; write += step) {
          for (const after of [false, true]) {
            const views = createMemoryViews()
            const what = `died ${after ? 'after' : 'before'} write ${write} of ${counted.writes}`
            const { outcome } = await live(dying(), views, new Mortality(write, after), whole)
            expect(outcome, what).to.equal('died')
            await expectRecovery(views, what)
          }
        }
      })
    }
  }
}
