// `scorebook demo`: creates a demo game through the public API, as a real game would: handshakes, guest sign-ins, and
// concurrent submissions that obey Retry-After. Ends with a report and commands to try next.

import pMap from 'p-map'
import { type Client, connect, type PlayerClient } from '../clients/javascript/connect.ts'
import type { Bucket } from '../clients/javascript/file-shapes.ts'
import type { RoomInfo } from '../clients/javascript/rooms.ts'
import type { Leaderboard } from '../clients/javascript/score-shapes.ts'
import type { MadeKey } from '../clients/javascript/shapes.ts'
import { asOperator } from './authenticated-clients.ts'
import { rulesText } from './board.ts'
import { aroundLines, scoreLines } from './board-scores.ts'
import { type Answer, does, type Shell } from './command.ts'
import { demoFiles, demoRooms, SAVES } from './demo-content.ts'
import {
  DEMO_BOARDS,
  type DemoClock,
  type DemoHour,
  type Dice,
  demoClock,
  demoHours,
  diceOf,
  drawScore,
  playerName,
  skillOf,
} from './demo-data.ts'
import { type DemoSeasons, demoSeasons } from './demo-seasons.ts'
import { startDemoServer } from './demo-server.ts'
import { UsageFault } from './failure.ts'
import { gamesWithKeys, keepGameKey, keepOtherKey } from './key-files.ts'
import { wholeNumber } from './paging.ts'
import { formatInteger, type ProgressBar, progressBar } from './progress.ts'
import type { Target } from './target.ts'
import { type Terminal, withExamples } from './terminal.ts'
import { textTable } from './text-table.ts'

const PLAYERS = '200'
const SCORES = '4000'
const PLAYERS_MAX = 10_000
const SCORES_MAX = 10_000_000
/** A guest's session ends after 30 days; the oldest score is one hour younger than that. */
const DAYS_MAX = 30
/** This many can be submitted within that hour. */
const SCORES_OF_DAYS_MAX = 100_000
const SIGN_INS_AT_ONCE = 16
const SUBMISSIONS_AT_ONCE = 64
/** A demo larger than the rate limits may have to wait long. */
const RETRY_MS = 10 * 60_000

interface DemoOptions {
  readonly players: string
  readonly scores: string
  readonly days?: string
}

export function demoCommand(shell: Shell): void {
  const command = shell.program
    .command('demo')
    .description('create a demo game: players, leaderboards of each kind, thousands of scores, files and rooms')
    .option('--players <n>', 'number of guests', PLAYERS)
    .option('--scores <n>', 'number of scores', SCORES)
    .option('--days <n>', 'spread the scores over the last n days; starts its own server on an empty data folder')
  withExamples(
    command,
    'demo',
    'demo --players 1000 --scores 50000',
    'demo --url http://127.0.0.1:9000',
    'demo --days 30',
  )
  does<DemoOptions>(shell, command, async ({ terminal, target, options }): Promise<Answer> => {
    const players = bounded('--players', options.players, PLAYERS_MAX)
    const days = options.days === undefined ? 0 : bounded('--days', options.days, DAYS_MAX)
    const scores = bounded('--scores', options.scores, days === 0 ? SCORES_MAX : SCORES_OF_DAYS_MAX)
    const clock = demoClock(days)
    const numbers = { players, scores, days, clock }
    if (days === 0) return demo(terminal, target, numbers)
    const server = await startDemoServer(terminal, target, options, clock.now)
    try {
      return await demo(terminal, { ...target, url: server.url }, numbers)
    } finally {
      await server.stop()
    }
  })
}

interface DemoNumbers {
  readonly players: number
  readonly scores: number
  readonly days: number
  readonly clock: DemoClock
}

async function demo(terminal: Terminal, target: Target, numbers: DemoNumbers): Promise<Answer> {
  const { players, scores, days, clock } = numbers
  const game = await makeGame(target, terminal, clock)
  const boards = await makeBoards(game)
  const work: Work = { terminal, clock, bar: null }
  const guests = await signIn(target, work, game, players)
  const seasons = demoSeasons(game.server, boards, clock)
  await sendScores(work, { boards, seasons }, guests, demoHours(days, scores, diceOf(days)))
  const bucket = await demoFiles(terminal, game.server, game.id, guests)
  const rooms = await demoRooms(terminal, { server: game.server, game: game.id, guests })
  const { columns } = terminal
  const made = { target, columns, game: game.id, client: game.server, boards, guests, bucket, rooms }
  return reportLines({ ...made, isServed: days === 0 })
}

function bounded(name: string, text: string, max: number): number {
  const value = wholeNumber(name, text)
  if (value >= 1 && value <= max) return value
  throw new UsageFault(`${name} must be from 1 to ${max}.`)
}

/** The current step. Its progress bar also shows waits. */
interface Work {
  readonly terminal: Terminal
  readonly clock: DemoClock
  bar: ProgressBar | null
}

interface DemoGame {
  readonly id: string
  readonly server: Client
  /** One client key of each algorithm, as a game ships them. */
  readonly clientKeys: readonly MadeKey[]
}

async function makeGame(target: Target, terminal: Terminal, { now }: DemoClock): Promise<DemoGame> {
  const operator = await asOperator(target, now)
  const { game, key } = await operator.createGame('Scorebook demo')
  const file = await keepGameKey(target.dataDir, game.id, key)
  terminal.err(`Created game ${game.id}; its server key is saved in ${file}`)
  const server = await connect({ baseUrl: target.url, key, patienceMs: RETRY_MS, now })
  const clientKeys = [
    await server.issueKey(game.id, { name: 'demo client', kind: 'client', algorithm: 'hmac-sha256' }),
    await server.issueKey(game.id, { name: 'demo client', kind: 'client', algorithm: 'ed25519' }),
  ]
  for (const clientKey of clientKeys) {
    const saved = await keepOtherKey(target.dataDir, game.id, clientKey)
    terminal.err(`A client key (${clientKey.algorithm}), as a game ships it, is saved in ${saved}`)
  }
  return { id: game.id, server, clientKeys }
}

async function makeBoards({ id, server }: DemoGame): Promise<Leaderboard[]> {
  const made: Leaderboard[] = []
  // Sequential: lists are ordered by creation.
  for (const { board } of DEMO_BOARDS) made.push(await server.createLeaderboard(id, board))
  return made
}

/** Answers the guests in the order of their names. They alternate between the two client keys. */
async function signIn(target: Target, work: Work, game: DemoGame, count: number): Promise<PlayerClient[]> {
  const bar = progressBar(work.terminal, 'Signing players in', count)
  work.bar = bar
  const onWait = (waitMs: number) => work.bar?.note(`waiting ${(waitMs / 1_000).toFixed(1)} s, as the server asks`)
  const { now } = work.clock
  const clients: Client[] = []
  for (const key of game.clientKeys) {
    clients.push(await connect({ baseUrl: target.url, key, patienceMs: RETRY_MS, onWait, now }))
  }
  const signInOne = async (at: number) => {
    const client = clients[at % clients.length] as Client
    const guest = await client.asGuest(game.id, { name: playerName(at) })
    bar.add()
    return guest
  }
  const guests = await pMap(Array(count).keys(), signInOne, { concurrency: SIGN_INS_AT_ONCE })
  bar.end()
  return guests
}

async function sendScores(
  work: Work,
  { boards, seasons }: { readonly boards: readonly Leaderboard[]; readonly seasons: DemoSeasons },
  guests: readonly PlayerClient[],
  hours: readonly DemoHour[],
): Promise<void> {
  const count = hours.reduce((sum, { scores }) => sum + scores, 0)
  const bar = progressBar(work.terminal, 'Submitting scores', count)
  work.bar = bar
  const dice: Dice = diceOf(count)
  const send = async () => {
    const who = Math.floor(dice() * guests.length)
    const which = Math.floor(dice() * boards.length)
    const [guest, board, demoBoard] = [guests[who], boards[which], DEMO_BOARDS[which]]
    if (guest === undefined || board === undefined || demoBoard === undefined) return
    await guest.submit(board.id, drawScore(demoBoard, skillOf(who), dice))
    bar.add()
  }
  for (const { agoMs, scores } of hours) {
    work.clock.setBehind(agoMs)
    await seasons.untilOpen()
    await pMap(Array(scores).keys(), send, { concurrency: SUBMISSIONS_AT_ONCE })
  }
  bar.end()
}

const TOP = 10
const AROUND = 5
const WEEK_MS = 7 * 86_400_000

interface DemoResult {
  readonly target: Target
  readonly columns: number
  readonly game: string
  readonly client: Client
  readonly boards: readonly Leaderboard[]
  readonly guests: readonly PlayerClient[]
  readonly isServed: boolean
  readonly bucket: Bucket | null
  readonly rooms: readonly RoomInfo[]
}

async function reportLines(result: DemoResult): Promise<Answer> {
  const { target, columns, game, client, boards, guests, bucket, rooms, isServed } = result
  const present = await Promise.all(boards.map(({ id }) => client.leaderboard(id)))
  const shown = present[0] as Leaderboard
  const top = await client.scores(shown.id, { limit: TOP })
  const middle = await client.scores(shown.id, { limit: 1, offset: Math.floor(shown.entries / 2) })
  const player = middle.scores[0]?.player ?? guests[0]?.player.id ?? ''
  const around = await client.scores(shown.id, { around: player, limit: AROUND })
  const name = around.scores.find(({ player: one }) => one === player)?.player_name ?? 'a player'
  const lines = [
    '',
    ...textTable(
      [
        { title: 'leaderboard' },
        { title: 'key' },
        { title: 'name' },
        { title: 'entries', align: 'right' },
        { title: 'rules', mayCut: true },
      ],
      present.map((board) => [board.id, board.key ?? '', board.name, formatInteger(board.entries), rulesText(board)]),
      columns,
    ),
    '',
    `Top ten of "${shown.name}":`,
    '',
    ...scoreLines(top.scores, columns),
    '',
    `Around ${name}:`,
    '',
    ...aroundLines(around, columns),
    '',
    ...(isServed ? [] : [`Start the server to see the game: ${target.invocation} serve`, '']),
    'Commands to try next:',
    ...(await nextLines(result, present, player)).map((line) => `  ${line}`),
  ]
  return { json: { game, leaderboards: present, players: guests.length, top, around, bucket, rooms }, lines }
}

async function nextLines(
  { target, game, bucket }: DemoResult,
  boards: readonly Leaderboard[],
  player: string,
): Promise<string[]> {
  const { invocation: command, dataDir } = target
  const [high, laps, runs, , experience, , weekly] = boards
  const weekAgo = new Date(Date.now() - WEEK_MS).toISOString().slice(0, 10)
  // Each demo game has leaderboards with these keys.
  const inGame = (await gamesWithKeys(dataDir)).length > 1 ? ` --game ${game}` : ''
  return [
    `${command} board top ${high?.key} --limit 20${inGame}`,
    `${command} board top ${runs?.key} --order newest --limit 5${inGame}`,
    `${command} board top ${experience?.key} --since ${weekAgo} --window best --limit 5${inGame}`,
    `${command} board around ${laps?.key} ${player}${inGame}`,
    `${command} board seasons ${weekly?.key}${inGame}`,
    `${command} score submit ${high?.key} 99999.000000000000000001 --player ${player}${inGame}`,
    `${command} board around ${high?.key} ${player} --limit 3${inGame}`,
    `${command} player list --name otter --game ${game}`,
    ...(bucket === null ? [] : [`${command} bucket ls ${bucket.id} ${SAVES}`]),
    `${command} rooms watch ${game}`,
  ]
}
