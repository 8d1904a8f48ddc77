// Imports files of scores, and kills the command, and the server under it, at random moments; each file is imported
// again until it is through. Every right row is recorded once, and every wrong one reported once, with its line.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pMap from 'p-map'
import { residentBytes } from '../../bench/support/memory.ts'
import type { ScoreSubmittedData } from '../../domain/score.ts'
import { type FaultyProxy, faultyProxy } from '../clients/story/faulty-proxy.ts'
import { builtProgram } from '../crash/build.ts'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { allEvents, BOARD_SETTINGS, type Shows } from '../crash/recorded-answers.ts'
import { withStores } from '../crash/stores-of.ts'
import { makeBoard } from '../front-door/game-fixtures.ts'
import { hmacSigner, must, tokenOf } from '../front-door/world.ts'
import { Random } from '../random.ts'
import { pause } from '../until.ts'
import { type FilePlayer, MAX_SCORE, type ScoreFile, writeScoreFile } from './score-file.ts'

const MIN_PLAYERS = 100
/** A repeated submission is answered from its player's stream: with few players in a large file, streams are very long. */
const ROWS_OF_PLAYER = 100
const MADE_AT_ONCE = 32
/** A file for each; the last one is not killed, and shows the rate of new rows. */
const BOARDS: readonly Shows[] = ['every', 'best', 'latest', 'total', 'every']
const LOOK_EVERY_MS = 20
/** What the command sends in one call. */
const ROWS_IN_A_CALL = 500
/** The kill comes so much later than an answer, at most: in the middle of the next call, or of what is between them. */
const KILLED_WITHIN_MS = 200
/** Some rows were refused. */
const SOME_REFUSED = 3
const AGAIN = 'run the same command again'

export interface ImportProof {
  readonly rows: number
  readonly wrong: number
  readonly kills: { readonly command: number; readonly server: number }
  /** New rows in a second, of the file that nothing interrupts. */
  readonly rate: number
  /** The highest resident memory, in bytes. */
  readonly peak: { readonly command: number; readonly server: number }
  readonly seconds: number
  readonly faults: readonly string[]
}

interface Proof {
  readonly rows: number
  readonly kills: number
  /** How many of the kills are of the server. */
  readonly ofServer: number
  readonly seed: number
  report?(line: string): void
}

export async function proveImport({ rows, kills, ofServer, seed, report = () => {} }: Proof): Promise<ImportProof> {
  const random = new Random(seed)
  const folder = await mkdtemp(join(tmpdir(), 'scorebook-import-'))
  const world = await openProcessWorld()
  // It counts calls, and its address stays when the server begins again.
  const proxy = await faultyProxy(() => `http://127.0.0.1:${world.port}`)
  const faults: string[] = []
  const peak = { command: 0, server: 0 }
  const began = performance.now()
  try {
    const { game, keyFile, players } = await makePlayers(world, folder, Math.max(MIN_PLAYERS, rows / ROWS_OF_PLAYER))
    const files = new Map<string, ScoreFile>()
    for (const [nth, shows] of BOARDS.entries()) {
      const board = await makeBoard(world, game, { ...BOARD_SETTINGS[shows], max_score: MAX_SCORE })
      const path = join(folder, `scores ${nth}.csv`)
      files.set(board, await writeScoreFile(path, Math.floor(rows / BOARDS.length), players, random))
    }
    const killed = Array.from({ length: kills }, (_, n) => ({
      file: n % (BOARDS.length - 1),
      isOfServer: n < ofServer,
    }))
    let rate = 0
    for (const [nth, [board, file]] of [...files].entries()) {
      const run = (kill: Kill | null) => importOf(world, proxy, { file, board, keyFile }, kill)
      for (const { isOfServer } of killed.filter((one) => one.file === nth)) {
        const ended = await untilKilled(run, file, isOfServer, random)
        note(peak, ended)
        if (isOfServer) await world.begin()
        faults.push(...faultsOfKilled(ended, isOfServer).map((fault) => `${file.path}: ${fault}`))
        report(`${file.path}: ${isOfServer ? 'the server' : 'the command'} was killed`)
      }
      const ended = await run(null)
      note(peak, ended)
      rate = file.rows / ended.seconds
      faults.push(...(await faultsOfWhole(file, ended)))
      report(`${file.path} is through: ${Math.round(rate)} rows/s in the last run, ${faults.length} faults`)
    }
    const { code } = await world.leave()
    if (code !== 0) faults.push(`the stop exited with ${code}`)
    faults.push(...(await withStores(world, ({ log }) => faultsOfLog(log, files))))
    const all = [...files.values()]
    return {
      rows: sum(all.map((file) => file.rows)),
      wrong: sum(all.map((file) => file.wrong.size)),
      kills: { command: kills - ofServer, server: ofServer },
      rate,
      peak,
      seconds: (performance.now() - began) / 1_000,
      faults,
    }
  } finally {
    await proxy.close()
    await world.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0)

async function makePlayers(world: ProcessWorld, folder: string, count: number) {
  const operator = await tokenOf(world, world.operator)
  const made = must(await world.call('POST', '/api/gm/', { token: operator, body: { name: 'Quest' } }), 201)
  const { prefix, secret } = made.key
  const keyFile = join(folder, 'key.json')
  await writeFile(keyFile, JSON.stringify({ prefix, secret, game: made.game.id }))
  const server = hmacSigner(prefix, secret)
  const game = { id: made.game.id as string, server, token: await tokenOf(world, server) }
  const make = async (_: unknown, n: number): Promise<FilePlayer> => {
    const body = { name: `player ${n}`, external_id: `account-${n}` }
    const { id } = must(await world.call('POST', `/api/gm/${game.id}/players/`, { token: game.token, body }), 201)
    return { id, externalId: body.external_id }
  }
  return { game, keyFile, players: await pMap(Array.from({ length: count }), make, { concurrency: MADE_AT_ONCE }) }
}

/** Comes some time after an answer. */
interface Kill {
  /** Answered calls of the run. */
  readonly calls: number
  readonly afterMs: number
  readonly isOfServer: boolean
}

/** A run may end before its kill; then another one is killed. */
async function untilKilled(
  run: (kill: Kill) => Promise<Ended>,
  { rows }: ScoreFile,
  isOfServer: boolean,
  random: Random,
): Promise<Ended> {
  for (;;) {
    const calls = 1 + random.below(Math.max(1, Math.floor(rows / ROWS_IN_A_CALL) - 1))
    const ended = await run({ calls, afterMs: random.below(KILLED_WITHIN_MS), isOfServer })
    if (ended.code !== SOME_REFUSED) return ended
  }
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly seconds: number
  readonly peak: ImportProof['peak']
}

interface Import {
  readonly file: ScoreFile
  readonly board: string
  readonly keyFile: string
}

async function importOf(
  world: ProcessWorld,
  proxy: FaultyProxy,
  { file, board, keyFile }: Import,
  kill: Kill | null,
): Promise<Ended> {
  const target = ['--leaderboard', board, '--key-file', keyFile, '--url', proxy.url]
  const args = ['score', 'import', file.path, ...target, '--json']
  proxy.passed.length = 0
  const answered = () => proxy.passed.filter(({ call }) => /^POST .*\/scores\/?$/.test(call)).length
  const began = performance.now()
  const child = spawn(process.execPath, [builtProgram(), ...args], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.on('data', (chunk) => out.push(String(chunk)))
  child.stderr.on('data', (chunk) => err.push(String(chunk)))
  const pid = child.pid ?? 0
  const peak = { command: 0, server: 0 }
  let left = kill
  let isOver = false
  const over = once(child, 'close').then(([code]) => {
    isOver = true
    return code as number | null
  })
  while (!isOver) {
    peak.command = Math.max(peak.command, peakOf(pid))
    peak.server = Math.max(peak.server, peakOf(world.pid))
    if (left !== null && answered() >= left.calls) {
      await pause(left.afterMs)
      if (isOver) break
      if (left.isOfServer) await world.end('SIGKILL')
      else child.kill('SIGKILL')
      left = null
    }
    await Promise.race([over, pause(LOOK_EVERY_MS)])
  }
  const seconds = (performance.now() - began) / 1_000
  return { code: await over, out: out.join(''), err: err.join(''), seconds, peak }
}

/** 0 for a process that has ended. */
function peakOf(pid: number): number {
  try {
    return residentBytes(pid, true) || 0
  } catch {
    return 0
  }
}

function note(peak: { command: number; server: number }, { peak: { command, server } }: Ended): void {
  peak.command = Math.max(peak.command, command)
  peak.server = Math.max(peak.server, server)
}

/** A killed command, and one without its server, have said how to go on. */
function faultsOfKilled({ code, err }: Ended, isOfServer: boolean): string[] {
  const due = isOfServer ? 1 : null
  return [
    ...(code === due ? [] : [`a killed import ended with ${code}, not ${due}: ${err}`]),
    ...(err.includes(AGAIN) ? [] : [`a killed import did not say how to go on: ${err}`]),
  ]
}

async function faultsOfWhole({ path, rows, wrong }: ScoreFile, { code, out, err }: Ended): Promise<string[]> {
  if (code !== SOME_REFUSED) return [`${path}: the import ended with ${code}: ${err}`]
  const told = JSON.parse(out)
  if (told.rows !== rows || told.refused !== wrong.size)
    return [`${path}: ${out} of ${rows} rows, ${wrong.size} of them wrong`]
  const left = new Map(wrong)
  const reported = (await readFile(told.refused_file, 'utf8')).trim().split('\n')
  const faults = reported.flatMap((text) => {
    const { line, code: reason } = JSON.parse(text)
    const due = left.get(line)
    left.delete(line)
    return due === reason ? [] : [`${path}: line ${line} is reported as ${reason}, not ${due}: ${text}`]
  })
  return [...faults, ...[...left].map(([line, reason]) => `${path}: line ${line} is not reported (${reason})`)]
}

/** The scores of each player on each leaderboard are those of the file, in its order. */
async function faultsOfLog(
  log: Parameters<typeof allEvents>[0],
  files: ReadonlyMap<string, ScoreFile>,
): Promise<string[]> {
  const recorded = new Map<string, string[]>()
  for await (const { type, meta, data } of allEvents(log)) {
    if (type !== 'ScoreSubmitted') continue
    const key = `${meta.board} ${meta.player}`
    const { score } = data as unknown as ScoreSubmittedData
    const some = recorded.get(key)
    if (some === undefined) recorded.set(key, [score])
    else some.push(score)
  }
  return [...files].flatMap(([board, { scores }]) =>
    [...scores].flatMap(([player, due]) => {
      const some = recorded.get(`${board} ${player}`) ?? []
      return some.join() === due.join()
        ? []
        : [`${board} ${player}: ${some.length} scores, not ${due.length}, or others`]
    }),
  )
}
