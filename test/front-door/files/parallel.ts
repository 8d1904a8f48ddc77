// 200 simultaneous uploads on two nodes against one limit of a bucket: they never exceed it, the admitted ones fill it
// as far as the sizes allow, and a node that dies meanwhile changes nothing.

import { aftermathOf } from '../../files/aftermath.ts'
import type { SideBySide } from '../../nodes/side-by-side.ts'
import { pause } from '../../until.ts'
import { EVERYTHING_OPEN, type MadeGame } from '../game-fixtures.ts'
import type { Answered, Body, Sent } from '../http-client.ts'
import { must, type World } from '../world.ts'

export const UPLOADS = 200
const CALL_RETRY_MS = 120_000
/** A call that a killed node was running stays in progress for seconds, for many callers at once. */
const IN_PROGRESS_MS = 250

export const LIMITS = ['max_bytes', 'max_files', 'player_max_bytes', 'player_max_files'] as const
type Limit = (typeof LIMITS)[number]

interface Contest {
  readonly limit: Limit
  /** The value of the limit. */
  readonly max: number
  /** Called when about a third of all have been answered. */
  meanwhile?(): Promise<void>
}

interface Admitted {
  readonly id: string
  readonly link: string
  readonly size: number
}

interface Outcome {
  readonly bucket: string
  readonly admitted: readonly Admitted[]
  readonly refused: readonly { readonly size: number; readonly limit: string }[]
  /** Sent to a node that died before it answered, and not sent again: they may hold reservations. */
  readonly unknown: number
}

const ENOUGH = { max_bytes: 2 ** 40, max_files: 10_000, player_max_bytes: 2 ** 40, player_max_files: 10_000 }

/** Some bytes each; neighbours have different sizes. */
const sizeOf = (n: number): number => 100 + ((n * 37) % 91)

export async function contend(
  worlds: readonly [World, World],
  game: MadeGame,
  token: string,
  { limit, max, meanwhile }: Contest,
): Promise<Outcome> {
  const bucket = await openBucket(worlds, game, token, { ...ENOUGH, [limit]: max })
  const admitted: Admitted[] = []
  const refused: { size: number; limit: string }[] = []
  let [answered, unknown] = [0, 0]
  let disturbance: Promise<void> | null = null
  const one = async (n: number): Promise<void> => {
    const size = sizeOf(n)
    const sent = { token, body: { path: `/${n}`, size }, headers: { 'idempotency-key': `${bucket} ${n}` } }
    const answer = await beginUpload(worlds, n, `/api/bkt/${bucket}/upload/`, sent)
    if (++answered > UPLOADS / 3) disturbance ??= meanwhile?.() ?? null
    if (answer === null) unknown++
    else if (answer.status === 201) {
      admitted.push({ id: answer.body.upload_id, link: new URL(answer.body.url).pathname, size })
    } else if (answer.status === 422) refused.push({ size, limit: answer.body.limit })
    else throw new Error(`upload ${n} is answered ${answer.status}: ${answer.text}`)
  }
  await Promise.all(Array.from({ length: UPLOADS }, (_, n) => one(n)))
  await disturbance
  return { bucket, admitted, refused, unknown }
}

/** A bucket in which anyone may do anything; resolves once both nodes know it. */
async function openBucket(worlds: readonly World[], game: MadeGame, token: string, limits: object): Promise<string> {
  const [world] = worlds as [World]
  const made = await world.call('POST', `/api/gm/${game.id}/buckets/`, {
    token: game.token,
    body: { name: 'Saves', ...limits },
  })
  const { id } = must(made, 201)
  const rules = { path: '/', rules: EVERYTHING_OPEN, child_rules: null }
  await answered(world, 'PUT', `/api/bkt/${id}/dir/rules/`, { token: game.token, body: rules })
  for (const one of worlds) await answered(one, 'GET', `/api/bkt/${id}/ls/?path=%2F`, { token })
  return id
}

/** The body, once the views have it. */
export async function answered(world: World, method: string, path: string, sent: Sent, is = (_: Body) => true) {
  for (const began = performance.now(); ; ) {
    const { status, body, text } = await world.call(method, path, sent)
    if (status === 200 && is(body)) return body
    if (performance.now() - began > CALL_RETRY_MS) throw new Error(`${method} ${path}: ${status} ${text}`)
    await pause(20)
  }
}

/**
 * Half of the callers use each node. When theirs dies, every second one changes to the other node;
 * null for those who give up.
 */
async function beginUpload(
  worlds: readonly [World, World],
  n: number,
  path: string,
  sent: Sent,
): Promise<Answered | null> {
  let world = worlds[n % 2] as World
  for (const began = performance.now(); performance.now() - began < CALL_RETRY_MS; ) {
    const answer = await world.call('POST', path, sent).catch((error: Error) => {
      if (!('code' in error)) throw error
      return null
    })
    // Nothing was changed, or it is safe to repeat, as after a 503 or a call that is still running.
    if (answer !== null && answer.status !== 503 && answer.status !== 409) return answer
    if (answer === null && n % 4 === 1) return null
    if (answer === null) world = worlds[(n + 1) % 2] as World
    await pause(answer?.status === 409 ? IN_PROGRESS_MS : 20)
  }
  throw new Error(`upload ${n} was never answered`)
}

/** Sends the bytes of the admitted uploads to `world`, and completes them there; returns faults. */
export async function fulfil(world: World, token: string, { bucket, admitted }: Outcome): Promise<string[]> {
  const done = admitted.map(async ({ id, link, size }) => {
    const put = await world.call('PUT', link, { raw: Buffer.alloc(size), headers: { 'content-type': 'a/b' } })
    if (put.status !== 200) return [`${link}: ${put.status} ${put.text}`]
    const path = `/api/bkt/${bucket}/upload/${id}/complete/`
    const { status, text } = await world.call('POST', path, { token })
    return status === 200 ? [] : [`${path}: ${status} ${text}`]
  })
  return (await Promise.all(done)).flat()
}

/** How much of a limit the admitted uploads use. */
export function usedBy(limit: Limit, admitted: readonly Admitted[]): number {
  return limit.endsWith('bytes') ? admitted.reduce((sum, { size }) => sum + size, 0) : admitted.length
}

/** One line for each upload that was refused although there was room, or by another limit. */
export function wrongRefusals({ limit, max }: Contest, { admitted, refused }: Outcome): string[] {
  const used = usedBy(limit, admitted)
  return refused.flatMap(({ size, limit: named }) => {
    const wanted = limit.endsWith('bytes') ? size : 1
    return named === limit && used + wanted > max ? [] : [`${wanted} refused by ${named} where ${used} were taken`]
  })
}

/** What is left of each limit hours after all nodes have ended. */
export const leftOf = ({ dataDir, storeUrls }: SideBySide, bucket: string, filesDir: string) =>
  aftermathOf({ dataDir, storeUrls }, bucket, filesDir)
