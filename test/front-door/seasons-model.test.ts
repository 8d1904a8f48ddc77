// Random histories of a leaderboard with seasons over HTTP, against a model of all submissions: every submission's
// answer, the rows of every season with both ranks, the list, and the recorded standings. Players are banned and
// deleted, scores are deleted, rules and schedules change, the clock steps in both directions, and the server restarts.

import { expect } from 'chai'
import { Random } from '../random.ts'
import { SEED, sized } from '../seeds.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { Model, newBoard, type Sent } from '../simulation/model/model.ts'
import { isCounted, type ModelRules } from '../simulation/model/rules.ts'
import { SeasonModel } from '../simulation/model/seasons.ts'
import { eventually } from '../until.ts'
import { type MadeGame, makeGame, makePlayer } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { openLines } from './lines.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

/** On servers a history takes many times as long. */
const HISTORIES = ON_SERVERS ? 3 : sized(3, 8)
const STEPS = 80
const HOUR_MS = 3_600_000
/** An event takes its stream's last time if that is at most this far ahead of the clock. */
const LEAD_MS = 60_000
const SCORES = ['0', '1', '1.5', '2', '-3', '10']
const SCHEDULES = [
  { cron: '0 * * * *', time_zone: 'UTC' },
  { cron: '30 * * * *', time_zone: 'Asia/Kolkata' },
]
const KEEPS = ['best', 'latest', 'total'] as const

interface Rows {
  readonly season: number
  readonly rows: unknown
}

class Play {
  readonly #world: World
  readonly #random: Random
  readonly #model = new Model()
  readonly #players: string[] = []
  #game: MadeGame
  #token = ''
  #board = ''
  #seasons = new SeasonModel(this.#model, '')
  #createdMs = 0
  readonly #lastMs = new Map<string, number>()

  constructor(world: World, game: MadeGame, seed: number) {
    this.#world = world
    this.#game = game
    this.#random = new Random(seed)
  }

  async run(): Promise<void> {
    await this.#begin()
    for (let step = 0; step < STEPS; step++) {
      await this.#step()
      if (this.#random.chance(0.1)) await this.#check()
    }
    await this.#check()
    await this.#checkStandings()
  }

  async #begin(): Promise<void> {
    this.#token = await tokenOf(this.#world, this.#game.server)
    const rules = this.#someRules()
    const body = { name: 'Board', ...wire(rules), seasons: SCHEDULES[0] }
    const made = must(await this.#call('POST', `/api/gm/${this.#game.id}/lb/`, body), 201)
    this.#board = made.id
    this.#createdMs = this.#world.clock.nowMs
    this.#model.boards.set(this.#board, newBoard({ game: this.#game.id, name: 'Board', rules }))
    this.#seasons = new SeasonModel(this.#model, this.#board)
    this.#model.seasons.set(this.#board, this.#seasons)
    this.#seasons.open((await this.#listed())[0])
    for (const name of ['Ada', 'Bob', 'Cyd', 'Dan']) await this.#addPlayer(name)
  }

  async #addPlayer(name: string): Promise<void> {
    const id = await makePlayer(this.#world, { ...this.#game, token: this.#token }, name)
    const person = { game: this.#game.id, guest: false, externalId: null, created: '', name, banned: null }
    this.#model.players.set(id, { ...person, links: [], takenOver: null, signOuts: 0 })
    this.#players.push(id)
  }

  #step(): Promise<void> {
    const roll = this.#random.below(100)
    if (roll < 60) return this.#submit()
    if (roll < 68) return this.#changePlayer()
    if (roll < 74) return this.#deleteScore()
    if (roll < 86) return this.#end()
    if (roll < 90) return this.#changeRules()
    if (roll < 95) return this.#changeSchedule()
    if (roll < 98) return this.#stepClock()
    return this.#restart()
  }

  /** A random player who may play, with their submissions of the season after one more. */
  async #submit(): Promise<void> {
    this.#world.clock.nowMs += this.#random.pick([0, 1, 1, 1_000])
    const player = this.#random.pick(this.#players)
    if (!this.#model.isShown(player)) return
    const rules = this.#model.rules(this.#board)
    const [score, secondary] = [this.#random.pick(SCORES), this.#random.pick([null, null, '1'])]
    const answer = await this.#call('POST', `/api/lb/${this.#board}/score/`, {
      player,
      score,
      secondary_score: secondary,
    })
    if (!isCounted(rules, { score, secondary })) return void expect(answer.status).to.equal(422)
    const time = this.#timeOf(player)
    const id = `s${this.#lastMs.size}-${this.#model.sent.length}-${this.#random.below(1e9)}`
    const sent: Sent = { id, board: this.#board, player, score, secondary, extra: null, playerName: null, time }
    const joined = this.#model.record(sent)
    if (joined === null) return void expect(answer.body.season).to.equal(null)
    expect(answer.body.season).to.deep.equal({ ...joined, rank: this.#seasons.rankOf(joined.season, player) })
  }

  #timeOf(player: string): string {
    const { nowMs } = this.#world.clock
    const earlier = [this.#lastMs.get(player) ?? 0, this.#createdMs].filter((ms) => ms - nowMs <= LEAD_MS)
    const time = Math.max(nowMs, ...earlier)
    this.#lastMs.set(player, time)
    return new Date(time).toISOString()
  }

  async #changePlayer(): Promise<void> {
    const player = this.#random.pick(this.#players)
    const present = this.#model.players.get(player)
    const path = `/api/gm/${this.#game.id}/players/${player}/`
    if (present === undefined) return
    if (this.#random.chance(0.2)) {
      must(await this.#call('DELETE', path), 200)
      this.#model.players.delete(player)
      this.#model.remove((one) => one.player === player)
      this.#players.splice(this.#players.indexOf(player), 1)
      await this.#addPlayer('New')
    } else if (present.banned === null) {
      must(await this.#call('POST', `${path}ban/`, {}), 200)
      present.banned = { since: '', until: null, reason: null }
    } else {
      must(await this.#call('POST', `${path}unban/`, {}), 200)
      present.banned = null
    }
  }

  async #deleteScore(): Promise<void> {
    const page = must(await this.#call('GET', `/api/lb/${this.#board}/score/?limit=100`), 200)
    const row = this.#random.any(page.scores as Body[])
    if (row === null) return
    const { unique } = this.#model.rules(this.#board)
    const isIt = ({ player, score, secondary, time }: Sent) =>
      player === row.player &&
      (unique || (score === row.score && secondary === row.secondary_score && time === row.updated))
    const gone = this.#model.sent.filter(isIt)
    // Of several equal ones, no answer says which one it is.
    if (!unique && gone.length > 1) return
    must(await this.#call('DELETE', `/api/score/${row.id}/`), 200)
    this.#timeOf(row.player)
    this.#model.remove(isIt)
  }

  /** The open season ends. Some submissions are made before it is closed, or after. */
  async #end(): Promise<void> {
    if (!this.#seasons.isOpen) return
    const [open] = await this.#listed()
    this.#world.clock.nowMs = Math.max(this.#world.clock.nowMs, Date.parse(open?.ends))
    await this.#renew()
    for (let n = this.#random.below(3); n > 0; n--) await this.#submit()
    await this.#untilClosed(open?.season)
    this.#seasons.close()
    this.#seasons.open((await this.#listed())[0])
    // Only one season is over: the clock moves less than an hour.
    expect(this.#seasons.last).to.equal(open?.season + 1)
  }

  #untilClosed = (season: number): Promise<void> =>
    eventually(async () => (await this.#listed()).some((one) => one.season === season && one.state === 'closed'))

  async #changeRules(): Promise<void> {
    const rules = this.#someRules()
    // A total that is out of range, or rules that are the same, start nothing.
    const answer = await this.#call('PUT', `/api/lb/${this.#board}/`, wire(rules))
    if (answer.status === 202) {
      await eventually(
        async () => must(await this.#call('GET', `/api/lb/${this.#board}/rebuild/`), 200).finished !== null,
      )
    } else must(answer, 200)
    const board = this.#model.boards.get(this.#board)
    if (board !== undefined) board.rules = rules
  }

  async #changeSchedule(): Promise<void> {
    const [newest] = await this.#listed()
    if (newest?.state === 'open' && this.#world.clock.nowMs >= Date.parse(newest.ends)) return
    const wanted = this.#random.pick([...SCHEDULES, null])
    must(await this.#call('PUT', `/api/lb/${this.#board}/`, { seasons: wanted }), 200)
    const [after] = await this.#listed()
    const hasOpened = after?.season !== newest?.season
    const hasClosed = after?.state !== 'open' || hasOpened
    if (this.#seasons.isOpen && hasClosed) {
      this.#seasons.close()
      await this.#untilClosed(newest?.season)
    }
    if (hasOpened) this.#seasons.open(after)
  }

  async #stepClock(): Promise<void> {
    this.#world.clock.nowMs -= this.#random.pick([10, 30_000, HOUR_MS / 4])
    await this.#renew()
  }

  async #restart(): Promise<void> {
    await this.#world.restart()
    await this.#renew()
  }

  async #renew(): Promise<void> {
    this.#token = await tokenOf(this.#world, this.#game.server)
  }

  async #check(): Promise<void> {
    const listed = await this.#listed()
    expect(listed.map(({ season }) => season)).to.deep.equal(
      Array.from({ length: this.#seasons.last }, (_, at) => this.#seasons.last - at),
    )
    for (const { season, players, entries } of listed) {
      const { scores } = must(await this.#call('GET', `/api/lb/${this.#board}/score/?limit=100&season=${season}`), 200)
      const rows = (scores as Body[]).map(
        ({ player, score, secondary_score: second, updated, rank, final_rank: final }) => {
          return { player, score, second, updated, rank, final }
        },
      )
      const due = this.#seasons.rows(season)
      const expected = due.map(({ entry: { player, score, secondary: second, updated }, rank, finalRank: final }) => {
        return { player, score, second, updated, rank, final }
      })
      expect({ season, rows } satisfies Rows).to.deep.equal({ season, rows: expected })
      const counts = { players: new Set(due.map(({ entry }) => entry.player)).size, entries: due.length }
      expect({ players, entries }).to.deep.equal(counts)
    }
  }

  /** Each closed season has one, in order, as it was at the closing. */
  async #checkStandings(): Promise<void> {
    const path = `/api/gm/${this.#game.id}/events/?board=${this.#board}&type=SeasonStandingRecorded`
    const events: Body[] = await (await openLines(this.#world.port, path, this.#token)).all()
    const closed = (await this.#listed()).filter(({ state }) => state === 'closed').map(({ season }) => season)
    const due = closed.reverse().map((season) => ({ season, ...this.#seasons.standing(season) }))
    expect(events.map(({ data }) => data).sort((a, b) => a.season - b.season)).to.deep.equal(due)
  }

  async #listed(): Promise<Body[]> {
    return must(await this.#call('GET', `/api/lb/${this.#board}/seasons/?limit=100`), 200).seasons
  }

  #call(method: string, path: string, body?: unknown): Promise<Answered> {
    return this.#world.call(method, path, body === undefined ? { token: this.#token } : { token: this.#token, body })
  }

  #someRules(): ModelRules {
    const unique = this.#random.chance(0.7)
    const keep = unique ? this.#random.pick(KEEPS) : 'best'
    const minScore = this.#random.pick([null, null, '1'])
    return {
      ordering: this.#random.pick(['asc', 'desc'] as const),
      secondaryOrdering: this.#random.pick(['asc', 'desc'] as const),
      unique,
      ...(keep !== 'best' && { keep }),
      minScore,
      maxScore: null,
    }
  }
}

const wire = ({ ordering, secondaryOrdering, unique, keep, minScore, maxScore }: ModelRules) => ({
  ordering,
  secondary_ordering: secondaryOrdering,
  unique,
  keep: keep ?? 'best',
  min_score: minScore,
  max_score: maxScore,
})

describe('leaderboards with seasons over HTTP', () => {
  for (let n = 0; n < HISTORIES; n++) {
    const seed = SEED + n
    it(`answer as the model does, in a random history of seed ${seed}`, async () => {
      const world = await openWorld({ acceptsClock: true })
      try {
        world.clock.nowMs = Date.parse('2026-06-01T10:10:00.000Z')
        await new Play(world, await makeGame(world), seed).run()
      } finally {
        await world.close()
      }
    }).timeout(120_000)
  }
})
