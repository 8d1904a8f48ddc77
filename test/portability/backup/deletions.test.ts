// What was deleted or revoked after a backup stays so in a restore to before it, and leaves the backups.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { connect } from '../../../clients/javascript/connect.ts'
import { command, newFolder, openService, type Service } from '../../cli/service.ts'
import { pause } from '../../until.ts'
import { keyIn } from '../export/crawl.ts'
import { type BackedUp, holds, MASTER_KEY, openBackedUp, restoredFolder, withRestored } from './backed-up.ts'

const operatorOf = async ({ url, dataDir }: Service) => connect({ baseUrl: url, key: await keyIn(dataDir, null) })

interface SecretKey {
  readonly prefix: string
  readonly secret: string
}

describe('deletions and revocations after a backup', () => {
  let world: BackedUp
  let firstId: string
  let revoked: SecretKey
  let narrowed: SecretKey
  /** A player of the doomed game who did not exist at the first backup. */
  let laterInDoomed: string
  let doomed: { readonly id: string; readonly key: SecretKey }

  before(async function () {
    this.timeout(30_000)
    world = await openBackedUp()
    const { service, client, game, bob, backUp } = world
    const made = await client.issueKey(game, {
      name: 'revoked later',
      kind: 'server',
      algorithm: 'hmac-sha256',
    } as never)
    revoked = made as unknown as SecretKey
    const other = await client.issueKey(game, {
      name: 'narrowed later',
      kind: 'server',
      algorithm: 'hmac-sha256',
    } as never)
    narrowed = other as unknown as SecretKey
    const second = await service.json<{ game: { id: string } }>('game', 'create', 'Doomed Marker')
    doomed = { id: second.game.id, key: await keyIn(service.dataDir, second.game.id) }
    firstId = (await backUp()).id
    const inDoomed = await connect({ baseUrl: service.url, key: doomed.key })
    laterInDoomed = (await inDoomed.createPlayer(doomed.id, { name: 'Later' })).id
    await client.deletePlayer(game, bob)
    await client.revokeKey(game, revoked.prefix)
    const changed = await fetch(`${service.url}/api/gm/${game}/keys/${narrowed.prefix}/`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${await client.token()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ permissions: ['lb:*:scores', `gm:${game}:events`] }),
    })
    expect(changed.status).to.equal(200)
    const operator = await operatorOf(service)
    const brief = await service.json<{ game: { id: string } }>('game', 'create', 'Brief Marker')
    for (const [id, name] of Object.entries({ [doomed.id]: 'Doomed Marker', [brief.game.id]: 'Brief Marker' })) {
      const gone = await fetch(`${service.url}/api/gm/${id}/`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${await operator.token()}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      })
      expect(gone.status).to.equal(202)
    }
    await untilErased(operator, 2)
    expect((await backUp()).rewritten).to.equal(1)
  })
  after(() => world.service.close())

  async function untilErased(operator: Awaited<ReturnType<typeof operatorOf>>, games: number): Promise<void> {
    for (let erased = 0; ; erased = 0) {
      for await (const { type } of operator.wholeLog(() => {})) if (type === 'GameErased') erased++
      if (erased === games) return
      await pause(200)
    }
  }

  const handshake = (service: Service, key: SecretKey) =>
    connect({ baseUrl: service.url, key }).then(
      () => 'accepted',
      (failure: { status?: number }) => failure.status,
    )

  it('a deleted player stays deleted, and their text is in no byte of the restored folder', async () => {
    await withRestored(world, ['--backup', firstId], async (service, client) => {
      const { scores } = await client.scores(world.board)
      expect(scores.map(({ player }) => player)).to.deep.equal([world.ada])
      const found = await client.player(world.game, world.bob).catch((failure: { status: number }) => failure.status)
      expect(found).to.equal(404)
      expect((await service.run('verify')).out).to.match(/^equal: /)
    })
    const folder = await restoredFolder(world, '--backup', firstId)
    expect(['Bob Marker', 'Ada Marker'].map((text) => holds(folder, text))).to.deep.equal([false, false])
    const service = await openService({ MASTER_KEY, DATA_DIR: folder })
    const names = []
    const client = await connect({ baseUrl: service.url, key: await keyIn(world.service.dataDir, world.game) })
    for await (const { type, data } of client.events(world.game)) if (type === 'PlayerCreated') names.push(data.name)
    await service.stop()
    expect(names).to.deep.equal(['Ada Marker', null])
    expect(holds(folder, 'Bob Marker')).to.equal(false)
  })

  it('a key revoked later stays revoked', async () => {
    await withRestored(world, ['--backup', firstId], async (service) => {
      expect(await handshake(service, revoked)).to.equal(401)
    })
  })

  it('a key whose permissions were narrowed later keeps them narrow, and the command says so', async () => {
    const to = join(await newFolder(), 'narrowed')
    const result = await command(
      { MASTER_KEY },
      'restore',
      '--from',
      world.destination,
      '--to',
      to,
      '--backup',
      firstId,
    )
    const narrowedLine = 'Keys that have fewer permissions than at that point, because some were withdrawn since: 1.'
    expect(result.out).to.contain(narrowedLine)
    const service = await openService({ MASTER_KEY, DATA_DIR: to })
    const { permissions } = await connect({ baseUrl: service.url, key: narrowed })
    expect([...permissions].sort()).to.deep.equal([`gm:${world.game}:events`, 'lb:*:scores'])
    await service.stop()
  })

  it('a game deleted later stays deleted, and its key is refused', async () => {
    await withRestored(world, ['--backup', firstId], async (service) => {
      expect(await handshake(service, doomed.key)).to.equal(401)
      const operator = await operatorOf(service)
      const { games } = await operator.games()
      expect(games.map(({ id }) => id)).to.deep.equal([world.game])
      expect((await service.run('verify')).out).to.match(/^equal: /)
    })
  })

  it('a player of that game who did not exist yet is in no byte of the restored folder', async () => {
    const folder = await restoredFolder(world, '--backup', firstId)
    expect([laterInDoomed, doomed.id].map((id) => holds(folder, id))).to.deep.equal([false, true])
  })

  it('the destination has no data of the deleted game any more', () => {
    for (const name of ['Doomed Marker', 'Brief Marker'])
      expect([name, holds(world.destination, name)]).to.deep.equal([name, false])
    expect(readdirSync(join(world.destination, 'secrets'))).to.have.length(1)
  })

  it('refuses to continue the backups of an installation with those of its restore', async () => {
    const folder = await restoredFolder(world)
    const result = await command({ MASTER_KEY, DATA_DIR: folder }, 'backup', '--to', world.destination)
    expect([result.code, result.err]).to.deep.equal([
      1,
      `scorebook: ${world.destination} has backups of another installation, or from before a restore. Use another folder or prefix.`,
    ])
  })
})
