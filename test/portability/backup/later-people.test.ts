// People, logins and keys that did not exist at the instant of a restore leave nothing in the restored folder, although
// the backup has their secrets.

import { join } from 'node:path'
import { expect } from 'chai'
import { type Client, connect } from '../../../clients/javascript/connect.ts'
import { openVault } from '../../../stores/embedded/vault.ts'
import { openService, type Service } from '../../cli/service.ts'
import { pause } from '../../until.ts'
import { keyIn } from '../export/crawl.ts'
import { type BackedUp, holds, MASTER_KEY, openBackedUp, restoredFolder } from './backed-up.ts'

interface SignedIn {
  readonly player: { readonly id: string }
  readonly guest_token: string
}

describe('people who registered after the instant of a restore', () => {
  let world: BackedUp
  let folder: string
  let earlier: SignedIn
  const laterIds: string[] = []

  const post = async (service: Service, client: Client, path: string, body: object): Promise<SignedIn> => {
    const headers = { Authorization: `Bearer ${await client.token()}`, 'Content-Type': 'application/json' }
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status, path).to.be.within(200, 201)
    return (await answer.json()) as SignedIn
  }

  before(async function () {
    this.timeout(30_000)
    world = await openBackedUp()
    const { service, client, game } = world
    const signIn = (how: string, body: object) => post(service, client, `/api/gm/${game}/player/${how}/`, body)
    earlier = await signIn('guest', { name: 'Earlier' })
    const registered = { login: 'earlier', password: 'correct horse', email: 'earlier@example.com' }
    await signIn('register', registered)
    await pause(3)
    const then = new Date().toISOString()
    await pause(3)
    const guest = await signIn('guest', { name: 'Later' })
    const later = await signIn('register', { ...registered, login: 'later', email: 'later@example.com' })
    const deleted = await signIn('guest', { name: 'Deleted' })
    await client.deletePlayer(game, deleted.player.id)
    const key = await client.issueKey(game, { name: 'later', kind: 'server', algorithm: 'hmac-sha256' } as never)
    laterIds.push(guest.player.id, later.player.id, deleted.player.id, (key as unknown as { prefix: string }).prefix)
    await world.backUp()
    folder = await restoredFolder(world, '--at', then)
  })
  after(() => world.service.close())

  it('have no secret in the vault, and no id in any byte of the folder', () => {
    expect(laterIds.map((id) => [id, holds(folder, id)])).to.deep.equal(laterIds.map((id) => [id, false]))
  })

  it('leave exactly the secrets of the others: logins, guest tokens, keys of texts and API keys', async () => {
    const vault = await openVault(join(folder, 'vault.sqlite'))
    const kinds: Record<string, number> = {}
    for (const { kind } of await vault.scan(null, 1_000)) kinds[kind] = (kinds[kind] ?? 0) + 1
    await vault.close()
    expect(kinds).to.deep.include({ password: 1, login: 1, email: 1, 'guest-token': 1, 'player-key': 4 })
    expect(Object.keys(kinds)).not.to.include('refresh-token')
  })

  it('do not keep the earlier ones from signing in', async () => {
    const service = await openService({ MASTER_KEY, DATA_DIR: folder })
    const client = await connect({ baseUrl: service.url, key: await keyIn(world.service.dataDir, world.game) })
    const signIn = (how: string, body: object) => post(service, client, `/api/gm/${world.game}/player/${how}/`, body)
    expect((await signIn('guest', { guest_token: earlier.guest_token })).player.id).to.equal(earlier.player.id)
    await signIn('password', { login: 'earlier', password: 'correct horse' })
    await service.stop()
  })
})
