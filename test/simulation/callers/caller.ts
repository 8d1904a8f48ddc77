// One caller of a simulated history. It sends commands one after another, repeats unanswered ones and sometimes
// answered ones, and reads. Before each call it waits until the node has its last write, like a consistency token.

import { keyedIds } from '../../../credentials/command-ids.ts'
import { Refusal } from '../../../domain/decider.ts'
import { type Position, unsafeCast } from '../../../domain/event.ts'
import { findBoard } from '../../../queries/leaderboard.ts'
import { BoardReader } from '../../../queries/scores/board-reader.ts'
import { listRows, UNFILTERED } from '../../../queries/scores/list.ts'
import { findScore } from '../../../queries/scores/one.ts'
import type { ScoresQuery } from '../../../queries/scores/query.ts'
import type { History, Outcome, PageRead, Sending } from '../history.ts'
import { HOUR_MS } from '../model/happen-seasons.ts'
import type { Model } from '../model/model.ts'
import { KEYS, type Running } from '../world/node.ts'
import type { Call, Known, Ran, SimCommand } from './command.ts'
import { COMMANDS, SEASON_COMMANDS, type Theme } from './commands.ts'
import { submitScore } from './scores.ts'

const CALLS_LEAST = 6
const TRIES = 8
const THEMES = ['games', 'boards', 'people', 'files'] as const
/** How often a command outside the history's theme is drawn. */
const BESIDE = 0.12
const RUSHES = 0.08
/** How often an earlier call is sent again, whatever its outcome and whatever happened to its subject. */
const REPEATS = 0.06
const RIVALS_MAX = 7
/** Many drawn commands have no subject yet, so drawing is repeated. */
const DRAWS_MAX = 10
const BEHIND_MS = 2_000
/** How often all clocks jump forward, and by how much: past lifetimes of seconds, of minutes, and longer ones. */
const LEAPS = 0.06
const LEAPS_MS = [1_500, 6_000, 65_000, 130_000, 600_000, 920_000]
/** In histories with seasons: how often time jumps to the end of a season, and how far before or after it at most. */
const SEASON_ENDS = 0.08
const NEAR_END_MS = 1_500
/** How often a node runs one of its timed jobs, and how often it closes seasons in histories that have them. */
const TICKS = 0.2
const CLOSES = 0.2
const UNKNOWN_CODES = new Set(['busy', 'behind', 'log_unavailable', 'views_moving', 'rankings_filling'])
/** The top of a board, without filters. */
export const PLAIN: ScoresQuery = { ...UNFILTERED, limit: 20, offset: 0, order: 'best' }
/** A window that contains everything. */
export const EVER = { since: '1970-01-01T00:00:00.000Z' }

export class Caller {
  readonly #history: History
  readonly #known: Known
  readonly #number: number
  /** Game -> position of this caller's last write, as in a consistency token. */
  readonly #wrote = new Map<string | null, Position>()

  constructor(history: History, known: Known, number: number) {
    this.#history = history
    this.#known = known
    this.#number = number
  }

  async live(): Promise<void> {
    const { random } = this.#history.world.scheduler
    const keyed: Sending[] = []
    const calls = CALLS_LEAST + random.below(this.#history.maxCalls - CALLS_LEAST + 1)
    for (let n = 0; n < calls; n++) {
      await this.#history.world.scheduler.step('')
      if (random.chance(0.25)) await this.#read()
      if (random.chance(0.1)) await this.#readScore()
      if (random.chance(LEAPS)) this.#history.world.scheduler.leap(random.pick(LEAPS_MS))
      if (random.chance(TICKS)) await this.#history.cluster.runOneTimed()
      if (this.#history.hasSeasons) await this.#endSeasons()
      const earlier = random.chance(REPEATS) ? random.any(keyed) : null
      if (earlier !== null) await this.#send(earlier)
      const sending = this.#draw(n)
      if (sending === null) continue
      // Sometimes several copies of the call are sent at once, each as a call of its own.
      const rivals = random.chance(RUSHES) ? 1 + random.below(RIVALS_MAX) : 0
      const rush = Array.from({ length: rivals }, (_, rival) => this.#sendingOf(sending.call, `${n}.${rival}`))
      this.#history.sendings.push(sending, ...rush)
      await Promise.all([sending, ...rush].map((one) => this.#send(one)))
      if (sending.keyed && random.chance(0.3)) await this.#send(sending)
      if (sending.keyed) keyed.push(sending)
    }
  }

  async #endSeasons(): Promise<void> {
    const { world, cluster } = this.#history
    const { random, nowMs } = world.scheduler
    if (random.chance(SEASON_ENDS)) {
      const leftMs = HOUR_MS - (nowMs % HOUR_MS) - NEAR_END_MS + random.below(2 * NEAR_END_MS)
      world.scheduler.leap(Math.max(0, leftMs))
    }
    if (random.chance(CLOSES)) await cluster.runOneTimed('close_seasons')
  }

  #draw(n: number): Sending | null {
    const { random } = this.#history.world.scheduler
    const commands = this.#commands()
    for (let tries = 0; tries < DRAWS_MAX; tries++) {
      const call = random.weighted(commands, ([, weight]) => weight)[0].draw(random, this.#known)
      if (call !== null) return this.#sendingOf(call, `${n}`)
    }
    return null
  }

  #sendingOf(call: Call, n: string): Sending {
    const { command } = keyedIds(KEYS.generator, 'sk_test', `${this.#number}`, n)
    return { call, command, keyed: this.#history.world.scheduler.random.chance(0.7), attempts: [] }
  }

  /** The commands that may be drawn now, with their weights. */
  #commands(): readonly (readonly [SimCommand, number])[] {
    const { theme } = this.#history
    const { games, boards, players } = this.#known
    const isDuel = this.#history.isDuel && boards.length > 0 && players.length > 1
    const commandsOf = (of: Theme) =>
      of === 'boards' && this.#history.hasSeasons ? [...COMMANDS[of], ...SEASON_COMMANDS] : COMMANDS[of]
    const weigh = (of: Theme, factor: number) =>
      commandsOf(of).map((one) => [one, one.weight * factor * (isDuel && one === submitScore ? 10 : 1)] as const)
    if (theme === null) return THEMES.flatMap((of) => weigh(of, 1))
    if (games.length === 0) return weigh('games', 1).slice(0, 1)
    const [, ...aboutGames] = weigh('games', BESIDE)
    return [...aboutGames, ...THEMES.flatMap((of) => (of === 'games' ? [] : weigh(of, of === theme ? 1 : BESIDE)))]
  }

  /** Sends until the call is answered or refused. Without a key it is not sent again after an unknown outcome. */
  async #send(sending: Sending): Promise<void> {
    const { random } = this.#history.world.scheduler
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const twin = sending.keyed && random.chance(0.1)
      const outcomes = await Promise.all([this.#attempt(sending), ...(twin ? [this.#attempt(sending)] : [])])
      if (outcomes.some((outcome) => outcome !== null && outcome.kind !== 'unknown')) return
      if (outcomes.some((outcome) => outcome?.kind === 'unknown') && !sending.keyed) return
    }
  }

  /** Null if it was not sent because the node had not applied this caller's last write. */
  async #attempt(sending: Sending): Promise<Outcome | null> {
    const { world, cluster } = this.#history
    const began = world.scheduler.trace.length
    const node = await cluster.any()
    if (!(await this.#caughtUp(node))) return null
    const from = this.#wroteTo(sending.call)
    const [head, nowMs, beganMs] = [await this.#head(), node.now(), world.scheduler.nowMs]
    const who = `${this.#number} ${node.name}`
    const { call, command, keyed } = sending
    world.scheduler.note(`${who}: ${call.name} ${JSON.stringify(call.args)} ${keyed ? command : '-'}`)
    const outcome = await this.#outcome(node, sending, nowMs)
    const text = outcome.kind === 'answered' ? JSON.stringify(outcome.ran) : JSON.stringify(outcome)
    world.scheduler.note(`${who}: ${call.name}: ${text}`)
    const ended = { ended: world.scheduler.trace.length, endedMs: world.scheduler.nowMs, to: await this.#head() }
    sending.attempts.push({ outcome, began, from, head, nowMs, beganMs, ...ended })
    if (outcome.kind === 'answered' && outcome.ran.written !== null) {
      const { game, position } = outcome.ran.written
      if (position > (this.#wrote.get(game) ?? '')) this.#wrote.set(game, position)
    }
    return outcome
  }

  async #outcome(node: Running, sending: Sending, nowMs: number): Promise<Outcome> {
    try {
      const ran = await Promise.race([this.#carryOut(node, sending, nowMs), node.incarnation.death])
      return ran === 'died' ? { kind: 'unknown' } : { kind: 'answered', ran }
    } catch (error) {
      if (error instanceof Refusal && !UNKNOWN_CODES.has(error.code)) return { kind: 'refused', code: error.code }
      const text = error instanceof Error ? error.stack : String(error)
      const { world } = this.#history
      if (!(error instanceof Refusal || world.isPlanted(error))) world.defect(`${sending.call.name} failed: ${text}`)
      return { kind: 'unknown' }
    }
  }

  /** Like http/pipeline/idempotency.ts, but without its guard against concurrent copies of one call. */
  async #carryOut(node: Running, { call, command, keyed }: Sending, nowMs: number): Promise<Ran> {
    const { views, viewKey } = node.queries
    const [seen] = keyed ? await views.get(viewKey('commands'), 'commands', [command]) : []
    const context = {
      command,
      call: keyed ? JSON.stringify([call.name, call.args]) : null,
      repeated: seen !== null && seen !== undefined,
      actor: 'sk_test',
      request: null,
      nowMs,
      // Ids and secrets are derived from the command id, as they are from an Idempotency-Key.
      generator: keyedIds(KEYS.generator, '', null, command).generator,
    }
    return call.run(node, context, this.#known)
  }

  async #caughtUp(node: Running): Promise<boolean> {
    for (const [game, position] of this.#wrote) {
      const came = await Promise.race([node.progress.waitFor(game, position, BEHIND_MS), node.incarnation.death])
      if (came !== true) return false
    }
    return true
  }

  /** This caller's last write in the game of the call: the call must see at least that. */
  #wroteTo({ args }: Call): Position | null {
    const { game, board } = unsafeCast<{ readonly game?: string; readonly board?: string }>(args)
    const about = game ?? this.#known.boards.find(({ id }) => id === board)?.game ?? null
    return this.#wrote.get(about) ?? null
  }

  #head(): Promise<Position | null> {
    return this.#history.world.log.head()
  }

  /** Reads a page of a board. It must equal one state of the board, no older than this caller's last write. */
  async #read(): Promise<void> {
    const { world, cluster, reads } = this.#history
    const { random } = world.scheduler
    const known = random.any(this.#known.boards)
    const node = await cluster.any()
    if (known === null || !(await this.#caughtUp(node))) return
    const from = this.#wrote.get(known.game) ?? null
    const player = random.any(this.#known.players)?.id ?? null
    const around = random.chance(0.3) ? player : null
    const order = around === null && random.chance(0.3) ? 'worst' : 'best'
    const query = { order, limit: 1 + random.below(5), offset: around === null ? random.below(3) : 0, around } as const
    // Rows of a window may come from slightly different states. The page is not judged; only the index that the read
    // builds is, at the end.
    if (random.chance(0.6)) {
      const window = { ...query, ...EVER, shownInside: random.chance(0.5) }
      await Promise.race([this.#page(node, known.id, window), node.incarnation.death])
    }
    const reading = this.#page(node, known.id, query)
    const rows = await Promise.race([reading, node.incarnation.death])
    if (rows !== 'died' && rows !== null) reads.push({ board: known.id, query, rows, from, to: await this.#head() })
  }

  /** Reads one score by its id: either it counts with the answered value, or it does not count. */
  async #readScore(): Promise<void> {
    const { world, cluster, conditionChecks } = this.#history
    const entry = world.scheduler.random.any(this.#known.entries)
    const game = this.#known.boards.find(({ id }) => id === entry?.board)?.game
    const node = await cluster.any()
    if (entry === null || game === undefined || !(await this.#caughtUp(node))) return
    const { id, board, player } = entry
    const from = this.#wrote.get(game) ?? null
    const reading = findScore(node.queries, id, game).catch((error: unknown) => {
      if (world.isPlanted(error)) return 'unanswered' as const
      throw error
    })
    const found = await Promise.race([reading, node.incarnation.death])
    if (found === 'died' || found === 'unanswered') return
    const score = found?.entry.score ?? null
    const standing = (model: Model) => {
      const isThere = model.boards.get(board)?.archived === false && model.isShown(player)
      return (isThere && model.entriesOf(board, player).find((one) => one.id === id)?.score) || null
    }
    const holds = (model: Model) => standing(model) === score
    conditionChecks.push({ what: `score ${id} is ${score}`, holds, from, to: await this.#head() })
  }

  async #page(node: Running, id: string, query: Partial<ScoresQuery>): Promise<PageRead['rows'] | null> {
    try {
      const board = await findBoard(node.queries, id)
      if (board === null) return null
      const { rows } = await listRows(new BoardReader(node.queries, board), { ...PLAIN, ...query })
      return rows.map(({ entry: { id, player, score }, rank }) => ({ id, player, score, rank }))
    } catch (error) {
      const isRefused = error instanceof Refusal && UNKNOWN_CODES.has(error.code)
      if (isRefused || this.#history.world.isPlanted(error)) return null
      throw error
    }
  }
}
