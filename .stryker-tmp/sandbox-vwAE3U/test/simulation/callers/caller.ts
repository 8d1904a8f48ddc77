// One caller of a simulated history: sends commands one after another, sends them again where nobody answered or just so,
// and reads; with a consistency token in hand, as far as it has one.

import { keyedIds } from '../../../credentials/command-ids.ts'
import { Refusal } from '../../../domain/decider.ts'
import { type Position, unsafeCast } from '../../../domain/event.ts'
import { findBoard } from '../../../queries/leaderboard.ts'
import { listScores, UNFILTERED } from '../../../queries/scores/list.ts'
import { findScore } from '../../../queries/scores/one.ts'
import type { ScoresQuery } from '../../../queries/scores/query.ts'
import type { History, Outcome, PageRead, Sending } from '../history.ts'
import type { Model } from '../model/model.ts'
import { KEYS, type Running } from '../world/node.ts'
import type { Call, Known, Ran, SimCommand } from './command.ts'
import { COMMANDS, type Theme } from './commands.ts'
import { submitScore } from './scores.ts'

const CALLS_LEAST = 6
const TRIES = 8
const THEMES = ['games', 'boards', 'people', 'files'] as const
/** How often what a history is not about is drawn. */
const BESIDE = 0.12
const RUSHES = 0.08
/** How often a call is sent again after others, whatever became of it, and of what it is about. */
const REPEATS = 0.06
const RIVALS_MAX = 7
/** Many a drawn command has nothing yet to be about. */
const DRAWS_MAX = 10
const BEHIND_MS = 2_000
/** How often all clocks go forward at once, and how far: past what lives for seconds, for minutes, and beyond. */
const LEAPS = 0.06
const LEAPS_MS = [1_500, 6_000, 65_000, 130_000, 600_000, 920_000]
/** How often a node looks whether something is due by time. */
const TICKS = 0.2
const UNKNOWN_CODES = new Set(['busy', 'behind', 'log_unavailable', 'views_moving', 'rankings_filling'])
/** The best of a board, with nothing asked for beside. */
export const PLAIN: ScoresQuery = { ...UNFILTERED, limit: 20, offset: 0, order: 'best' }
/** A window with everything in it. */
export const EVER = { since: '1970-01-01T00:00:00.000Z' }

export class Caller {
  readonly #history: History
  readonly #known: Known
  readonly #number: number
  /** Game -> position of this caller's last write there: what consistency tokens say. */
  readonly #wrote = new Map<string | null, Position>()

  constructor(history: History, known: Known, number: number) {
    this.#history = history
    this.#known = known
    this.#number = number
  }

  async live(): Promise<void> {
    const { random } = this.#history.world.scheduler
    const keyed: Sending[] = []
    const calls = CALLS_LEAST + random.below(this.#history.callsMost - CALLS_LEAST + 1)
    for (let n = 0; n < calls; n++) {
      await this.#history.world.scheduler.turn('')
      if (random.chance(0.25)) await this.#read()
      if (random.chance(0.1)) await this.#readScore()
      if (random.chance(LEAPS)) this.#history.world.scheduler.leap(random.pick(LEAPS_MS))
      if (random.chance(TICKS)) await this.#history.cluster.tick()
      const earlier = random.chance(REPEATS) ? random.any(keyed) : null
      if (earlier !== null) await this.#send(earlier)
      const sending = this.#draw(n)
      if (sending === null) continue
      // Sometimes many send the same at once, each for themselves.
      const rivals = random.chance(RUSHES) ? 1 + random.below(RIVALS_MAX) : 0
      const rush = Array.from({ length: rivals }, (_, rival) => this.#sendingOf(sending.call, `${n}.${rival}`))
      this.#history.sendings.push(sending, ...rush)
      await Promise.all([sending, ...rush].map((one) => this.#send(one)))
      if (sending.keyed && random.chance(0.3)) await this.#send(sending)
      if (sending.keyed) keyed.push(sending)
    }
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

  /** What may be drawn now, with its weight. */
  #commands(): readonly (readonly [SimCommand, number])[] {
    const { theme } = this.#history
    const { games, boards, players } = this.#known
    const isDuel = this.#history.isDuel && boards.length > 0 && players.length > 1
    const weigh = (of: Theme, factor: number) =>
      COMMANDS[of].map((one) => [one, one.weight * factor * (isDuel && one === submitScore ? 10 : 1)] as const)
    if (theme === null) return THEMES.flatMap((of) => weigh(of, 1))
    if (games.length === 0) return weigh('games', 1).slice(0, 1)
    const [, ...aboutGames] = weigh('games', BESIDE)
    return [...aboutGames, ...THEMES.flatMap((of) => (of === 'games' ? [] : weigh(of, of === theme ? 1 : BESIDE)))]
  }

  /** Until it is answered or refused; without a key a caller does not dare to send again. */
  async #send(sending: Sending): Promise<void> {
    const { random } = this.#history.world.scheduler
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const twin = sending.keyed && random.chance(0.1)
      const outcomes = await Promise.all([this.#attempt(sending), ...(twin ? [this.#attempt(sending)] : [])])
      if (outcomes.some((outcome) => outcome !== null && outcome.kind !== 'unknown')) return
      if (outcomes.some((outcome) => outcome?.kind === 'unknown') && !sending.keyed) return
    }
  }

  /** Null where it was not sent: the node was behind what this caller wrote. */
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
    const told = outcome.kind === 'answered' ? JSON.stringify(outcome.ran) : JSON.stringify(outcome)
    world.scheduler.note(`${who}: ${call.name}: ${told}`)
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
      const ran = await Promise.race([this.#carryOut(node, sending, nowMs), node.life.death])
      return ran === 'died' ? { kind: 'unknown' } : { kind: 'answered', ran }
    } catch (why) {
      if (why instanceof Refusal && !UNKNOWN_CODES.has(why.code)) return { kind: 'refused', code: why.code }
      const told = why instanceof Error ? why.stack : String(why)
      const { world } = this.#history
      if (!(why instanceof Refusal || world.isPlanted(why))) world.defect(`${sending.call.name} failed: ${told}`)
      return { kind: 'unknown' }
    }
  }

  /** As http/pipeline/idempotency.ts does; but nothing keeps two of one call from running at once. */
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
      // Ids and secrets follow from the command's id, as they would from an Idempotency-Key.
      generator: keyedIds(KEYS.generator, '', null, command).generator,
    }
    return call.run(node, context, this.#known)
  }

  async #caughtUp(node: Running): Promise<boolean> {
    for (const [game, position] of this.#wrote) {
      const came = await Promise.race([node.progress.waitFor(game, position, BEHIND_MS), node.life.death])
      if (came !== true) return false
    }
    return true
  }

  /** This caller's last write in the game that a call is about: what was waited for, and is to be seen. */
  #wroteTo({ args }: Call): Position | null {
    const { game, board } = unsafeCast<{ readonly game?: string; readonly board?: string }>(args)
    const about = game ?? this.#known.boards.find(({ id }) => id === board)?.game ?? null
    return this.#wrote.get(about) ?? null
  }

  #head(): Promise<Position | null> {
    return this.#history.world.log.head()
  }

  /** A page of a board, which must show it as it stood at one moment: no earlier than what this caller wrote. */
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
    // Rows of a window may be of moments that lie close together: of these no more is asked than that they be answered, and
    // that the index which they leave behind is right in the end.
    if (random.chance(0.6)) {
      const window = { ...query, ...EVER, bestInside: random.chance(0.5) }
      await Promise.race([this.#page(node, known.id, window), node.life.death])
    }
    const reading = this.#page(node, known.id, query)
    const rows = await Promise.race([reading, node.life.death])
    if (rows !== 'died' && rows !== null) reads.push({ board: known.id, query, rows, from, to: await this.#head() })
  }

  /** One score by its id: it counts, with the answered value, or it does not. */
  async #readScore(): Promise<void> {
    const { world, cluster, looks } = this.#history
    const entry = world.scheduler.random.any(this.#known.entries)
    const game = this.#known.boards.find(({ id }) => id === entry?.board)?.game
    const node = await cluster.any()
    if (entry === null || game === undefined || !(await this.#caughtUp(node))) return
    const { id, board, player } = entry
    const from = this.#wrote.get(game) ?? null
    const reading = findScore(node.queries, id, game).catch((why: unknown) => {
      if (world.isPlanted(why)) return 'unanswered' as const
      throw why
    })
    const found = await Promise.race([reading, node.life.death])
    if (found === 'died' || found === 'unanswered') return
    const score = found?.entry.score ?? null
    const standing = (model: Model) => {
      const isThere = model.boards.get(board)?.archived === false && model.isShown(player)
      return (isThere && model.entriesOf(board, player).find((one) => one.id === id)?.score) || null
    }
    const holds = (model: Model) => standing(model) === score
    looks.push({ what: `score ${id} is ${score}`, holds, from, to: await this.#head() })
  }

  async #page(node: Running, id: string, query: Partial<ScoresQuery>): Promise<PageRead['rows'] | null> {
    try {
      const board = await findBoard(node.queries, id)
      if (board === null) return null
      const { rows } = await listScores(node.queries, board, { ...PLAIN, ...query })
      return rows.map(({ entry: { id, player, score }, rank }) => ({ id, player, score, rank }))
    } catch (why) {
      const isRefused = why instanceof Refusal && UNKNOWN_CODES.has(why.code)
      if (isRefused || this.#history.world.isPlanted(why)) return null
      throw why
    }
  }
}
