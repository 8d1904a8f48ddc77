// A data folder that version 0.2.0 wrote while its clock was 90 s ahead and then right (test/fixtures/write-ties.ts):
// it ranked equal scores by time, this version ranks them in the order of the log.

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { type Running, start } from '../../server/start.ts'
import { BASE_CONFIG } from '../base-config.ts'
import { createHttpClient, type HttpClient } from '../front-door/http-client.ts'
import { openLines } from '../front-door/lines.ts'
import { hmacSigner, must } from '../front-door/world.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/0.2.0-ties', import.meta.url))

interface Facts {
  readonly now: number
  readonly operatorKey: { readonly prefix: string; readonly secret: string }
  readonly serverKey: { readonly prefix: string; readonly secret: string }
  readonly boards: Readonly<Record<'best' | 'every', string>>
  /** Players in the order of the log, and as 0.2.0 ranked them. */
  readonly recorded: readonly string[]
  readonly ranked: Readonly<Record<'best' | 'every', readonly string[]>>
}

describe('equal scores in a data folder of version 0.2.0, whose clock was ahead', () => {
  let facts: Facts
  let dataDir: string
  let running: Running
  let client: HttpClient
  let token: string

  async function tokenFor({ prefix, secret }: Facts['operatorKey']): Promise<string> {
    const headers = { 'x-api-key': prefix }
    const { request_id, nonce } = must(await client.call('POST', '/api/auth/jwt/challenge/', { headers }), 200)
    const unix_ts = Math.floor(facts.now / 1000)
    const challenge = hmacSigner(prefix, secret).sign(`${request_id}.${nonce}.${unix_ts}.`)
    const body = { request_id, challenge, unix_ts }
    return must(await client.call('POST', '/api/auth/jwt/redeem/', { headers, body }), 200).token
  }

  before(async () => {
    facts = JSON.parse(await readFile(join(FIXTURE, 'facts.json'), 'utf8'))
    dataDir = await mkdtemp(join(tmpdir(), 'scorebook-ties-'))
    await cp(join(FIXTURE, 'installation'), dataDir, { recursive: true })
    const roles = new Set(['api', 'projector', 'rooms'] as const)
    const config = { ...BASE_CONFIG, roles, dataDir, filesDir: join(dataDir, 'files') }
    running = await start(config, pino({ level: 'silent' }), () => facts.now)
    client = createHttpClient(running.port ?? 0)
    token = await tokenFor(facts.serverKey)
  })
  after(async () => {
    client?.close()
    await running?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  for (const kind of ['best', 'every'] as const) {
    const order = async (more: string) => {
      const path = `/api/lb/${facts.boards[kind]}/score/?limit=100${more}`
      return must(await client.call('GET', path, { token }), 200).scores.map(({ player }: { player: string }) => player)
    }

    it(`rank in the order of the log, now and as of an instant, where ${kind === 'best' ? 'each player has' : 'each submission is'} an entry`, async () => {
      expect(facts.ranked[kind]).not.to.deep.equal(facts.recorded)
      expect(await order('')).to.deep.equal(facts.recorded)
      expect(await order(`&as_of=${new Date(facts.now).toISOString()}`)).to.deep.equal(facts.recorded)
    })
  }

  it('verify as equal', async () => {
    const lines = await (
      await openLines(running.port ?? 0, '/api/sys/verify/', await tokenFor(facts.operatorKey))
    ).all()
    const { result } = lines.at(-1) ?? {}
    expect(result).to.deep.include({ equal: true, differences: [], found: 0, parked: 0, behind: false })
  })
})
