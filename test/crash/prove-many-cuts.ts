// Sends calls with many submissions through a proxy that cuts requests and answers, each again under the same keys
// until it is answered, with rows that were refused corrected in between: every submission is recorded once, and
// answered as it was recorded.

import { type Cut, type FaultyProxy, faultyProxy } from '../clients/story/faulty-proxy.ts'
import { makeBoard, makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { type Answered, type Body, createHttpClient } from '../front-door/http-client.ts'
import { Random } from '../random.ts'
import { rebuiltDifferences } from '../simulation/oracle/rebuilt.ts'
import { pause } from '../until.ts'
import { type ManyCall, manyCall, type Row } from './many-call.ts'
import { openProcessWorld } from './process-world.ts'
import { answerFaults, BOARD_SETTINGS, lastingPart, type Named, type Shows } from './recorded-answers.ts'
import { withStores } from './stores-of.ts'

const PLAYERS = 25
const CALLERS = 8
/** The share of tries that are cut. */
const CUT = 0.3
/** The share of calls that are sent again at last, with a recorded row changed, which must be refused. */
const CHANGED = 0.1
const RETRY_EVERY_MS = 20
const MAX_SCORE = '1000'

export interface ManyCutsProof {
  readonly calls: number
  readonly submissions: number
  readonly tries: number
  /** Kind of cut -> how many. */
  readonly cuts: Readonly<Record<string, number>>
  /** Rows that were corrected, after a refusal or without an answer. */
  readonly corrected: number
  readonly faults: readonly string[]
}

interface Proof {
  readonly calls: number
  readonly seed: number
  onProgress?(calls: number, faults: number): void
}

interface Counts {
  tries: number
  corrected: number
  readonly cuts: Map<string, number>
}

export async function proveManyCuts({ calls, seed, onProgress }: Proof): Promise<ManyCutsProof> {
  const world = await openProcessWorld()
  const proxy = await faultyProxy(() => `http://127.0.0.1:${world.port}`)
  const client = createHttpClient(Number(new URL(proxy.url).port))
  const faults: string[] = []
  const answers: Named[] = []
  const counts: Counts = { tries: 0, corrected: 0, cuts: new Map() }
  try {
    const game = await makeGame(world)
    const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => makePlayer(world, game, `player ${n}`)))
    const shows = new Map<string, Shows>()
    for (const what of ['every', 'best', 'latest', 'total'] as const) {
      shows.set(await makeBoard(world, game, { ...BOARD_SETTINGS[what], max_score: MAX_SCORE }), what)
    }
    const path = `/api/gm/${game.id}/scores/`
    const send = ({ key, rows }: ManyCall) =>
      client.call('POST', path, {
        token: game.token,
        body: { submissions: rows.map(({ sent }) => sent) },
        headers: key === null ? {} : { 'idempotency-key': key },
      })
    proxy.faults.set(new RegExp(`^POST ${path}`), [])
    let [next, done] = [0, 0]
    const caller = async () => {
      for (let n = next++; n < calls; n = next++) {
        const random = new Random(seed + n)
        const call = manyCall(random, `${n}`, [...shows.keys()], players)
        const tried = () => {
          counts.tries++
          return cutSometimes(proxy, random, counts, () => send(call))
        }
        faults.push(...(await settle(call, tried, random, counts)))
        for (const { sent, answer } of call.rows) answers.push({ name: sent.extra_data.row, answer })
        onProgress?.(++done, faults.length)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))
    const { code } = await world.leave()
    if (code !== 0) faults.push(`the stop exited with ${code}`)
    const inStores = await withStores(world, async ({ log, views }) => [
      ...(await answerFaults(log, shows, answers)),
      ...(await rebuiltDifferences(views, log)),
    ])
    const { tries, corrected, cuts } = counts
    const all = { tries, corrected, cuts: Object.fromEntries(cuts) }
    return { calls, submissions: answers.length, ...all, faults: [...faults, ...inStores] }
  } finally {
    client.close()
    await proxy.close()
    await world.close()
  }
}

/** The answer; null without one. */
function cutSometimes(
  proxy: FaultyProxy,
  random: Random,
  { cuts }: Counts,
  send: () => Promise<Answered>,
): Promise<Answered | null> {
  const [faults] = proxy.faults.values()
  if (random.chance(CUT)) {
    const [kind, cut] = cutOf(random)
    cuts.set(kind, (cuts.get(kind) ?? 0) + 1)
    faults?.push(cut)
  } else faults?.push('none')
  return send().catch(() => null)
}

function cutOf(random: Random): readonly [string, Cut] {
  const within = random.next()
  return random.pick([
    ['within the request', { cut: 'request', after: within }],
    ['after the request', { cut: 'request', after: 1 }],
    ['before the answer', { cut: 'head', after: 0 }],
    ['within the head', { cut: 'head', after: within }],
    ['within the body', { cut: 'body', after: within }],
  ] as const)
}

type Try = () => Promise<Answered | null>

/** Sends the call until every row is recorded. */
async function settle(call: ManyCall, attempt: Try, random: Random, counts: Counts): Promise<string[]> {
  const faults: string[] = []
  const correctSome = (share: number) => {
    for (const row of call.rows) {
      if (row.wrong === null || !random.chance(share)) continue
      row.correct()
      counts.corrected++
    }
  }
  while (call.rows.some(({ answer }) => answer === null)) {
    const results = await answered(attempt, () => correctSome(0.1))
    if (!Array.isArray(results)) return [`${call.name} was answered ${results}`]
    for (const [nth, row] of call.rows.entries()) faults.push(...faultsOf(call.name, row, results[nth]))
    if (faults.length > 0) return faults
    correctSome(0.8)
  }
  return random.chance(CHANGED) ? changedRow(call, attempt, random) : []
}

/** The results, once no earlier try is running; the text of another answer. `onNone`: of each try without an answer. */
async function answered(attempt: Try, onNone: () => void): Promise<Body[] | string> {
  for (;;) {
    const answer = await attempt()
    const results: Body[] | undefined = answer?.body?.results
    if (answer === null) onNone()
    else if (results === undefined && ![409, 503].includes(answer.status)) return answer.text
    else if (results?.every(({ code }) => code !== 'idempotency_in_progress')) return results
    await pause(RETRY_EVERY_MS)
  }
}

/** A row that is right is recorded, and answered as before; a wrong one is refused. */
function faultsOf(call: string, row: Row, result: Body): string[] {
  const { wrong, answer } = row
  if (wrong !== null) return result.code === wrong ? [] : [`${call}: not ${wrong}, but ${JSON.stringify(result)}`]
  if ('code' in result) return [`${call}: ${JSON.stringify(row.sent)} is refused: ${JSON.stringify(result)}`]
  row.answer = lastingPart(result)
  return answer === null || answer === row.answer ? [] : [`${call} was answered ${answer}, then ${row.answer}`]
}

/** Sent with a recorded row changed: that row is refused, and the others are answered as before. */
async function changedRow(call: ManyCall, attempt: Try, random: Random): Promise<string[]> {
  const changed = random.pick(call.rows)
  changed.sent.score = `9${changed.sent.score}`
  const results = await answered(attempt, () => {})
  if (!Array.isArray(results)) return [`${call.name} with a changed row was answered ${results}`]
  return call.rows.flatMap((row, nth) => {
    if (row !== changed) return faultsOf(call.name, row, results[nth])
    const { code } = results[nth]
    return code === 'idempotency_key_reused' ? [] : [`${call.name}: a changed row was answered ${code}`]
  })
}
