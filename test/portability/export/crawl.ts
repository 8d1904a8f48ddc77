// Every GET that a tenant can make, with its answer, so that two (small) installations can be compared. Omits
// positions, which differ between logs, and values that depend on the time of the request.

import { readGameKey, readKeyFile } from '../../../cli/key-files.ts'
import { connect } from '../../../clients/javascript/connect.ts'
import { operatorFile } from '../../../server/operator.ts'

export interface Read {
  readonly status: number
  readonly etag: string | null
  readonly body: unknown
}

export type Reads = ReadonlyMap<string, Read>
/** Sends a GET with the key that may read the path. */
type Reader = (path: string) => Promise<Read>

// biome-ignore lint/suspicious/noExplicitAny: answers are followed field by field, and compared whole
type Body = any

export async function readerWith(url: string, key: { prefix: string; secret: string }): Promise<Reader> {
  const client = await connect({ baseUrl: url, key })
  return async (path) => {
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${await client.token()}` } })
    const text = await response.text()
    const isLines = response.headers.get('Content-Type')?.includes('ndjson') === true
    const body = isLines
      ? text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : JSON.parse(text)
    return { status: response.status, etag: response.headers.get('ETag'), body: timeless(body) }
  }
}

export async function keyIn(dataDir: string, game: string | null): Promise<{ prefix: string; secret: string }> {
  const file = game === null ? await readKeyFile(operatorFile(dataDir)) : await readGameKey(dataDir, game)
  if (file === null || !('secret' in file.key)) throw new Error(`${dataDir} keeps no key of ${game}`)
  return file.key as { prefix: string; secret: string }
}

/** Fields that differ between logs or requests: positions and request ids. */
const OWN: ReadonlySet<string> = new Set(['position', 'request_id'])

function timeless(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body, (name, value) => (OWN.has(name) ? undefined : value)))
}

/** Uses the game's key, and the operator key for paths that only it may read. */
export async function crawl(read: Reader, operator: Reader, game: string): Promise<Reads> {
  const reads = new Map<string, Read>()
  const get = async (path: string, by = read): Promise<Body> => {
    const answer = await by(path)
    reads.set(path, answer)
    return answer.body
  }
  const pages = async (path: string, name: string): Promise<Body[]> => {
    const found: Body[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Body = await get(`${path}${path.includes('?') ? '&' : '?'}limit=3&offset=${offset}`)
      found.push(...(page[name] ?? []))
      offset = page.next_offset ?? null
    }
    return found
  }
  await get('/api/gm/', operator)
  await get(`/api/gm/${game}/`)
  await get(`/api/gm/${game}/events/`)
  await pages(`/api/gm/${game}/keys/`, 'keys')
  const players = await pages(`/api/gm/${game}/players/`, 'players')
  for (const { id } of players) await get(`/api/gm/${game}/players/${id}/`)
  for (const { id } of await pages(`/api/gm/${game}/lb/`, 'leaderboards')) {
    await get(`/api/lb/${id}/`)
    await get(`/api/lb/${id}/rebuild/`)
    for (const query of ['?', '?window=best&', '?since=2020-01-01&', '?order=oldest&']) {
      for (const score of await pages(`/api/lb/${id}/score/${query.slice(0, -1)}`, 'scores')) {
        await get(`/api/score/${score.id}/`)
        await get(`/api/score/${score.id}/why/`)
      }
    }
    for (const player of players) await get(`/api/lb/${id}/score/?around=${player.id}`)
    for (const { season } of await pages(`/api/lb/${id}/seasons/`, 'seasons')) {
      await pages(`/api/lb/${id}/score/?season=${season}`, 'scores')
    }
  }
  for (const { id } of (await get(`/api/gm/${game}/buckets/`)).buckets ?? []) {
    await get(`/api/bkt/${id}/`)
    await folder(id, '/')
  }
  return reads

  async function folder(bucket: string, path: string): Promise<void> {
    const at = encodeURIComponent(path)
    await get(`/api/bkt/${bucket}/dir/rules/?path=${at}`)
    await get(`/api/bkt/${bucket}/explain/?path=${at}`)
    const { folders = [], files = [] } = await get(`/api/bkt/${bucket}/ls/?path=${at}`)
    for (const one of folders) await folder(bucket, one.path)
    for (const one of files) await get(`/api/bkt/${bucket}/file/?path=${encodeURIComponent(one.path)}`)
  }
}

/** Up to ten differences, one line each. */
export function differencesOf(before: Reads, after: Reads): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const wrong = paths.filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(after.get(path)))
  return wrong.slice(0, 10).map((path) => {
    const [one, other] = [before, after].map((reads) => JSON.stringify(reads.get(path)))
    return `${path}\n  before ${one?.slice(0, 400)}\n  after  ${other?.slice(0, 400)}`
  })
}
