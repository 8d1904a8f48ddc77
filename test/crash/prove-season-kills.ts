// Kills servers near the end of seasons, under load, with clocks that jump and seasons that end while nothing runs.
// Each season is closed once, in order, and its standing is recorded once. No submission is refused, lost or counted
// twice. Each is answered with the season that the log says, and every season is read as the model has it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MadeGame, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import type { Answered, Body } from '../front-door/http-client.ts'
import { handshake, must, tokenOf } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { EMBEDDED, type FreshStores, freshStoresBeside } from '../servers/store-urls.ts'
import { HOUR_MS, HOURLY } from '../simulation/model/happen-seasons.ts'
import type { Model } from '../simulation/model/model.ts'
import { rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'
import { same } from '../simulation/oracle/same.ts'
import { eventually, pause } from '../until.ts'
import { atRest } from './ledger.ts'
import { createProcessClock, type ProcessClock } from './process-clock.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'
import { extraDataOf } from './recorded-answers.ts'
import { type ReadLog, readSeasonLog } from './season-log.ts'
import { withStores } from './stores-of.ts'

const PLAYERS = 6
const CALLERS = 6
const BOARDS = [{}, { unique: false }, { keep: 'latest' }, { keep: 'total' }]
/** A kill is at most this far from the end of a season. */
const NEAR_MS = 1_000
/** The clocks of two nodes differ by this. */
const APART_MS = 3_000
/** By how much the clock of the nth node is ahead of the first one's. */
const aheadMsOf = (nth: number): number => nth * APART_MS
const DAY_MS = 24 * HOUR_MS
/** A node whose clock is further behind the newest event than a day records nothing. */
const ALMOST_A_DAY_MS = DAY_MS - 10_000
const PAGE = 100
const RETRY_EVERY_MS = 50
/** On servers a season ends once both clocks have passed its end: that of Redis is the machine's. */
const BEFORE_NOW_MS = 60 * DAY_MS
const CLOSED_WITHIN_MS = 10_000

/** What happens beside a kill: the clocks jump by so much while the server runs, or with `slept` while nothing does. */
const COURSES = [
  { jumpMs: 0, slept: false },
  { jumpMs: 0, slept: false },
  { jumpMs: HOUR_MS, slept: false },
  { jumpMs: -HOUR_MS, slept: false },
  { jumpMs: DAY_MS, slept: false },
  { jumpMs: -ALMOST_A_DAY_MS, slept: false },
  { jumpMs: 3 * HOUR_MS, slept: true },
] as const

export interface SeasonKillsProof {
  readonly kills: number
  readonly seasons: number
  readonly acknowledged: number
  /** Sent, not answered, and sent again with its key. */
  readonly retried: number
  /** The most milliseconds from a restart until every season that was over was closed. */
  readonly longestMs: number
  readonly faults: readonly string[]
}

interface Node {
  readonly world: ProcessWorld
  readonly clock: ProcessClock
  /** How far its clock is ahead of the first node's. */
  readonly aheadMs: number
}

interface Submission {
  readonly key: string
  readonly board: string
  readonly player: string
  readonly score: string
  answer: Answered | null
}

export async function proveSeasonKills(proof: {
  readonly kills: number
  readonly seed: number
  /** 0: one process with embedded stores; else as many nodes on servers. */
  readonly nodesOnServers: 0 | 1 | 2
  onProgress?(line: string): void
}): Promise<SeasonKillsProof> {
  const installation = await openInstallation(proof.nodesOnServers)
  try {
    const run = await SeasonKills.begin(installation.nodes, new Random(proof.seed))
    for (let kill = 1; kill <= proof.kills; kill++) {
      await run.kill(kill)
      proof.onProgress?.(
        `${kill} of ${proof.kills} kills, ${run.acknowledged} acknowledged, ${run.faults.length} faults ${run.faults.at(-1) ?? ''}`.trimEnd(),
      )
    }
    const seasons = await run.readAll()
    for (const { world } of installation.nodes) {
      const { code } = await world.leave()
      if (code !== 0) run.faults.push(`the last stop exited with ${code}`)
    }
    const [first] = installation.nodes
    if (first === undefined) throw new Error('there is no node')
    const faults = await withStores(first.world, async ({ log, views }) => [
      ...run.faults,
      ...run.judge(await readSeasonLog(log), seasons),
      ...(await rebuiltDifferences(views, log)),
    ])
    const { acknowledged, retried, longestMs } = run
    return { kills: proof.kills, seasons: seasons.length, acknowledged, retried, longestMs, faults }
  } finally {
    await installation.close()
  }
}

interface Installation {
  readonly nodes: readonly Node[]
  close(): Promise<void>
}

async function openInstallation(onServers: number): Promise<Installation> {
  const clocks: ProcessClock[] = []
  for (let n = 0; n < Math.max(1, onServers); n++) {
    clocks.push(await createProcessClock(Date.now() - BEFORE_NOW_MS + aheadMsOf(n)))
  }
  // The server of the log drops appends whose deadline is past by its own clock.
  const stores = await openStores(onServers > 0, () => Math.min(...clocks.map(({ nowMs }) => nowMs)))
  const dataDir = await mkdtemp(join(tmpdir(), 'scorebook-seasons-'))
  const nodes: Node[] = []
  const close = async () => {
    for (const { world } of nodes) await world.close()
    for (const clock of clocks) await clock.close()
    await rm(dataDir, { recursive: true, force: true })
    await stores.end()
  }
  try {
    for (const [n, clock] of clocks.entries()) {
      const shared = { dataDir, storeUrls: stores.storeUrls }
      const world = await openProcessWorld(clock.env, shared, 'pipe', () => clock.nowMs)
      nodes.push({ world, clock, aheadMs: aheadMsOf(n) })
    }
    return { nodes, close }
  } catch (failure) {
    await close()
    throw failure
  }
}

async function openStores(onServers: boolean, now: () => number): Promise<FreshStores> {
  if (!onServers) return { storeUrls: EMBEDDED, end: async () => {} }
  const eventStore = await startEventStore({ now })
  const { storeUrls, end } = await freshStoresBeside(eventStore)
  return {
    storeUrls,
    end: async () => {
      await end()
      await eventStore.stop()
    },
  }
}

/** A season as it was read. */
interface ReadSeason {
  readonly board: string
  readonly season: number
  readonly row: Body
  readonly rows: readonly Body[]
}

class SeasonKills {
  readonly #nodes: readonly Node[]
  readonly #random: Random
  readonly #game: MadeGame
  readonly #boards: readonly string[]
  readonly #players: readonly string[]
  #token: string
  #running = new Set<Node>()
  readonly #submissions: Submission[] = []
  readonly faults: string[] = []
  retried = 0
  longestMs = 0

  private constructor(nodes: readonly Node[], random: Random, game: MadeGame, boards: string[], players: string[]) {
    this.#nodes = nodes
    this.#random = random
    this.#game = game
    this.#token = game.token
    this.#boards = boards
    this.#players = players
    this.#running = new Set(nodes)
  }

  static async begin(nodes: readonly Node[], random: Random): Promise<SeasonKills> {
    const [first] = nodes
    if (first === undefined) throw new Error('there is no node')
    const { world } = first
    const game = await makeGame(world)
    const boards: string[] = []
    for (const [n, rules] of BOARDS.entries()) {
      const [{ cron, timeZone: time_zone }] = HOURLY
      const body = { name: `board ${n}`, ordering: 'desc', ...rules, seasons: { cron, time_zone } }
      boards.push(must(await world.call('POST', `/api/gm/${game.id}/lb/`, { token: game.token, body }), 201).id)
    }
    const players: string[] = []
    for (let n = 0; n < PLAYERS; n++) players.push(await makePlayer(world, game, `player ${n}`))
    return new SeasonKills(nodes, random, game, boards, players)
  }

  get acknowledged(): number {
    return this.#submissions.filter(({ answer }) => answer !== null).length
  }

  /** One kill near the end of the open season, and all until its consequences are over. */
  async kill(number: number): Promise<void> {
    const course = this.#random.pick(COURSES)
    const killed = this.#random.pick(this.#nodes)
    const endsMs = await this.#lastEndMs()
    await this.#setClocks(endsMs - 2 * NEAR_MS)
    await this.#renew()
    let isOver = false
    const before = this.#submissions.length
    const submitting = Promise.all(
      Array.from({ length: CALLERS }, (_, caller) => this.#submitUntil(() => isOver, `${number}-${caller}`)),
    )
    const killedAtMs = endsMs - NEAR_MS + this.#random.below(2 * NEAR_MS)
    if (!course.slept && course.jumpMs !== 0) {
      const jumpsAtMs = endsMs - NEAR_MS + this.#random.below(killedAtMs - endsMs + NEAR_MS + 1)
      await this.#untilClock(killed, jumpsAtMs)
      await this.#setClocks(killed.clock.nowMs - killed.aheadMs + course.jumpMs)
      await this.#untilClock(killed, killedAtMs + course.jumpMs)
    } else await this.#untilClock(killed, killedAtMs)
    this.#running.delete(killed)
    await killed.world.end('SIGKILL')
    isOver = true
    await submitting
    if (course.slept) await this.#setClocks(killed.clock.nowMs - killed.aheadMs + course.jumpMs)
    await killed.world.begin()
    this.#running.add(killed)
    const begunMs = performance.now()
    await this.#renew()
    const unanswered = this.#submissions.slice(before).filter(({ answer }) => answer === null)
    await Promise.all([this.#untilClosed(begunMs), this.#sendAgain(unanswered)])
  }

  /** Sets the clock of the first node; the others keep their distance. */
  async #setClocks(nowMs: number): Promise<void> {
    for (const { clock, aheadMs } of this.#nodes) await clock.set(nowMs + aheadMs)
  }

  #untilClock({ clock }: Node, ms: number): Promise<void> {
    return pause(Math.max(0, ms - clock.nowMs))
  }

  /** Gets a token from every node that runs. Each node has taken over the time of its clock by then. */
  async #renew(): Promise<void> {
    for (const { world } of this.#running) {
      await eventually(async () => (await atRest(() => handshake(world, this.#game.server))).status === 200)
      this.#token = await tokenOf(world, this.#game.server)
    }
  }

  async #submitUntil(isOver: () => boolean, name: string): Promise<void> {
    for (let n = 0; !isOver(); n++) {
      const submission: Submission = {
        key: `kill-${name}-${n}`,
        board: this.#random.pick(this.#boards),
        player: this.#random.pick(this.#players),
        score: `${this.#random.below(200) / 2}`,
        answer: null,
      }
      this.#submissions.push(submission)
      try {
        submission.answer = await this.#send(submission)
      } catch {
        // The server was killed.
        await pause(RETRY_EVERY_MS)
      }
    }
  }

  /** Repeats the call where a jump of the clock has ended the token, and while it seems to run on a killed node. */
  async #send({ key, board, player, score }: Submission): Promise<Answered> {
    const body = { player, score, extra_data: extraDataOf(key) }
    for (;;) {
      const node = this.#anyNode()
      const sent = { token: this.#token, body, headers: { 'idempotency-key': key } }
      const answer = await node.world.call('POST', `/api/lb/${board}/score/`, sent)
      if (answer.status === 401) await this.#renew()
      else if (answer.status !== 503 && answer.body?.code !== 'idempotency_in_progress') {
        if (answer.status >= 300) this.faults.push(`${key} was answered ${answer.status}: ${answer.text}`)
        return answer
      }
      await pause(RETRY_EVERY_MS)
    }
  }

  async #sendAgain(submissions: readonly Submission[]): Promise<void> {
    this.retried += submissions.length
    await Promise.all(
      submissions.map(async (one) => {
        one.answer = await this.#send(one)
      }),
    )
  }

  /** Waits until every season that is over by all clocks is closed and its standing is recorded. */
  async #untilClosed(fromMs: number): Promise<void> {
    const nowMs = Math.min(...this.#nodes.map(({ clock }) => clock.nowMs))
    for (const board of this.#boards) {
      await eventually(async () => {
        const listed = await this.#list(board)
        return listed.every(({ state, ends }) => state === 'closed' || (state === 'open' && Date.parse(ends) > nowMs))
      })
    }
    const tookMs = performance.now() - fromMs
    this.longestMs = Math.max(this.longestMs, Math.round(tookMs))
    if (tookMs > CLOSED_WITHIN_MS) this.faults.push(`seasons were closed after ${Math.round(tookMs)} ms`)
  }

  /** When the last of the newest seasons ends. */
  async #lastEndMs(): Promise<number> {
    const newest = await Promise.all(this.#boards.map(async (board) => (await this.#list(board))[0]))
    return Math.max(...newest.map((season) => Date.parse(season?.ends)))
  }

  async #list(board: string): Promise<Body[]> {
    return (await this.#get(`/api/lb/${board}/seasons/?limit=${PAGE}`)).seasons
  }

  #anyNode(): Node {
    const node = this.#random.any([...this.#running])
    if (node === null) throw new Error('no node runs')
    return node
  }

  async #get(path: string): Promise<Body> {
    const node = this.#anyNode()
    return must(await atRest(() => node.world.call('GET', path, { token: this.#token })), 200)
  }

  /** Every season of every leaderboard, page by page, once the open ones have begun long before their ends. */
  async readAll(): Promise<ReadSeason[]> {
    await this.#setClocks(await this.#lastEndMs())
    await this.#renew()
    await this.#untilClosed(performance.now())
    const found: ReadSeason[] = []
    for (const board of this.#boards) {
      for (const row of await this.#all(`/api/lb/${board}/seasons/?limit=${PAGE}`, 'seasons')) {
        const rows = await this.#all(`/api/lb/${board}/score/?season=${row.season}&limit=${PAGE}`, 'scores')
        found.push({ board, season: row.season, row, rows })
      }
    }
    return found
  }

  /** The rows of all pages. */
  async #all(path: string, field: string): Promise<Body[]> {
    const rows: Body[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Body = await this.#get(`${path}&offset=${offset}`)
      rows.push(...page[field])
      offset = page.next_offset
    }
    return rows
  }

  /** One line for each difference between the log, what was answered, and what was read. */
  judge({ model, faults, joined }: ReadLog, read: readonly ReadSeason[]): string[] {
    const wrong = [...faults]
    for (const { key, answer } of this.#submissions) {
      const [first, ...more] = joined.get(key) ?? []
      if (first === undefined) wrong.push(`${key} was answered ${answer?.text} and is lost`)
      else if (more.length > 0) wrong.push(`${key} is recorded ${more.length + 1} times`)
      const { season = null, improved } = answer?.body.season ?? {}
      const said = season === null ? null : { season, improved }
      if (first !== undefined && !same(said, first)) {
        wrong.push(`${key} was answered ${answer?.text} and joined ${JSON.stringify(first)}`)
      }
    }
    if (joined.size !== this.#submissions.length) {
      wrong.push(`the log has ${joined.size} submissions of ${this.#submissions.length}`)
    }
    const due = this.#boards.reduce((sum, board) => sum + (model.seasons.get(board)?.last ?? 0), 0)
    if (read.length !== due) wrong.push(`${read.length} seasons are listed of ${due}`)
    return [...wrong, ...read.flatMap((one) => differencesIn(model, one))]
  }
}

function differencesIn(model: Model, { board, season, row, rows }: ReadSeason): string[] {
  const seasons = model.seasons.get(board)
  if (seasons === undefined) return [`${board} has no seasons`]
  const isClosed = seasons.isClosed(season)
  const due = seasons.rows(season).map(({ entry, rank, finalRank }) => {
    const { id, player, score, added, updated } = entry
    return { id, player, score, added, updated, rank, final_rank: finalRank }
  })
  const shown = rows.map(({ id, player, score, added, updated, rank, final_rank }) => {
    return { id, player, score, added, updated, rank, final_rank }
  })
  const players = new Set(due.map(({ player }) => player)).size
  const head = { season, ...seasons.intervals[season - 1], players, entries: due.length, isRecorded: isClosed }
  const { starts, ends, state, players: counted, entries } = row
  const listed = { season, starts, ends, players: counted, entries, isRecorded: state === 'closed' }
  const what = `season ${season} of ${board}`
  return [
    ...(same(shown, due) ? [] : [`${what}: ${JSON.stringify(shown)} should be ${JSON.stringify(due)}`]),
    ...(same(listed, head)
      ? []
      : [`${what} is listed as ${JSON.stringify(row)} and should be ${JSON.stringify(head)}`]),
    ...(isClosed && !seasons.recorded.has(season) ? [`the standing of ${what} is not recorded`] : []),
  ]
}
