// The master key changes under a server whose players sign in in every way: none of them is
// ever refused, on whichever stores.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { secretsFile } from '../../stores/embedded/data-folder.ts'
import { command } from '../cli/service.ts'
import { environmentOf } from '../servers/places.ts'
import { type Door, openDoor, PASSWORD } from './players-at-the-door.ts'
import { makeKey, signInGuest } from './scenery.ts'
import { must, openWorld, type Signer, tokenOf, type World } from './world.ts'

const SEALED = 'the present master key encrypts the whole vault'

describe('a change of the master key', function () {
  this.timeout(120_000)
  let world: World
  let door: Door
  let hmac: Signer
  const MAIL = 'eve@example.com'
  const EXTERNAL = { external_id: 'steam:7', name: 'Ada' }

  before(async () => {
    world = await openWorld({ logLevel: 'info' })
    door = await openDoor(world)
  })
  after(() => world.close())

  /** Signs everybody in; answers their ids and what a repeated call says. */
  async function everybody(guestToken: string, refreshToken: string) {
    const renewed = await door.renewed()
    const idOf = async (way: string, body: object) => must(await renewed.post(way, body), 200).player.id
    const { game } = door
    const key = { name: 'repeated', kind: 'server', algorithm: 'hmac-sha256', permissions: [] }
    const headers = { 'idempotency-key': 'the same call' }
    const path = `/api/gm/${game.id}/keys/`
    const token = await tokenOf(world, game.server)
    return {
      registered: await idOf('password', { login: 'ada', password: PASSWORD }),
      guest: await idOf('guest', { guest_token: guestToken }),
      refreshed: await idOf('refresh', { refresh_token: refreshToken }),
      external: await idOf('ticket/redeem', {
        ticket: must(await renewed.post('ticket', EXTERNAL, token), 201).ticket,
      }),
      mailed: await idOf('code/verify', { email: MAIL, code: await renewed.code(MAIL) }),
      hmac: (await tokenOf(world, hmac)) !== '',
      repeated: must(await world.call('POST', path, { token, body: key, headers }), 201),
      name: must(await renewed.post('password', { login: 'ada', password: PASSWORD }), 200).player.name,
    }
  }

  it('refuses nobody, beside the sealing and over every restart', async () => {
    const guest = await signInGuest(world, door.game, door.client, 'Gus')
    await door.register({ login: 'ada', name: 'Ada L.' })
    hmac = await makeKey(world, door.game)
    must(await door.post('code/verify', { email: MAIL, code: await door.code(MAIL) }), 201)
    const first = await everybody(guest.guestToken, guest.refreshToken)
    expect(first.name).to.equal('Ada L.')
    const kept = JSON.parse(await readFile(secretsFile(world.dataDir), 'utf8'))
    const [old, fresh] = [Buffer.from(kept.masterKey, 'base64url'), randomBytes(32)]
    let bearer = guest.token
    const again = async (what: string) => {
      expect(await door.stands(bearer), `a token of before: ${what}`).to.equal(200)
      // Half an hour: codes may be mailed again, and the session stands.
      world.clock.nowMs += 30 * 60_000
      expect(await everybody(guest.guestToken, guest.refreshToken), what).to.deep.equal(first)
      bearer = must(await (await door.renewed()).post('guest', { guest_token: guest.guestToken }), 200).token
    }
    await world.restart({ masterKey: old, oldMasterKeys: [fresh] })
    await again('the new key is known')
    await world.restart({ masterKey: fresh, oldMasterKeys: [old] })
    const beside = again('beside the sealing')
    await sealedAnew(old, fresh)
    await beside
    await again('all re-encrypted')
    await world.restart({ masterKey: fresh, oldMasterKeys: [] })
    await again('the old key is gone')
  })

  /** The embedded server does it by itself; on servers the command does, beside it. */
  async function sealedAnew(old: Uint8Array, fresh: Uint8Array): Promise<void> {
    if (world.places.mongoUrl !== null) {
      const keys = { MASTER_KEY: text(fresh), MASTER_KEY_OLD: text(old) }
      const env = { DATA_DIR: world.dataDir, ...environmentOf(world.places), ...keys }
      const said = await command(env, 'master-key', 'rotate', '--json')
      expect([said.code, said.json<{ complete: boolean }>().complete], said.err).to.deep.equal([0, true])
      return
    }
    while (!world.lines.some((line) => line.includes(SEALED) && /"resealed":[1-9]/.test(line))) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
})

const text = (key: Uint8Array) => Buffer.from(key).toString('base64')
