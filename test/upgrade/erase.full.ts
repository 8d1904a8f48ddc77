// Deletes a player of a data folder that version 7c25e86 wrote, partly in clear text. Seconds later, no file and no
// answer may contain what the player wrote.

import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { ownerOf, personalTexts } from '../../domain/personal.ts'
import { type Running, start } from '../../server/start.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { withStores } from '../crash/stores-of.ts'
import { createHttpClient, type HttpClient } from '../front-door/http-client.ts'
import { hmacSigner, must } from '../front-door/world.ts'
import { EMBEDDED } from '../servers/store-urls.ts'
import { pause } from '../until.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/7c25e86', import.meta.url))
const WITHIN_MS = 10_000
const CONTENT_TYPE = 'text/plain'

/** The strings in a JSON text, in their encoded form. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** What a player wrote, from the log: complete names and paths, and each string of their extra data. */
async function textsOf(dataDir: string, player: string): Promise<string[]> {
  const events = await withStores({ dataDir, storeUrls: EMBEDDED }, ({ log }) => log.readAll(null, 100_000))
  const fields = events
    .filter((event) => ownerOf(event) === player)
    .flatMap((event) =>
      personalTexts(event).map((field) =>
        field === 'extra' ? JSON.parse(String(event.data[field])) : event.data[field],
      ),
    )
  return [...new Set(stringsIn(fields))].sort()
}

async function bytesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files.map(async (file) => [file, await readFile(file, 'latin1').catch(() => '')] as const)
  return new Map(await Promise.all(read))
}

/** Finds texts in files. A match that is followed by a digit is a different text. */
async function holding(folder: string, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => [text, new RegExp(`${latin1(text).replace(/[^\w]/g, '\\$&')}(?!\\d)`)] as const)
  const found: string[] = []
  for (const [file, bytes] of await bytesBelow(folder)) {
    for (const [text, pattern] of wanted) if (pattern.test(bytes)) found.push(`${file}: ${text}`)
  }
  return found
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

describe('a player of a data folder of version 7c25e86', () => {
  let dataDir: string
  let running: Running | undefined
  let client: HttpClient | undefined

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-erase-'))
    await cp(join(FIXTURE, 'installation'), dataDir, { recursive: true })
  })
  after(async () => {
    client?.close()
    await running?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('is erased from every file of the folder 10 s after their deletion', async function () {
    this.timeout(60_000)
    const { now, game, players, serverKey } = JSON.parse(await readFile(join(FIXTURE, 'facts.json'), 'utf8'))
    const texts = await textsOf(dataDir, players.toErase)
    expect(texts).to.deep.equal([
      '/folder-of-the-erased/',
      '/folder-of-the-erased/file-of-the-erased.txt',
      'Erased outside',
      'account-18-erased',
      'extra of 6',
      CONTENT_TYPE,
    ])
    // Other players have files of this type.
    const searched = [...texts.filter((text) => text !== CONTENT_TYPE), 'file-of-the-erased', 'folder-of-the-erased']
    expect(await holding(dataDir, searched)).to.include(`${join(dataDir, 'log.sqlite')}: extra of 6`)
    const roles = new Set(['api', 'projector', 'rooms'] as const)
    const config = { ...BASE_CONFIG, roles, dataDir, filesDir: join(dataDir, 'files') }
    // The path of a folder is erased once requests that were under way have ended, by the clock.
    const startMs = performance.now()
    const clock = () => now + Math.trunc(performance.now() - startMs)
    running = await start(config, pino({ level: 'silent' }), clock)
    client = createHttpClient(running.port ?? 0)
    const { call } = client
    const token = await tokenFor(call, serverKey, now)
    must(await call('DELETE', `/api/gm/${game}/players/${players.toErase}/`, { token }), 200)
    const until = Date.now() + WITHIN_MS
    while ((await holding(dataDir, searched)).length > 0 && Date.now() < until) await pause(100)
    expect(await holding(dataDir, searched)).to.deep.equal([])
    const { text } = await call('GET', `/api/gm/${game}/events/`, { token })
    expect(searched.filter((one) => text.includes(`"${one}`))).to.deep.equal([])
    expect(text).to.include(players.toErase)
  })
})

async function tokenFor(
  call: HttpClient['call'],
  key: { prefix: string; secret: string },
  nowMs: number,
): Promise<string> {
  const headers = { 'x-api-key': key.prefix }
  const { request_id, nonce } = must(await call('POST', '/api/auth/jwt/challenge/', { headers }), 200)
  const unix_ts = Math.floor(nowMs / 1000)
  const challenge = hmacSigner(key.prefix, key.secret).sign(`${request_id}.${nonce}.${unix_ts}.`)
  return must(await call('POST', '/api/auth/jwt/redeem/', { headers, body: { request_id, challenge, unix_ts } }), 200)
    .token
}
