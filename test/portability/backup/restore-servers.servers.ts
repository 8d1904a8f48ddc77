// The backup and the restore of database servers in the documented order: the log, then the vault; after the restore of
// both, with views and Redis as they were left, `scorebook restore --servers`.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Document, MongoClient } from 'mongodb'
import { type Client, connect } from '../../../clients/javascript/connect.ts'
import { newFolder, openService, type Service } from '../../cli/service.ts'
import { firstCode } from '../../front-door/mails.ts'
import { type EventStoreServer, startEventStore } from '../../servers/eventstoredb/server.ts'
import { BUILD_TIMEOUT_MS } from '../../servers/ferretdb.ts'
import { endSharedServers, environmentOf, freshStoresBeside, type ServerStores } from '../../servers/store-urls.ts'
import { keyIn } from '../export/crawl.ts'
import { MASTER_KEY } from './backed-up.ts'

const EMAIL = 'ada@example.com'

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly consistency: string
}

describe('a restore of database servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scorebook-restore-servers-'))
  const [data, copy] = [join(folder, 'log'), join(folder, 'copy')]
  let eventStore: EventStoreServer
  let fresh: ServerStores
  let service: Service
  let env: Record<string, string>
  let game: string
  let board: string
  let boardThen: unknown
  let later: string
  const old = { token: '', position: '', consistency: '', code: '', refreshToken: '' }

  const client = async (): Promise<Client> => connect({ baseUrl: service.url, key: await keyIn(service.dataDir, game) })

  async function send(token: string, path: string, body: object | null = null, more = {}): Promise<Answer> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...more }
    const sent = body === null ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(service.url + path, sent)
    const text = await answer.text()
    const consistency = answer.headers.get('X-Consistency-Token') ?? ''
    return {
      status: answer.status,
      body: answer.headers.get('Content-Type')?.includes('ndjson') ? {} : JSON.parse(text),
      consistency,
    }
  }
  const outcome = ({ status, body }: Answer) => [status, body.code]

  async function withSecrets<Result>(
    use: (secrets: ReturnType<MongoClient['db']>) => Promise<Result>,
  ): Promise<Result> {
    const mongo = new MongoClient(fresh.storeUrls.servers.mongoUrl)
    return use(mongo.db()).finally(() => mongo.close())
  }

  let refused: Awaited<ReturnType<Service['run']>>

  before(async function () {
    this.timeout(BUILD_TIMEOUT_MS)
    eventStore = await startEventStore({ dataFile: data })
    fresh = await freshStoresBeside(eventStore)
    env = { ...environmentOf(fresh.storeUrls), MASTER_KEY, DATA_DIR: await newFolder() }
    service = await openService(env)
    game = (await service.json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
    board = (await service.json<{ id: string }>('board', 'create', 'High scores', '--no-unique')).id
    const before = await client()
    const { id: player } = await before.createPlayer(game, { name: 'Ada' })
    for (let n = 0; n < 20; n++) await before.submit(board, { player, score: String(n) })
    old.token = await before.token()
    const guest = await before.asGuest(game, { name: 'Guest' })
    old.refreshToken = guest.refreshToken ?? ''
    await send(old.token, `/api/gm/${game}/player/code/`, { email: EMAIL })
    old.code = await firstCode(service, EMAIL)
    boardThen = (await before.scores(board)).scores
    // The backup: the log first, then the vault, while the server runs.
    copyFileSync(data, copy)
    later = (await before.createPlayer(game, { name: 'Later' })).id
    const secrets = await withSecrets((db) => db.collection('secrets').find().toArray())
    expect(secrets.map(({ _id }) => String(_id))).to.include(`player-key/${later}`)
    const { consistency } = await send(old.token, `/api/lb/${board}/score/`, { player, score: '99' })
    old.consistency = consistency
    for await (const event of before.events(game)) old.position = event.position
    await restoreCopies(secrets)
  })

  async function restoreCopies(secrets: readonly Document[]): Promise<void> {
    refused = await service.run('restore', '--servers')
    await service.stop()
    await eventStore.stop()
    eventStore = await startEventStore({ dataFile: copy, port: eventStore.port })
    await withSecrets(async (db) => {
      await db.collection('secrets').drop()
      await db.collection('secrets').insertMany([...secrets])
    })
    const restored = await service.run('restore', '--servers', '--json')
    expect(restored.code, restored.err).to.equal(0)
    expect(restored.json()).to.deep.include({ sessions: 1, unknown_secrets: 1 })
    service = await openService(env)
  }

  after(async () => {
    await service.close()
    await fresh.end()
    await eventStore.stop()
    await endSharedServers()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is refused while a process of the installation runs, and says what to do', () => {
    expect([refused.code, refused.err]).to.deep.equal([
      1,
      'scorebook: A process of this installation is running, or ended within the last seconds. Stop all of them, and run ' +
        'this again.',
    ])
  })

  it('has the leaderboard of the backup, and `verify` says equal', async () => {
    expect((await (await client()).scores(board)).scores).to.deep.equal(boardThen)
    expect((await service.run('verify')).out).to.match(/^equal: /)
  })

  it('leaves nothing in the vault of a player whom the log does not have, and the keys of the others', async () => {
    const ids = await withSecrets((db) => db.collection('secrets').distinct('_id'))
    expect(ids.filter((id) => String(id).includes(later))).to.deep.equal([])
    const names = []
    for await (const { type, data } of (await client()).events(game))
      if (type === 'PlayerCreated') names.push(data.name)
    expect(names).to.deep.equal(['Ada', 'Guest'])
  })

  it('refuses a token and a session from before the restore', async () => {
    expect(outcome(await send(old.token, `/api/lb/${board}/score/`))).to.deep.equal([401, 'token_rejected'])
    const refresh = await send(old.token, `/api/gm/${game}/player/refresh/`, { refresh_token: old.refreshToken })
    expect(outcome(refresh)).to.deep.equal([401, 'sign_in_rejected'])
  })

  it('refuses a code from before the restore', async () => {
    const token = await (await client()).token()
    const verified = await send(token, `/api/gm/${game}/player/code/verify/`, { email: EMAIL, code: old.code })
    expect(outcome(verified)).to.deep.equal([401, 'sign_in_rejected'])
  })

  it('refuses positions and consistency tokens from before the restore, and knows its own positions', async () => {
    const now = await client()
    const token = await now.token()
    const events = `/api/gm/${game}/events/`
    expect(outcome(await send(token, `${events}?from=${old.position}`))).to.deep.equal([400, 'position_unknown'])
    const { position } = (await now.events(game).next()).value ?? { position: '' }
    expect((await send(token, `${events}?from=${position}`)).status).to.equal(200)
    const headers = { 'X-Consistency-Token': old.consistency }
    const read = await send(token, `/api/lb/${board}/score/`, null, headers)
    expect(outcome(read)).to.deep.equal([400, 'consistency_token_unknown'])
  })

  it('ranks new submissions', async () => {
    const now = await client()
    const { id: player } = await now.createPlayer(game, { name: 'Bob' })
    await now.submit(board, { player, score: '1000' })
    expect((await now.scores(board)).scores[0]?.score).to.equal('1000')
  })
}).timeout(60_000)
