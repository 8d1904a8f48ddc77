// A data folder that version 7c25e86 wrote (test/fixtures/7c25e86) opens, serves the same answers and verifies. The
// folder was copied while a rule change was in progress; `answers.json` holds what 7c25e86 answered once that was
// complete.

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { type Running, start } from '../../server/start.ts'
import { openLog } from '../../stores/embedded/log.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { type Answered, createHttpClient, type HttpClient, type Sent } from '../front-door/http-client.ts'
import { openLines } from '../front-door/lines.ts'
import { hmacSigner, must } from '../front-door/world.ts'
import { pause } from '../until.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/7c25e86', import.meta.url))
const json = async (file: string) => JSON.parse(await readFile(join(FIXTURE, file), 'utf8'))

/** Keys and leaderboards without the fields that they have had since. */
function withoutLaterFields(body: Record<string, unknown>) {
  const isLeaderboard = 'secondary_ordering' in body
  if (isLeaderboard || Array.isArray(body.leaderboards)) return withoutKeys(body)
  if (!Array.isArray(body.keys)) return body
  const keys = body.keys.map(({ last_used, ...key }) => {
    expect(last_used).to.satisfy((day: unknown) => day === null || /^2026-\d\d-\d\d$/.test(String(day)))
    return key
  })
  return { ...body, keys }
}

/** A leaderboard, or a list of them, of a version without keys of leaderboards, seasons and ways to count. */
function withoutKeys({ key, keep, seasons, ...body }: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(body.leaderboards)) return { ...body, leaderboards: body.leaderboards.map(withoutKeys) }
  expect([key, keep, seasons]).to.deep.equal([null, 'best', null])
  return body
}

describe('a data folder of version 7c25e86', () => {
  let facts: Awaited<ReturnType<typeof json>>
  let dataDir: string
  let running: Running
  let client: HttpClient
  let nowMs: number
  let token: string
  const call = (method: string, path: string, sent?: Sent): Promise<Answered> => client.call(method, path, sent)

  async function tokenFor({ prefix, secret }: { prefix: string; secret: string }): Promise<string> {
    const headers = { 'x-api-key': prefix }
    const { request_id, nonce } = must(await call('POST', '/api/auth/jwt/challenge/', { headers }), 200)
    const unix_ts = Math.floor(nowMs / 1000)
    const challenge = hmacSigner(prefix, secret).sign(`${request_id}.${nonce}.${unix_ts}.`)
    const body = { request_id, challenge, unix_ts }
    return must(await call('POST', '/api/auth/jwt/redeem/', { headers, body }), 200).token
  }

  before(async () => {
    facts = await json('facts.json')
    nowMs = facts.now
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-upgrade-'))
    await cp(join(FIXTURE, 'installation'), dataDir, { recursive: true })
    const filesDir = join(dataDir, 'files')
    const roles = new Set(['api', 'projector', 'rooms'] as const)
    running = await start({ ...BASE_CONFIG, roles, dataDir, filesDir }, pino({ level: 'silent' }), () => nowMs)
    client = createHttpClient(running.port ?? 0)
    token = await tokenFor(facts.serverKey)
    const path = `/api/lb/${facts.boards.changing}/rebuild/`
    while ((await call('GET', path, { token })).body.state !== 'done') await pause(20)
  })
  after(async () => {
    client?.close()
    await running?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('serves every answer as 7c25e86 served it, with the rule change in progress completed', async () => {
    const expected = await json('answers.json')
    for (const { path, status, body } of expected) {
      const answer = await call('GET', path, { token })
      expect(answer.status, path).to.equal(status)
      expect(status < 400 ? withoutLaterFields(answer.body) : { code: answer.body.code }, path).to.deep.equal(body)
    }
  })

  it('verifies as equal, without parked streams', async () => {
    const operator = await tokenFor(facts.operatorKey)
    const lines = await (await openLines(running.port ?? 0, '/api/sys/verify/', operator)).all()
    const { result } = lines.at(-1) ?? {}
    expect(result).to.deep.include({ equal: true, differences: [], found: 0, parked: 0, behind: false })
    expect(result.ranked).to.be.greaterThan(100)
  })

  it('keeps sessions, guests and logins of players', async () => {
    const path = `/api/gm/${facts.game}/player`
    const clientToken = await tokenFor(facts.clientKey)
    const { refreshToken, guestToken, login, players } = facts
    const refreshed = await call('POST', `${path}/refresh/`, { body: { refresh_token: refreshToken } })
    expect(must(refreshed, 200).player.id).to.equal(players.two)
    const guest = await call('POST', `${path}/guest/`, { token: clientToken, body: { guest_token: guestToken } })
    expect(must(guest, 200).player.id).to.equal(players.two)
    expect((await call('POST', `${path}/password/`, { token: clientToken, body: login })).status).to.equal(200)
  })

  it('replays the recorded answer for an earlier Idempotency-Key', async () => {
    const { refreshToken, keyed, game } = facts
    const path = `/api/gm/${game}/player/refresh/`
    const player = must(await call('POST', path, { body: { refresh_token: refreshToken } }), 200).token
    const { key, board, score, extra, answer } = keyed
    const body = { score, extra_data: extra }
    const sent = { token: player, body, headers: { 'idempotency-key': key } }
    const again = await call('POST', `/api/lb/${board}/score/`, sent)
    expect(again.headers['idempotent-replay']).to.equal('true')
    const { rank: _, ...stored } = again.body
    const { rank: __, ...first } = answer
    expect(stored).to.deep.equal(first)
  })
})

describe('the log of a data folder of version 7c25e86', () => {
  it('contains every event type that 7c25e86 wrote', async () => {
    const { types } = await json('facts.json')
    const folder = await mkdtemp(join(tmpdir(), 'scorebook-upgrade-log-'))
    await cp(join(FIXTURE, 'installation'), folder, { recursive: true })
    const log = await openLog(join(folder, 'log.sqlite'))
    const recorded = new Set((await log.readAll(null, 100_000)).map(({ type }) => type))
    await log.close()
    await rm(folder, { recursive: true })
    expect([...recorded].sort()).to.deep.equal(types)
  })
})
