// Damages a stopped or killed server's files that are built from the log, starts it, and checks that it answers nothing
// wrong, loses nothing and can be backed up and restored.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MadeGame, makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { tokenOf } from '../front-door/world.ts'
import { run } from '../portability/backup/drill.ts'
import { Random } from '../random.ts'
import { damageFile } from '../stores/damage-files.ts'
import { DERIVED_ENDS } from '../stores/derived-files.ts'
import { checkBests, checkEveryEntry, readBoard } from './ledger.ts'
import { type Submission, send } from './load.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'

const PLAYERS = 12
const SUBMISSIONS = 20
const FILES = ['log-index.sqlite', 'views.sqlite'] as const
/** Older copies of the files that are kept to put back. */
const OLDER = 4
const ENV = { MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
/** A restored installation is started after one backup in so many. */
const STARTED_EVERY = 25

export interface DamagedServerProof {
  readonly damages: number
  readonly acknowledged: number
  /** Starts that named a damaged file. */
  readonly named: number
  readonly faults: readonly string[]
}

interface Boards {
  readonly game: MadeGame
  readonly all: string
  readonly unique: string
  readonly players: readonly string[]
}

export async function proveDamagedServer(proof: {
  readonly damages: number
  readonly seed: number
  onProgress?(damage: number, named: number, faults: number): void
}): Promise<DamagedServerProof> {
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-damaged-server-'))
  const world = await openProcessWorld(ENV)
  const random = new Random(proof.seed)
  const submissions: Submission[] = []
  const faults: string[] = []
  let named = 0
  try {
    const game = await makeGame(world)
    const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
    const [all, unique] = [await makeBoard(world, game, { unique: false }), await makeBoard(world, game)]
    const boards = { game, all, unique, players }
    await submitSome(world, boards, submissions, random)
    const older: string[] = []
    for (let nth = 1; nth <= proof.damages; nth += 1) {
      await world.end(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM')
      older.unshift(keepCopies(world.dataDir, join(folder, `older-${nth}`)))
      for (const gone of older.splice(OLDER)) rmSync(gone, { recursive: true })
      const file = random.pick(FILES)
      const damage = damageFile(
        join(world.dataDir, file),
        older.map((one) => join(one, file)),
        random,
      )
      const before = world.output().length
      await world.begin()
      const found = await useDamaged({
        world,
        boards,
        submissions,
        random,
        folder,
        isStarted: nth % STARTED_EVERY === 0,
      })
      if (/is damaged/.test(world.output().slice(before))) named += 1
      faults.push(...found.map((fault) => `seed ${proof.seed}, damage ${nth}, ${file}, ${damage}: ${fault}`))
      proof.onProgress?.(nth, named, faults.length)
    }
    return { damages: proof.damages, acknowledged: submissions.length, named, faults }
  } finally {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function keepCopies(dataDir: string, folder: string): string {
  mkdirSync(folder)
  for (const file of FILES) {
    for (const end of DERIVED_ENDS) {
      const from = join(dataDir, `${file}${end}`)
      if (existsSync(from)) copyFileSync(from, join(folder, `${file}${end}`))
    }
  }
  return folder
}

interface Use {
  readonly world: ProcessWorld
  readonly boards: Boards
  readonly submissions: Submission[]
  readonly random: Random
  readonly folder: string
  /** Whether to start the restored installation. */
  readonly isStarted: boolean
}

async function useDamaged({ world, boards, submissions, random, folder, isStarted }: Use): Promise<string[]> {
  const faults = await checkBoards(world, boards, submissions)
  faults.push(...(await submitSome(world, boards, submissions, random)))
  faults.push(...(await checkBoards(world, boards, submissions)))
  const env = { ...ENV, DATA_DIR: world.dataDir, PORT: String(world.port) }
  const [destination, restored] = [join(folder, 'destination'), join(folder, 'restored')]
  for (const [settings, args] of [
    [env, ['verify']],
    [env, ['backup', '--to', destination]],
    [ENV, ['restore', '--from', destination, '--to', restored]],
  ] as const) {
    const { code, text } = await run(settings, args)
    if (code !== 0) faults.push(`${args[0]} exited with ${code}: ${text}`)
  }
  if (isStarted && faults.length === 0) faults.push(...(await checkRestored(world, boards, submissions, restored)))
  rmSync(restored, { recursive: true, force: true })
  return faults
}

async function checkRestored(world: ProcessWorld, boards: Boards, submissions: readonly Submission[], dataDir: string) {
  const other = await openProcessWorld(ENV, { dataDir, storeUrls: world.storeUrls })
  try {
    const game = { ...boards.game, token: await tokenOf(other, boards.game.server) }
    return (await checkBoards(other, { ...boards, game }, submissions)).map((fault) => `restored: ${fault}`)
  } finally {
    await other.close()
  }
}

async function submitSome(
  world: ProcessWorld,
  { game, all, unique, players }: Boards,
  submissions: Submission[],
  random: Random,
) {
  const faults: string[] = []
  for (let n = 0; n < SUBMISSIONS; n += 1) {
    const submission: Submission = {
      key: `damage-${submissions.length}`,
      board: random.pick([all, unique]),
      player: random.pick(players),
      score: `${random.below(1_000)}`,
      answer: null,
      failure: null,
    }
    submission.answer = await send(world, game.token, submission)
    if (submission.answer.status >= 300) faults.push(`${submission.key} was answered ${submission.answer.text}`)
    submissions.push(submission)
  }
  return faults
}

async function checkBoards(world: ProcessWorld, { game, all, unique }: Boards, submissions: readonly Submission[]) {
  const on = (board: string) => submissions.filter((one) => one.board === board)
  return [
    ...checkEveryEntry(await readBoard(world, game.token, all), on(all)),
    ...checkBests(await readBoard(world, game.token, unique), on(unique)),
  ]
}
