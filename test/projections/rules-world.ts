// A board whose rules and seasons change while players submit, are banned, renamed and deleted. It runs the decisions
// of commands, cuts build ranges where the test asks for it, and keeps a plain model of everything submitted.

import { randomUUID } from 'node:crypto'
import type { CommandContext, CommitPosition } from '../../commands/command-context.ts'
import { createHandler } from '../../commands/handle.ts'
import { type Rules, rulesOf } from '../../domain/board-rules.ts'
import type { Aggregate, Decision, DomainEvent } from '../../domain/decider.ts'
import { type EventReference, sameReference } from '../../domain/event.ts'
import { createLeaderboard, type Leaderboard, leaderboard } from '../../domain/leaderboard.ts'
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
import type { SeasonSchedule } from '../../domain/season-schedule.ts'
import { closeEndedSeason, type SeasonEvent, setSchedule } from '../../domain/seasons.ts'
import { deleteScore, standing, submitScore } from '../../domain/standing.ts'
import type { Log } from '../../stores/contract/log.ts'
import { historyOf } from '../memory/history.ts'
import { createMemoryLog } from '../memory/log.ts'
import type { Random } from '../random.ts'
import { anyKeep, decimal } from '../simulation/callers/boards.ts'
import { Model, newBoard, type Sent } from '../simulation/model/model.ts'
import { isCounted } from '../simulation/model/rules.ts'
import { type Joined, SeasonModel } from '../simulation/model/seasons.ts'

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

/** A submission, and what it is answered of its season; null: none was open. */
export interface RecordedSubmission {
  readonly player: string
  readonly revision: number
  readonly time: string
  readonly written: CommitPosition | null
  readonly joined: Joined | null
}

export class RulesWorld {
  readonly log: Log = createMemoryLog()
  readonly model = new Model()
  readonly seasons = new SeasonModel(this.model, BOARD)
  readonly #history = historyOf(this.log)
  readonly #handler = createHandler(this.log)
  readonly #random: Random
  /** The last one; null before the first. */
  submitted: RecordedSubmission | null = null
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
    this.model.boards.set(BOARD, newBoard({ game: GAME, name: 'B', rules }))
    this.model.seasons.set(BOARD, this.seasons)
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
    if (roll < 78) return this.#changeSeasons()
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
    const aggregate = standing(rules, 'all')
    const { events, written } = await this.#execute(scoreStream(BOARD, player), aggregate, decision, BOARD, player)
    const [{ time, revision } = { time: '', revision: -1 }] = events
    const sent: Sent = { id, board: BOARD, player, score, secondary, extra, playerName, time }
    this.submitted = { player, revision, time, written, joined: this.model.record(sent) }
  }

  /** Another schedule or none, or the end of a season: seldom at its time. */
  async #changeSeasons(): Promise<void> {
    const roll = this.#random.below(10)
    if (roll < 3 || !this.seasons.isOpen) {
      const schedule = { cron: this.#random.pick(['daily', '0 * * * *']), timeZone: 'Europe/Berlin' }
      return this.#setSchedule(roll === 0 ? null : schedule)
    }
    // Not to the end: others may record at or after it before the season is closed.
    const ends = (await this.board()).seasons?.open?.ends ?? ''
    if (roll < 7) this.#nowMs = Math.max(this.#nowMs, Date.parse(ends) - 3 + this.#random.below(5))
    else if (roll < 8) this.#nowMs += this.#random.pick([3_600_000, 86_400_000, -3_600_000])
    else if (roll < 9) {
      // The clock is ahead: the season ends before its end after all, and none follows.
      this.#nowMs = Date.parse(ends) + 10
      await this.submit()
      this.#nowMs = Date.parse(ends) - 1_000
      return this.#setSchedule(null)
    }
    await this.#changeBoard(closeEndedSeason(this.#nowMs))
  }

  async #setSchedule(schedule: SeasonSchedule | null): Promise<void> {
    const season = this.seasons.last + 1
    const next = { season, hasSubmissions: this.seasons.hasJoined(season) }
    await this.#changeBoard((state) => setSchedule(state as Leaderboard, schedule, this.#nowMs, next))
  }

  /** Seasons of an hour each, without a submission. */
  async passSeasons(count: number): Promise<void> {
    const hourly = { cron: '0 * * * *', timeZone: 'UTC' }
    await this.#setSchedule(hourly)
    for (let n = 0; n < count; n++) {
      this.#nowMs = Date.parse((await this.board()).seasons?.open?.ends ?? '') + 10
      await this.#changeBoard(closeEndedSeason(this.#nowMs))
    }
  }

  #noteSeasons(events: readonly { readonly type: string; readonly data: object }[]): void {
    for (const event of events as readonly SeasonEvent[]) {
      if (event.type === 'SeasonScheduleSet') this.seasons.schedule = event.data.schedule
      if (event.type === 'SeasonOpened') this.seasons.open(event.data)
      if (event.type === 'SeasonClosed') this.seasons.close(event.data.ends)
    }
    const { isOpen, endsAtOnce, last } = this.seasons
    if (isOpen && endsAtOnce) throw new Error(`season ${last} has submissions from before it began`)
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
    this.model.remove(goes)
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
      this.model.remove((one) => one.player === player)
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
      // A fold has no entries of seasons: submissions may have joined one that is not open yet.
      const isFolded = present.rules.unique && this.seasons.last === 0 && this.#random.chance(0.6)
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
  async requestOtherRules(rules: Rules = this.#someRules()): Promise<void> {
    if (running(await this.board()) !== null) await this.#changeBoard(cancelRuleChange)
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

  /** Clears every inactive generation. */
  async clearAll(): Promise<void> {
    for (const { generation, upTo: after } of (await this.board()).superseded) {
      const end = await this.#next(null, Number.MAX_SAFE_INTEGER)
      await this.#changeBoard(clearRange({ generation, after, upTo: end, until: end }))
    }
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

  async #changeBoard(decision: Decision<Leaderboard | null, RuleChangeEvent | SeasonEvent>): Promise<void> {
    await this.#execute(`board-${BOARD}`, leaderboard, decision, BOARD)
  }

  async #record(player: string, event: DomainEvent): Promise<void> {
    await this.#execute(`player-${player}`, NOTHING, () => [event], undefined, player)
  }

  async #execute<State, Event extends DomainEvent>(
    stream: string,
    aggregate: Aggregate<State, Event>,
    decision: Decision<State, Event>,
    board?: string,
    player?: string,
  ) {
    // A clock may step back. The times of a stream do not.
    this.#nowMs += this.#random.pick([0, 0, 1, 1, 1, 1, 1, 1, 2, -5])
    const about = {
      stream,
      game: GAME,
      ...(board === undefined ? {} : { board }),
      ...(player === undefined ? {} : { player }),
    }
    const handled = await this.#handler.handle(aggregate, about, this.#context(), decision)
    this.#noteSeasons(handled.events)
    return handled
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
