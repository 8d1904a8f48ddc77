// A board whose rules change while players submit, are banned, renamed and deleted. It runs the decisions of commands,
// cuts build ranges where the test asks for it, and keeps a plain model of everything submitted.

import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { CommandContext } from '../../commands/command-context.ts'
import { createHandler } from '../../commands/handle.ts'
import { type Rules, rulesOf } from '../../domain/board-rules.ts'
import type { Aggregate, Decision, DomainEvent } from '../../domain/decider.ts'
import { type EventReference, sameReference } from '../../domain/event.ts'
import { createLeaderboard, type Leaderboard, leaderboard } from '../../domain/leaderboard.ts'
import { partitionOf } from '../../domain/partition.ts'
import {
  buildRange,
  cancelRuleChange,
  clearRange,
  finishRuleChange,
  type RuleChange,
  type RuleChangeEvent,
  requestRuleChange,
  running,
} from '../../domain/rule-change.ts'
import { scoreStream } from '../../domain/score.ts'
import { deleteScore, standing, submitScore } from '../../domain/standing.ts'
import { entries } from '../../projections/entries.ts'
import { leaderboards } from '../../projections/leaderboards.ts'
import { viewKey } from '../../projections/projection.ts'
import type { QueryDeps } from '../../queries/deps.ts'
import { type Preview, previewAnswer } from '../../queries/preview-answer.ts'
import { effectOfRules } from '../../queries/rule-effect.ts'
import { BoardReader } from '../../queries/scores/board-reader.ts'
import type { Ranked } from '../../queries/scores/entry.ts'
import { listRows } from '../../queries/scores/list.ts'
import { Windows } from '../../queries/windows/windows.ts'
import { rankingKey } from '../../ranking/key.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Log } from '../../stores/contract/log.ts'
import { historyOf } from '../memory/history.ts'
import { createMemoryLog } from '../memory/log.ts'
import { Random } from '../random.ts'
import { applyBreaking } from '../simulation/broken-writes.ts'
import { anyKeep, decimal } from '../simulation/callers/boards.ts'
import { PLAIN } from '../simulation/callers/caller.ts'
import { Model, type ModelEntry, type Sent } from '../simulation/model/model.ts'
import { isCounted } from '../simulation/model/rules.ts'
import { rebuild, rebuiltDifferences, sortKeysOf } from '../simulation/oracle/rebuilt.ts'
import { entriesInside, someWindows } from '../simulation/oracle/windows.ts'
import { prepareWorld } from './prepare-world.ts'
import { runToEnd, runWorld } from './run-world.ts'

export const GAME = 'g1'
export const BOARD = 'b1'
// The last ones do not count in a total.
const SCORES = [
  '-1.5',
  '0',
  '1',
  '1.000000000000000001',
  '2',
  '9',
  '10',
  '999999999999999999999999.9',
  '-1000000000000000000000000',
]
const SECONDARIES = [null, null, null, '-2', '-2', '3', '1000000000000000000000000']
const BOUNDS = [null, null, null, '0', '1', '9']
const PLAYERS = ['p1', 'p2', 'p3', 'p4']
const NOTHING: Aggregate<null, DomainEvent> = { name: 'nothing', initial: null, evolve: () => null }

export class RulesWorld {
  readonly log: Log = createMemoryLog()
  readonly model = new Model()
  readonly #history = historyOf(this.log)
  readonly #handler = createHandler(this.log)
  readonly #random: Random
  #nowMs = Date.UTC(2026, 0, 1)
  #ids = 0
  /** The last event of the fold for the running build; null if it is built event by event. */
  #foldEnd: EventReference | null = null

  constructor(random: Random) {
    this.#random = random
  }

  async begin(): Promise<void> {
    const rules = this.#someRules()
    await this.#execute(`board-${BOARD}`, leaderboard, createLeaderboard({ name: 'B', description: '', rules }), BOARD)
    this.model.boards.set(BOARD, {
      game: GAME,
      rules,
      name: 'B',
      key: null,
      description: '',
      archived: false,
      coming: null,
      wasRebuilt: false,
    })
    for (const player of PLAYERS) {
      await this.#record(player, { type: 'PlayerCreated', data: { name: player, externalId: null, guest: true } })
      const person = { game: GAME, guest: true, externalId: null, created: '', name: player, banned: null }
      const own = { ...person, links: [], takenOver: null, signOuts: 0 }
      this.model.players.set(player, own)
    }
  }

  /** Does one random thing. */
  async step(): Promise<void> {
    const roll = this.#random.below(100)
    if (roll < 50) return this.submit()
    if (roll < 62) return this.deleteOne()
    if (roll < 70) return this.#changePlayer()
    return this.#advanceRuleChange()
  }

  async submit(): Promise<void> {
    const rules = (await this.board()).rules
    const player = this.#random.pick(PLAYERS)
    const [score, secondary] = [this.#random.pick(SCORES), this.#random.pick(SECONDARIES)]
    if (!this.model.players.has(player) || !isCounted(rules, { score, secondary })) return
    const extra = this.#random.chance(0.3) ? `{"n":${this.#ids}}` : null
    const playerName = this.#random.chance(0.2) ? 'As given' : null
    const id = `s${this.#ids++}`
    const data = { id, score: decimal(score), secondary: secondary === null ? null : decimal(secondary) }
    const decision = submitScore(rules, { ...data, extra, playerName })
    const time = await this.#execute(scoreStream(BOARD, player), standing(rules, 'all'), decision, BOARD, player)
    const sent: Sent = { id, board: BOARD, player, score, secondary, extra, playerName, time }
    this.model.record(sent)
  }

  async deleteOne(): Promise<void> {
    const present = await this.board()
    // Sometimes a node does not know the active rules yet: it deletes under rules of the other kind.
    const isLate = present.generation > 1 && this.#random.chance(0.2)
    const otherKind = rulesOf({ ...present.rules, keep: 'best', unique: !present.rules.unique })
    const rules = isLate ? otherKind : present.rules
    const player = this.#random.pick(PLAYERS)
    const own = this.model.of(BOARD, player).filter((one) => isCounted(rules, one))
    const id = (rules.unique ? this.model.of(BOARD, player)[0] : this.#random.any(own))?.id
    if (own.length === 0 || id === undefined) return
    const decision = deleteScore(rules, id)
    await this.#execute(scoreStream(BOARD, player), standing(rules, 'all'), decision, BOARD, player)
    const goes = (one: Sent) => (rules.unique ? one.player === player : one.id === id)
    this.model.sent = this.model.sent.filter((one) => !goes(one))
  }

  /** A ban, its end, another name, or a deletion. */
  async #changePlayer(): Promise<void> {
    const player = this.#random.pick(PLAYERS)
    const present = this.model.players.get(player)
    if (present === undefined) return
    const roll = this.#random.below(10)
    if (roll === 0) {
      await this.#record(player, { type: 'PlayerDeleted', data: {} })
      this.model.players.delete(player)
      this.model.sent = this.model.sent.filter((one) => one.player !== player)
    } else if (roll < 5) {
      const name = `name ${this.#ids++}`
      await this.#record(player, { type: 'PlayerNamed', data: { name } })
      present.name = name
    } else if (present.banned === null) {
      await this.#record(player, { type: 'PlayerBanned', data: { until: null, reason: null } })
      present.banned = { since: '', until: null, reason: null }
    } else {
      await this.#record(player, { type: 'PlayerUnbanned', data: {} })
      present.banned = null
    }
  }

  /** Starts a rule change, builds more of one, ends it, or clears some of an inactive generation. */
  async #advanceRuleChange(): Promise<void> {
    const board = await this.board()
    const present = running(board)
    if (board.superseded.length > 0 && this.#random.chance(0.3)) return this.#clear(board)
    if (present === null)
      return this.#changeBoard((state) => requestRuleChange(state as Leaderboard, this.#someRules(), this.#id()))
    if (this.#random.chance(0.05)) return this.#changeBoard(cancelRuleChange)
    if (this.#random.chance(0.25)) return this.finish()
    const after = present.upTo
    if (after === null) {
      const isFolded = present.rules.unique && this.#random.chance(0.6)
      this.#foldEnd = isFolded ? await this.#next(null, Number.MAX_SAFE_INTEGER) : null
    }
    if (this.#foldEnd !== null)
      return void (await this.#buildFoldedRange(present, this.#foldEnd, 1 + this.#random.below(12)))
    const upTo = await this.#next(after, 1 + this.#random.below(12))
    if (upTo !== null) await this.#changeBoard(buildRange(present.id, { after, upTo, events: 1, total: 1 }))
  }

  /** Builds the next range of the fold, of at most `events` events. Returns the end of the range. */
  async #buildFoldedRange(
    { id, upTo: after }: RuleChange,
    foldEnd: EventReference,
    events: number,
  ): Promise<EventReference> {
    const page = await this.#part(after, events)
    const isLast = page.some((one) => sameReference(one, foldEnd))
    const upTo = isLast ? foldEnd : (page.at(-1) ?? foldEnd)
    await this.#changeBoard(buildRange(id, { after, upTo, events: 1, total: 1, asOf: foldEnd }))
    if (isLast) this.#foldEnd = null
    return upTo
  }

  /** Requests other rules; cancels a running rule change first. */
  async requestOtherRules(): Promise<void> {
    if (running(await this.board()) !== null) await this.#changeBoard(cancelRuleChange)
    const rules = this.#someRules()
    await this.#changeBoard((state) => requestRuleChange(state as Leaderboard, rules, this.#id()))
  }

  async finish(): Promise<void> {
    const present = running(await this.board())
    if (present === null) return
    // A build that began with a fold also ends with it.
    const foldEnd = present.upTo === null ? null : this.#foldEnd
    const upTo =
      foldEnd === null ? present.upTo : await this.#buildFoldedRange(present, foldEnd, Number.MAX_SAFE_INTEGER)
    await this.#changeBoard(finishRuleChange(present.id, upTo))
    const board = this.model.boards.get(BOARD)
    if (board !== undefined) board.rules = present.rules
  }

  async #clear({ superseded, generation }: Leaderboard): Promise<void> {
    const doomed = this.#random.any(superseded)
    if (doomed === null || doomed.generation === generation) return
    const { generation: cleared, upTo: after } = doomed
    const end = await this.#next(null, Number.MAX_SAFE_INTEGER)
    const upTo = this.#random.chance(0.3) ? end : ((await this.#next(after, 1 + this.#random.below(12))) ?? end)
    await this.#changeBoard(clearRange({ generation: cleared, after, upTo, until: end }))
  }

  async #next(after: EventReference | null, count: number): Promise<EventReference | null> {
    return (await this.#part(after, count)).at(-1) ?? null
  }

  async #part(after: EventReference | null, count: number): Promise<EventReference[]> {
    const [from] = after === null ? [] : await this.log.readStream(after.stream, after.revision, 1)
    const page = await this.#history.part({ board: BOARD }, from?.position ?? null, count)
    return page.map(({ stream, revision }) => ({ stream, revision }))
  }

  async board(): Promise<Leaderboard> {
    const { after } = await this.#handler.handle(
      leaderboard,
      { stream: `board-${BOARD}`, game: GAME },
      this.#context(),
      () => [],
    )
    return after as Leaderboard
  }

  async #changeBoard(decision: Decision<Leaderboard | null, RuleChangeEvent>): Promise<void> {
    await this.#execute(`board-${BOARD}`, leaderboard, decision, BOARD)
  }

  async #record(player: string, event: DomainEvent): Promise<void> {
    await this.#execute(`player-${player}`, NOTHING, () => [event], undefined, player)
  }

  /** Returns the time of the recorded events. */
  async #execute<State, Event extends DomainEvent>(
    stream: string,
    aggregate: Aggregate<State, Event>,
    decision: Decision<State, Event>,
    board?: string,
    player?: string,
  ): Promise<string> {
    // A clock may step back. The times of a stream do not.
    this.#nowMs += this.#random.pick([0, 0, 1, 1, 1, 1, 1, 1, 2, -5])
    const about = {
      stream,
      game: GAME,
      ...(board === undefined ? {} : { board }),
      ...(player === undefined ? {} : { player }),
    }
    const { events } = await this.#handler.handle(aggregate, about, this.#context(), decision)
    return events[0]?.time ?? ''
  }

  #someRules(): Rules {
    const [a, b] = [this.#random.pick(BOUNDS), this.#random.pick(BOUNDS)]
    const [min, max] = a !== null && b !== null && Number(a) > Number(b) ? [b, a] : [a, b]
    const unique = this.#random.chance(0.7)
    return rulesOf({
      ordering: this.#random.pick(['asc', 'desc'] as const),
      secondaryOrdering: this.#random.pick(['asc', 'desc'] as const),
      unique,
      keep: unique ? anyKeep(this.#random) : 'best',
      minScore: min === null ? null : decimal(min),
      maxScore: max === null ? null : decimal(max),
    })
  }

  #id(): string {
    return `c${this.#ids++}`
  }

  #context(): CommandContext {
    const never = () => {
      throw new Error('no ids are generated here')
    }
    const nobody = { call: null, repeated: false, actor: null, request: null }
    return { ...nobody, command: randomUUID(), nowMs: this.#nowMs, generator: { id: never, secret: never } }
  }
}

const VIEWS = [entries, leaderboards]
const TIMES_BROKEN = 3
type Run = ReturnType<typeof runWorld>
const viewKeyOf = (name: string) => VIEWS.map(viewKey).find((key) => key.startsWith(`${name}@`)) ?? ''

const queriesOf = (world: RulesWorld, { deps: { views, rankings } }: Run): QueryDeps => {
  return { history: historyOf(world.log), views, rankings, viewKey: viewKeyOf }
}

async function startWorld(seed: number) {
  const random = new Random(seed)
  const world = new RulesWorld(random)
  const run = runWorld(VIEWS, { log: world.log })
  await prepareWorld(run)
  await world.begin()
  return { random, world, run, windows: windowsOf(world, run) }
}

/** Indexes of windows of any size, made at their first request. */
function windowsOf(world: RulesWorld, run: Run): Windows {
  const deps = { ...queriesOf(world, run), log: world.log, reached: () => world.log.head() }
  const onEvent = (what: string, _key: string, error?: unknown) => {
    if (what === 'failed') throw error
  }
  return new Windows(deps, { from: -1, maxBytes: 2 ** 30, atOnce: true, onEvent })
}

/** The seed decides where ranges are cut, how events are batched, and when everything is checked. */
export async function playRules(seed: number, steps: number): Promise<void> {
  const { random, world, run, windows } = await startWorld(seed)
  const checkAll = async () => {
    await check(world, run)
    for (let n = 0; n < WINDOWS; n++) await checkWindow(world, run, windows, random)
  }
  for (let step = 0; step < steps; step++) {
    await world.step()
    if (random.chance(0.1)) await runToEnd(run)
    if (random.chance(0.03)) await checkAll()
  }
  await world.finish()
  await checkAll()
  await windows.stop()
}

/**
 * Applies the log of such a history with writes that fail part way, some times, and compares the views with rebuilt
 * ones. Returns the number of failed writes.
 */
export async function playBrokenWrites(seed: number, steps: number): Promise<number> {
  const { random, world, run } = await startWorld(seed)
  for (let step = 0; step < steps; step++) await world.step()
  await world.finish()
  await check(world, run)
  const rebuilt = await rebuild(world.log, VIEWS)
  let breaks = 0
  for (let time = 0; time < TIMES_BROKEN; time++) {
    const tried = await applyBreaking(world.log, rebuilt, random)
    expect(tried.differences).to.deep.equal([])
    breaks += tried.breaks
  }
  return breaks
}

/** Previews other rules for a random board, then applies them and compares. */
export async function playPreview(seed: number, steps: number): Promise<void> {
  const { world, run } = await startWorld(seed)
  for (let step = 0; step < steps; step++) await world.step()
  await world.requestOtherRules()
  await runToEnd(run)
  const board = await boardOf(world)
  const requested = running(board.state)
  if (requested === null) throw new Error('no rule change was requested')
  const queries = queriesOf(world, run)
  const effect = await effectOfRules(queries, {
    maxBytes: 2 ** 27,
    board,
    rules: requested.rules,
    upTo: await world.log.head(),
    slices: new TimeSlices(),
  })
  const { preview } = await previewAnswer(queries, effect, null)
  const before = world.model.ranking(BOARD)
  await world.finish()
  await check(world, run)
  expect(preview).to.deep.equal(actualMoves(world, before, world.model.ranking(BOARD)))
}

function actualMoves({ model }: RulesWorld, before: readonly ModelEntry[], after: readonly ModelEntry[]): Preview {
  const rankIn = (rows: readonly ModelEntry[], player: string) => {
    const at = rows.findIndex((row) => row.player === player)
    return at < 0 ? null : at + 1
  }
  const behind = Math.max(before.length, after.length) + 1
  const moved = [...new Set([...before, ...after].map(({ player }) => player))]
    .map((player) => ({ player, before: rankIn(before, player), after: rankIn(after, player) }))
    .filter((one) => one.before !== one.after)
    .sort((a, b) => {
      const [x, y] = [a, b].map((one) => [one.before ?? behind, one.after ?? behind]) as [number[], number[]]
      const distance = ([from = 0, to = 0]: number[]) => Math.abs(from - to)
      return distance(y) - distance(x) || Math.min(...x) - Math.min(...y) || (a.player < b.player ? -1 : 1)
    })
  const top = moved.map(({ player, before, after }) => {
    return { player, player_name: model.players.get(player)?.name ?? null, before, after }
  })
  return { entries_before: before.length, entries_after: after.length, changed: moved.length, top }
}

async function check(world: RulesWorld, run: Run): Promise<void> {
  await runToEnd(run)
  const { views, rankings } = run.deps
  expect(run.reports.parked).to.deep.equal([])
  const rebuilt = await rebuild(world.log, VIEWS)
  expect(await rebuiltDifferences(views, world.log, rebuilt)).to.deep.equal([])
  for (const key of rebuilt.keys) {
    expect(await sortKeysOf(rankings, key)).to.deep.equal(await sortKeysOf(rebuilt.rankings, key))
  }
  const board = await boardOf(world)
  const queries = queriesOf(world, run)
  const page = await listRows(new BoardReader(queries, board), { ...PLAIN, limit: 10_000 })
  const expected = rowsOf(world, world.model.ranking(BOARD))
  expect(page.rows.map(rowOf)).to.deep.equal(expected)
  const size = await rankings.of(viewKeyOf('entries'), partitionOf(GAME)).size(rankingKey(BOARD, board.generation))
  expect(size).to.equal(expected.length)
  for (const { player } of expected) {
    const best = await new BoardReader(queries, board).bestOf(player)
    expect(best?.id).to.equal(expected.find((row) => row.player === player)?.id)
  }
}

async function boardOf(world: RulesWorld) {
  const state = await world.board()
  return { id: BOARD, game: GAME, generation: state.generation, state }
}

const rowOf = ({ entry: { id, player, name, score, secondary, extra, added, updated }, rank }: Ranked) => {
  return { id, player, name, score, secondary, extra, added, updated, rank }
}

const rowsOf = ({ model }: RulesWorld, ranking: readonly ModelEntry[]) =>
  ranking.map((entry, i) => {
    const { id, player, score, secondary, extra, added, updated } = entry
    return { id, player, name: model.nameBeside(entry), score, secondary, extra, added, updated, rank: i + 1 }
  })

const WINDOWS = 3

/** Compares a window, counted and from an index, with and without `window=best`. */
async function checkWindow(world: RulesWorld, run: Run, windows: Windows, random: Random): Promise<void> {
  const board = await boardOf(world)
  const queries = queriesOf(world, run)
  for (const window of someWindows(random, world.model, BOARD)) {
    const expected = rowsOf(world, entriesInside(world.model, BOARD, window))
    for (const isIndexed of [false, true]) {
      const reader = new BoardReader(isIndexed ? { ...queries, windows } : queries, board)
      const { rows } = await listRows(reader, { ...PLAIN, limit: 10_000, ...window })
      expect(rows.map(rowOf), JSON.stringify({ ...window, isIndexed })).to.deep.equal(expected)
    }
  }
}
