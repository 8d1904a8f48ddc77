// Kills a server under load repeatedly, on one data folder: no acknowledged submission is lost, no repeated one is
// duplicated, and finally the read models equal those rebuilt from the log.

import type { Log } from '../../stores/contract/log.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { Random } from '../random.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'
import { gate, pause } from '../until.ts'
import { checkBests, checkEveryEntry, checkLatest, checkTotals, readBoard } from './ledger.ts'
import { notReplayed, type Submission, send, submitMuch } from './load.ts'
import { openProcessWorld, type ProcessWorld } from './process-world.ts'
import { allEvents } from './recorded-answers.ts'
import { withStores } from './stores-of.ts'

const PLAYERS = 6
const CALLERS = 12
/**
 * Milliseconds to the kill: in turn from the answer number `ANSWERED_FIRST` and from the start of the load, before
 * which a slow machine may answer nothing.
 */
const KILLED_AFTER_MS = ON_SERVERS ? { min: 100, max: 1_500 } : { min: 20, max: 220 }
const ANSWERED_FIRST = 25
/** How many acknowledged submissions are sent again after each kill. */
const SENT_AGAIN = 10

export interface KillsProof {
  readonly kills: number
  readonly acknowledged: number
  /** Sent, not answered, and sent again with its key. */
  readonly retried: number
  /** The ones of those that had been recorded before the kill. */
  readonly hadBeenRecorded: number
  /** One line per lost, duplicated or wrong submission. */
  readonly faults: readonly string[]
  readonly seed: number
}

interface Round {
  readonly all: string
  readonly unique: string
  readonly latest: string
  readonly total: string
  readonly submissions: readonly Submission[]
}

export async function proveKills(proof: {
  readonly kills: number
  readonly seed: number
  onProgress?(kills: number, acknowledged: number): void
}): Promise<KillsProof> {
  const world = await openProcessWorld()
  const random = new Random(proof.seed)
  const faults: string[] = []
  const rounds: Round[] = []
  let [acknowledged, retried, hadBeenRecorded] = [0, 0, 0]
  try {
    const game = await makeGame(world)
    const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
    for (let kill = 1; kill <= proof.kills; kill++) {
      const all = await makeBoard(world, game, { unique: false })
      const unique = await makeBoard(world, game)
      const latest = await makeBoard(world, game, { keep: 'latest' })
      const total = await makeBoard(world, game, { keep: 'total' })
      const target = { token: game.token, boards: [all, unique, latest, total], players }
      const answers = kill % 2 === 1 ? ANSWERED_FIRST : 0
      const submissions = await submitUntilKilled(world, target, { name: `kill-${kill}`, answers }, random)
      acknowledged += submissions.filter(({ answer }) => answer !== null).length
      await world.begin()
      const unanswered = submissions.filter(({ answer }) => answer === null)
      faults.push(...refused(submissions), ...(await sendAgain(world, game, submissions, random)))
      retried += unanswered.length
      hadBeenRecorded += unanswered.filter(({ answer }) => answer?.headers['idempotent-replay'] === 'true').length
      const round = { all, unique, latest, total, submissions }
      rounds.push(round)
      faults.push(...(await checkRound(world, game, round)))
      proof.onProgress?.(kill, acknowledged)
    }
    const last = await checkRounds(world, game, rounds)
    const { code } = await world.leave()
    if (code !== 0) faults.push(`the last stop exited with ${code}`)
    faults.push(...last, ...(await checkStores(world, rounds)))
    return { kills: proof.kills, acknowledged, retried, hadBeenRecorded, faults, seed: proof.seed }
  } finally {
    await world.close()
  }
}

async function submitUntilKilled(
  world: ProcessWorld,
  target: Parameters<typeof submitMuch>[1],
  { name, answers }: { readonly name: string; readonly answers: number },
  random: Random,
): Promise<Submission[]> {
  const enough = gate()
  let answered = 0
  const submitting = submitMuch(world, target, {
    callers: CALLERS,
    name,
    random: () => random.next(),
    stopped: () => false,
    answered: () => {
      answered += 1
      if (answered === answers) enough.open()
    },
  })
  if (answers > 0) await enough.opened
  const { min, max } = KILLED_AFTER_MS
  await pause(min + random.below(max - min))
  await world.end('SIGKILL')
  return submitting
}

function refused(submissions: readonly Submission[]): string[] {
  return submissions.flatMap(({ key, answer }) => {
    return answer === null || answer.status < 300 ? [] : [`${key} was answered ${answer.status}: ${answer.text}`]
  })
}

/** Sends what was not answered, and some of what was, which must be answered the same. */
async function sendAgain(
  world: ProcessWorld,
  game: MadeGame,
  submissions: readonly Submission[],
  random: Random,
): Promise<string[]> {
  const faults: string[] = []
  const answered = submissions.filter(({ answer }) => answer !== null)
  for (const submission of random.shuffled(answered).slice(0, SENT_AGAIN)) {
    faults.push(...notReplayed(submission, await send(world, game.token, submission)))
  }
  const unanswered = submissions.filter(({ answer }) => answer === null)
  const sent = unanswered.map(async (submission) => {
    submission.answer = await send(world, game.token, submission)
  })
  await Promise.all(sent)
  return [...faults, ...refused(unanswered)]
}

async function checkRound(world: ProcessWorld, game: MadeGame, round: Round): Promise<string[]> {
  const { all, unique, latest, total, submissions } = round
  const on = (board: string) => submissions.filter((one) => one.board === board)
  return [
    ...checkEveryEntry(await readBoard(world, game.token, all), on(all)),
    ...checkBests(await readBoard(world, game.token, unique), on(unique)),
    ...checkLatest(await readBoard(world, game.token, latest), on(latest)),
    ...checkTotals(await readBoard(world, game.token, total), on(total)),
  ]
}

async function checkRounds(world: ProcessWorld, game: MadeGame, rounds: readonly Round[]): Promise<string[]> {
  const faults: string[] = []
  for (const round of rounds) faults.push(...(await checkRound(world, game, round)))
  return faults
}

/** The log contains each submission once, and the read models equal rebuilt ones. */
function checkStores(world: ProcessWorld, rounds: readonly Round[]): Promise<string[]> {
  return withStores(world, async ({ log, views }) => [
    ...(await checkHistory(log, rounds)),
    ...(await rebuiltDifferences(views, log)),
  ])
}

/** Each submission is in the log once. */
export async function checkHistory(
  log: Log,
  rounds: readonly { readonly submissions: readonly Submission[] }[],
): Promise<string[]> {
  const recorded = new Map<string, number>()
  for await (const { type, meta } of allEvents(log)) {
    if (type === 'ScoreSubmitted') recorded.set(meta.command, (recorded.get(meta.command) ?? 0) + 1)
  }
  const duplicates = [...recorded]
    .filter(([, times]) => times > 1)
    .map(([command]) => `command ${command} is recorded twice`)
  const due = rounds.reduce((sum, { submissions }) => sum + submissions.length, 0)
  return recorded.size === due ? duplicates : [...duplicates, `the log contains ${recorded.size} submissions of ${due}`]
}
