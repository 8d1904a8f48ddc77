// `scorebook backup` beside a running server, and `scorebook restore` into a new folder.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { connect } from '../../client/connect.ts'
import { keyIn } from '../archive/crawl.ts'
import { command, type Env, newFolder, openService, type Service } from '../cli/service.ts'
import { pause } from '../until.ts'

const MASTER = Buffer.from('master-key-marker-master-key-mar')
const MASTER_KEY = MASTER.toString('base64')

/** All bytes of a folder, compressed ones also as text. */
function bytesIn(folder: string): Buffer {
  const all: Buffer[] = []
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) all.push(bytesIn(path))
    else {
      const bytes = readFileSync(path)
      all.push(bytes, name.endsWith('.gz') ? gunzipSync(bytes) : Buffer.alloc(0))
    }
  }
  return Buffer.concat(all)
}

const holds = (folder: string, text: string | Buffer): boolean => bytesIn(folder).includes(text)

interface Filled {
  readonly service: Service
  readonly game: string
  readonly board: string
  readonly place: string
  readonly ada: string
  readonly bob: string
}

/** A service with one game, two players and their scores. */
async function filled(): Promise<Filled> {
  const service = await openService({ MASTER_KEY, DATA_DIR: await newFolder() })
  const { game } = await service.json<{ game: { id: string } }>('game', 'create', 'Quest')
  const board = (await service.json<{ id: string }>('board', 'create', 'High scores', '--unique')).id
  const ada = (await service.json<{ id: string }>('player', 'create', 'Ada Marker')).id
  const bob = (await service.json<{ id: string }>('player', 'create', 'Bob Marker')).id
  const client = await clientOf(service, game.id)
  await client.submit(board, { player: ada, score: '10' })
  await client.submit(board, { player: bob, score: '20', extra_data: { note: 'Bob wrote this' } })
  return { service, game: game.id, board, place: join(await newFolder(), 'place'), ada, bob }
}

const clientOf = async (service: Pick<Service, 'url' | 'dataDir'>, game: string) =>
  connect({ baseUrl: service.url, key: await keyIn(service.dataDir, game) })

/** Restores into a new folder and starts a server there, with the game's saved key. */
async function restored(from: Filled, ...more: string[]): Promise<Service> {
  const folder = join(await newFolder(), 'restored')
  const result = await command({ MASTER_KEY }, 'restore', '--from', from.place, '--to', folder, ...more)
  expect(result.code, result.err).to.equal(0)
  return openService({ MASTER_KEY, DATA_DIR: folder })
}

const env: Env = { MASTER_KEY }

describe('scorebook backup', () => {
  let world: Filled
  let atInstant: string
  let asOf: unknown
  let oldPosition: string
  let oldToken: string
  before(async function () {
    this.timeout(30_000)
    world = await filled()
  })
  after(() => world.service.close())

  it('backs up a running server, and then only what is new', async () => {
    const { service, board, place, ada, game } = world
    const first = await service.json<Made>('backup', '--to', place)
    expect(first.new_events).to.equal(first.events)
    const again = await service.json<Made>('backup', '--to', place)
    expect(again).to.include({ events: first.events, new_events: 0, head: first.head })
    await pause(5)
    atInstant = new Date().toISOString()
    await pause(5)
    const client = await clientOf(service, game)
    asOf = await client.scores(board, { as_of: atInstant } as never)
    await client.submit(board, { player: ada, score: '99' })
    for await (const event of client.events(game)) oldPosition = event.position
    oldToken = await client.token()
    const third = await service.json<Made>('backup', '--to', place)
    expect(third.new_events).to.equal(1)
    const verified = await command(env, 'backup', 'verify', place, '--json')
    expect(verified.json()).to.deep.include({ whole: true, backups: 3, newest: third.id, events: third.events })
    const listed = await command(env, 'backup', 'list', place, '--json')
    expect(listed.json<Made[]>().map(({ id, events }) => [id, events])).to.deep.equal([
      [first.id, first.events],
      [again.id, first.events],
      [third.id, third.events],
    ])
  })

  it('restores to an instant, with the leaderboard as it was then', async () => {
    const service = await restored(world, '--at', atInstant)
    try {
      const operator = await operatorOf(service)
      const key = (await operator.issueKey(world.game, { name: 'new', kind: 'server' } as never)) as never
      const client = await connect({ baseUrl: service.url, key: apiKeyOf(key) })
      expect(await client.scores(world.board)).to.deep.equal(asOf)
      const verified = await service.run('verify')
      expect(verified.out).to.match(/^equal: /)
    } finally {
      await service.close()
    }
  })

  it('refuses tokens, positions and consistency tokens from before the restore', async () => {
    const service = await restored(world)
    try {
      const call = (path: string, headers: Record<string, string>) => fetch(service.url + path, { headers })
      const refused = await call(`/api/lb/${world.board}/scores/`, { Authorization: `Bearer ${oldToken}` })
      expect(refused.status).to.equal(401)
      const operator = await operatorOf(service)
      const key = (await operator.issueKey(world.game, { name: 'new', kind: 'server' } as never)) as never
      const client = await connect({ baseUrl: service.url, key: apiKeyOf(key) })
      const headers = { Authorization: `Bearer ${await client.token()}` }
      const from = await call(`/api/gm/${world.game}/events/?from=${oldPosition}`, headers)
      expect([from.status, ((await from.json()) as { code: string }).code]).to.deep.equal([400, 'position_unknown'])
    } finally {
      await service.close()
    }
  })

  it('never contains the master key', () => {
    for (const form of [MASTER, MASTER_KEY, MASTER.toString('base64url'), MASTER.toString('hex')]) {
      expect(holds(world.place, form)).to.equal(false)
    }
    expect(holds(world.place, 'Marker')).to.equal(false)
    expect(existsSync(join(world.place, 'secrets.json'))).to.equal(false)
  })
})

interface Made {
  readonly id: string
  readonly events: number
  readonly new_events: number
  readonly head: string
}

const operatorOf = async (service: Service) =>
  connect({ baseUrl: service.url, key: await keyIn(service.dataDir, null) })

const apiKeyOf = (made: { key: { prefix: string }; secret?: string; prefix?: string }) => made as never
