// A bucket without access restrictions and with maximum limits, and requests to it.

import { EVERYTHING_OPEN } from '../../test/front-door/game-fixtures.ts'
import type { Fresh } from './fresh-server.ts'
import type { Loader } from './processes.ts'
import { bodyOf, call, handshake, signIn } from './test-game.ts'

/** 1 PiB, the maximum. */
const ENOUGH = 2 ** 50
const PLAYERS = 100
const IN_FLIGHT = 64

interface BenchBucket {
  readonly bucket: string
  readonly token: string
  /** Complete requests of many players that begin uploads to new paths. */
  begins(count: number, size: number): string[]
  /** Begins uploads, and returns the heads of the requests that send their bytes. */
  puts(count: number, size: number): Promise<string[]>
  /** Uploads a file of random bytes, and returns the request that downloads it. */
  get(size: number): Promise<() => Promise<string>>
}

export async function openBucket({ server: { port }, world }: Fresh, loader: Loader): Promise<BenchBucket> {
  const token = await handshake(port, world.key)
  const limits = ['max_bytes', 'max_files', 'player_max_bytes', 'player_max_files', 'max_file_bytes']
  const most = Object.fromEntries([...limits, 'monthly_download_bytes'].map((limit) => [limit, ENOUGH]))
  const path = `/api/gm/${world.game}/buckets/`
  const { id: bucket } = await call<{ id: string }>(port, 'POST', path, { token, body: { name: 'Bench', ...most } })
  const body = { path: '/', rules: EVERYTHING_OPEN, child_rules: null }
  await call(port, 'PUT', `/api/bkt/${bucket}/dir/rules/`, { token, body })
  const players = await signIn(port, world, PLAYERS)
  let made = 0

  function begins(count: number, size: number): string[] {
    return Array.from({ length: count }, () => {
      const text = JSON.stringify({ path: `/file ${made}`, size, content_type: 'application/x-save' })
      return postText(`/api/bkt/${bucket}/upload/`, players[made++ % PLAYERS] ?? '', text)
    })
  }

  async function puts(count: number, size: number): Promise<string[]> {
    const request = { port, connections: IN_FLIGHT, requests: begins(count, size), keepsAnswers: true }
    const { answers } = await loader.load(request)
    return answers.map((answer) => {
      const { url } = bodyOf<{ url: string }>(answer)
      return `PUT ${new URL(url).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${size}\r\n\r\n`
    })
  }

  async function get(size: number): Promise<() => Promise<string>> {
    const path = `/large ${made++}`
    const sent = { token, body: { path, size } }
    const upload = await call<{ url: string; upload_id: string }>(port, 'POST', `/api/bkt/${bucket}/upload/`, sent)
    const link = new URL(upload.url).pathname
    const put = await fetch(`http://127.0.0.1:${port}${link}`, { method: 'PUT', body: new Uint8Array(size) })
    if (!put.ok) throw new Error(`PUT: ${put.status} ${await put.text()}`)
    await call(port, 'POST', `/api/bkt/${bucket}/upload/${upload.upload_id}/complete/`, { token })
    const request = `/api/bkt/${bucket}/download/?path=${encodeURIComponent(path)}`
    return async () => {
      const { url } = await call<{ url: string }>(port, 'GET', request, { token })
      return `GET ${new URL(url).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
    }
  }

  return { bucket, token, begins, puts, get }
}

function postText(path: string, token: string, text: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  )
}
