// Kills a server in the middle of calls with many submissions, and sends each call again, with rows that were refused
// corrected: every submission is recorded once, and answered as it was recorded, before the kill and after it.

import type { MadeGame } from '../front-door/game-fixtures.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import type { Body } from '../front-door/http-client.ts'
import { must } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'
import { gate, pause } from '../until.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'
import { answerFaults, BOARD_SETTINGS, extraDataOf, lastingPart, type Shows } from './recorded-answers.ts'
import { withStores } from './stores-of.ts'

const PLAYERS = 40
const ROWS = 60
/** Calls that run at the time of a kill. */
const CALLS = 4
export const SUBMISSIONS_A_KILL = ROWS * CALLS
const KILLED_AFTER_MS = ON_SERVERS ? 150 : 25
/** The share of rows that are refused at first. */
const WRONG = 0.1
const RETRY_EVERY_MS = 50
/** Scores of few values, so that many are equal; as decimals are exact, halves show a wrong sum. */
const SCORES = 8

export interface ManyKillsProof {
  readonly kills: number
  readonly submissions: number
  /** Calls that were answered before the kill. */
  readonly answered: number
  /** Rows that had been recorded before the kill, in calls without an answer. */
  readonly hadBeenRecorded: number
  readonly faults: readonly string[]
}

interface Row {
  readonly leaderboard: string
  readonly player: string
  score: string
  readonly extra_data: { readonly row: string }
  readonly idempotency_key?: string
}

interface Call {
  readonly key: string | null
  readonly rows: readonly Row[]
}

interface Proof {
  readonly kills: number
  readonly seed: number
  onProgress?(kills: number, submissions: number, faults: number): void
}

export async function proveManyKills({ kills, seed, onProgress }: Proof): Promise<ManyKillsProof> {
  const world = await openProcessWorld()
  const random = new Random(seed)
  const faults: string[] = []
  const shows = new Map<string, Shows>()
  const answers: { readonly name: string; readonly answer: string | null }[] = []
  let [answered, hadBeenRecorded] = [0, 0]
  try {
    const game = await makeGame(world)
    const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
    for (let kill = 0; kill < kills; kill++) {
      const boards: string[] = []
      for (const what of ['every', 'total', random.pick(['best', 'latest'] as const)] as const) {
        const board = await makeBoard(world, game, BOARD_SETTINGS[what])
        shows.set(board, what)
        boards.push(board)
      }
      const calls = Array.from({ length: CALLS }, (_, n) => callOf(random, `${kill} ${n}`, boards, players))
      const sending = calls.map((call) => send(world, game, call).catch(() => null))
      // In turn while nothing may be answered yet, and once some calls are.
      if (kill % 2 === 0) await pause(random.below(KILLED_AFTER_MS))
      else await answersOf(sending, 1 + random.below(CALLS - 1))
      await world.end('SIGKILL')
      const first = await Promise.all(sending)
      await world.begin()
      for (const [n, call] of calls.entries()) {
        const before: Body[] | null = first[n]?.body?.results ?? null
        if (before === null) hadBeenRecorded += await countOf(world, game, boards[0] ?? '', call)
        else answered++
        for (const row of call.rows) row.score = row.score.replace('x', '')
        const results = await untilAnswered(world, game, call)
        faults.push(...comparedAnswers(before, results, `kill ${kill}, call ${n}`))
        for (const [at, { extra_data }] of call.rows.entries()) {
          const result = results[at]
          answers.push({ name: extra_data.row, answer: 'code' in result ? result.code : lastingPart(result) })
        }
      }
      faults.push(...(await check(world, game, { kill, boards, calls })))
      onProgress?.(kill + 1, answers.length, faults.length)
    }
    const { code } = await world.leave()
    if (code !== 0) faults.push(`the last stop exited with ${code}`)
    const inStores = await withStores(world, async ({ log, views }) => [
      ...(await answerFaults(log, shows, answers)),
      ...(await rebuiltDifferences(views, log)),
    ])
    return { kills, submissions: answers.length, answered, hadBeenRecorded, faults: [...faults, ...inStores] }
  } finally {
    await world.close()
  }
}

/** Rows under keys of their own, or under the call's. */
function callOf(random: Random, name: string, boards: readonly string[], players: readonly string[]): Call {
  const isKeyed = random.chance(0.5)
  const rows = Array.from({ length: ROWS }, (_, n): Row => {
    const row = {
      leaderboard: random.pick(boards),
      player: random.pick(players),
      score: `${random.chance(WRONG) ? 'x' : ''}${(1 + random.below(SCORES)) / 2}`,
      extra_data: extraDataOf(`${name} ${n}`),
    }
    return isKeyed ? { ...row, idempotency_key: `row ${name} ${n}` } : row
  })
  return { key: isKeyed ? null : `call ${name}`, rows }
}

const send = (world: ProcessWorld, game: MadeGame, { key, rows }: Call) =>
  world.call('POST', `/api/gm/${game.id}/scores/`, {
    token: game.token,
    body: { submissions: rows },
    headers: key === null ? {} : { 'idempotency-key': key },
  })

/** Resolves after this many of the calls. */
async function answersOf(sending: readonly Promise<unknown>[], count: number): Promise<void> {
  const enough = gate()
  let left = count
  for (const one of sending) {
    void one.then(() => {
      left--
      if (left === 0) enough.open()
    })
  }
  await enough.opened
}

async function untilAnswered(world: ProcessWorld, game: MadeGame, call: Call): Promise<Body[]> {
  for (;;) {
    const answer = await send(world, game, call)
    if (answer.status === 200) {
      const results: Body[] = answer.body.results
      // The marker of a call that was killed holds its key for a while.
      if (results.every(({ code }) => code !== 'idempotency_in_progress')) return results
    } else if (answer.status !== 503 && answer.status !== 409) must(answer, 200)
    await pause(RETRY_EVERY_MS)
  }
}

/** A line for each row that is not recorded, or that was answered in another way before. */
function comparedAnswers(before: readonly Body[] | null, results: readonly Body[], what: string): string[] {
  return results.flatMap((result, at) => {
    if ('code' in result) return [`${what}, row ${at}: ${JSON.stringify(result)}`]
    const first = before?.[at]
    if (first === undefined || first.code === 'malformed' || lastingPart(first) === lastingPart(result)) return []
    return [`${what}, row ${at} was answered ${JSON.stringify(first)}, then ${JSON.stringify(result)}`]
  })
}

/** How many entries the board has that is not unique, of the players of a call. */
async function countOf(world: ProcessWorld, game: MadeGame, board: string, { rows }: Call): Promise<number> {
  const { count } = must(await world.call('GET', `/api/lb/${board}/score/?limit=1`, { token: game.token }), 200)
  return Math.min(count, rows.length)
}

interface Round {
  readonly kill: number
  readonly boards: readonly string[]
  readonly calls: readonly Call[]
}

/** The boards are read whole after a kill: every row is an entry once, and is in its player's total once. */
async function check(world: ProcessWorld, game: MadeGame, { kill, boards, calls }: Round): Promise<string[]> {
  const [every = '', totals = ''] = boards
  const rows = calls.flatMap((call) => call.rows)
  const sorted = (texts: readonly string[]) => texts.toSorted().join()
  const entries = (await allOf(world, game, every)).map(({ player, score }) => `${player} ${score}`)
  const due = rows.filter(({ leaderboard }) => leaderboard === every).map(({ player, score }) => `${player} ${score}`)
  const sums = new Map<string, number>()
  for (const { leaderboard, player, score } of rows) {
    if (leaderboard === totals) sums.set(player, (sums.get(player) ?? 0) + Number(score))
  }
  const dueTotals = [...sums].map(([player, sum]) => `${player} ${sum}`)
  const shown = (await allOf(world, game, totals)).map(({ player, score }) => `${player} ${score}`)
  return [
    ...(sorted(entries) === sorted(due)
      ? []
      : [`kill ${kill}: ${entries.length} entries, not ${due.length}, or others`]),
    ...(sorted(shown) === sorted(dueTotals) ? [] : [`kill ${kill}: totals ${sorted(shown)}, not ${sorted(dueTotals)}`]),
  ]
}

async function allOf(world: ProcessWorld, game: MadeGame, board: string): Promise<Body[]> {
  const rows: Body[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const path = `/api/lb/${board}/score/?limit=100&offset=${offset}`
    const page = must(await world.call('GET', path, { token: game.token }), 200)
    rows.push(...page.scores)
    offset = page.next_offset
  }
  return rows
}
