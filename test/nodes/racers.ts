// Many concurrent callers over two nodes for something that only one of them may get.

import { type MadeGame, makeBoard, makePlayer } from '../front-door/game-fixtures.ts'
import type { Answered } from '../front-door/http-client.ts'
import { must, redeem, requestChallenge, signed, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'

export const RACERS = 64

interface Race {
  /** Number of callers that got it. */
  readonly winners: number
  /** Status and code of the others -> count. */
  readonly others: Readonly<Record<string, number>>
  /** One line for each violation. */
  readonly faults: readonly string[]
}

/** A fault during the race; resolves when it is over. */
type Meanwhile = () => Promise<unknown>

const whileAway = (meanwhile: Meanwhile | null): readonly string[] => (meanwhile === null ? [] : ['503'])

/** All redeem one signed challenge; the winner gets a token. */
export async function raceForChallenge(
  worlds: readonly World[],
  game: MadeGame,
  meanwhile: Meanwhile | null = null,
): Promise<Race> {
  const [world] = worlds as [World]
  const { server } = game
  const sent = signed(world, server, must(await requestChallenge(world, server.prefix), 200))
  const answers = await race(worlds, meanwhile, (one) => redeem(one, server.prefix, sent))
  return judged(answers, ({ status }) => status === 200, ['401 challenge_rejected', ...whileAway(meanwhile)])
}

/** All use one ticket; the winner is signed in. */
export async function raceForTicket(
  worlds: readonly World[],
  game: MadeGame,
  meanwhile: Meanwhile | null = null,
): Promise<Race> {
  const [world] = worlds as [World]
  const player = await makePlayer(world, game)
  const { id, token } = game
  const at = `/api/gm/${id}/player/ticket/`
  const { ticket } = must(await world.call('POST', at, { token, body: { player } }), 201)
  const answers = await race(worlds, meanwhile, (one) => one.call('POST', `${at}redeem/`, { token, body: { ticket } }))
  return judged(answers, ({ status }) => status === 200, ['401 sign_in_rejected', ...whileAway(meanwhile)])
}

/** All send the same submission with one Idempotency-Key; the winner's answer says that it was first. */
export async function raceForSubmission(
  worlds: readonly World[],
  game: MadeGame,
  meanwhile: Meanwhile | null = null,
): Promise<Race> {
  const [world] = worlds as [World]
  const [board, player] = await Promise.all([makeBoard(world, game, { unique: false }), makePlayer(world, game)])
  const headers = { 'idempotency-key': `race-${board}` }
  const submit = (one: World) =>
    one.call('POST', `/api/lb/${board}/score/`, { token: game.token, body: { score: '1', player }, headers })
  const answers = await race(worlds, meanwhile, submit)
  const { faults, ...counts } = judged(answers, isFirst, [
    '201',
    '409 idempotency_in_progress',
    ...whileAway(meanwhile),
  ])
  // A caller without an answer sends it again, and gets the existing entry.
  const again = await untilAnswered(() => submit(worlds.at(-1) as World))
  const token = { 'x-consistency-token': String(again.headers['x-consistency-token']) }
  const list = () => world.call('GET', `/api/lb/${board}/score/`, { token: game.token, headers: token })
  const entries: readonly { readonly id: string }[] = must(await untilAnswered(list), 200).scores
  const answeredIds = new Set(
    [...answers, again].filter(({ status }) => status === 201).map(({ body: { submitted } }) => submitted),
  )
  const one = entries.length === 1 && answeredIds.size === 1 && answeredIds.has(entries[0]?.id)
  return {
    ...counts,
    faults: one ? faults : [...faults, `${entries.length} entries, but the answers name ${[...answeredIds].join()}`],
  }
}

const isFirst = ({ status, headers }: Answered) => status === 201 && headers['idempotent-replay'] !== 'true'

/** Waits until the Redis fault is over for this node too. */
export async function untilBack(world: World, { server }: MadeGame): Promise<void> {
  must(await untilAnswered(() => requestChallenge(world, server.prefix)), 200)
}

async function race(
  worlds: readonly World[],
  meanwhile: Meanwhile | null,
  run: (world: World) => Promise<Answered>,
): Promise<Answered[]> {
  const racers = Array.from({ length: RACERS }, (_, n) => run(worlds[n % worlds.length] as World))
  const [answers] = await Promise.all([Promise.all(racers), meanwhile?.()])
  return answers
}

function judged(answers: readonly Answered[], wins: (answer: Answered) => boolean, fair: readonly string[]): Race {
  const others: Record<string, number> = {}
  const faults: string[] = []
  for (const answer of answers) {
    if (wins(answer)) continue
    const what = [answer.status, answer.body?.code].filter((one) => one !== undefined).join(' ')
    others[what] = (others[what] ?? 0) + 1
    if (!fair.some((one) => what.startsWith(one))) faults.push(`a racer was answered ${what}: ${answer.text}`)
  }
  const winners = answers.filter(wins).length
  if (winners > 1) faults.push(`${winners} racers won`)
  return { winners, others, faults }
}

async function untilAnswered(call: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503 && answer.status !== 409) return answer
    await pause(100)
  }
}
