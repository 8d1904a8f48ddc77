// The master key changes under a server whose players use every sign-in method: no player is refused, on any stores.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { secretsFile } from '../../stores/embedded/data-folder.ts'
import { command } from '../cli/service.ts'
import { environmentOf } from '../servers/store-urls.ts'
import { turn } from '../until.ts'
import { makeKey, signInGuest } from './game-fixtures.ts'
import { openSignInApi, PASSWORD, type SignInApi } from './sign-in-api.ts'
import { must, openWorld, type Signer, tokenOf, type World } from './world.ts'

const SEALED = 'the present master key encrypts the whole vault'

describe('a change of the master key', function () {
  this.timeout(120_000)
  let world: World
  let api: SignInApi
  let hmac: Signer
  const MAIL = 'eve@example.com'
  const EXTERNAL = { external_id: 'steam:7', name: 'Ada' }

  before(async () => {
    world = await openWorld({ logLevel: 'info' })
    api = await openSignInApi(world)
  })
  after(() => world.close())

  /** Signs all players in; returns their ids and the answer to a repeated call. */
  async function everybody(guestToken: string, refreshToken: string) {
    const renewed = await api.withNewToken()
    const idOf = async (method: string, body: object) => must(await renewed.post(method, body), 200).player.id
    const { game } = api
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

  it('signs every player in during the re-encryption and after every restart', async () => {
    const guest = await signInGuest(world, api.game, api.client, 'Gus')
    await api.register({ login: 'ada', name: 'Ada L.' })
    hmac = await makeKey(world, api.game)
    must(await api.post('code/verify', { email: MAIL, code: await api.code(MAIL) }), 201)
    const first = await everybody(guest.guestToken, guest.refreshToken)
    expect(first.name).to.equal('Ada L.')
    const kept = JSON.parse(await readFile(secretsFile(world.dataDir), 'utf8'))
    const [old, fresh] = [Buffer.from(kept.masterKey, 'base64url'), randomBytes(32)]
    let bearer = guest.token
    const again = async (what: string) => {
      expect(await api.meStatus(bearer), `an earlier token: ${what}`).to.equal(200)
      // After half an hour codes may be mailed again, and the session is still valid.
      world.clock.nowMs += 30 * 60_000
      expect(await everybody(guest.guestToken, guest.refreshToken), what).to.deep.equal(first)
      bearer = must(await (await api.withNewToken()).post('guest', { guest_token: guest.guestToken }), 200).token
    }
    await world.restart({ masterKey: old, oldMasterKeys: [fresh] })
    await again('the new key is known')
    await world.restart({ masterKey: fresh, oldMasterKeys: [old] })
    const during = again('during the re-encryption')
    await reencrypt(old, fresh)
    await during
    await again('all re-encrypted')
    await world.restart({ masterKey: fresh, oldMasterKeys: [] })
    await again('the old key is removed')
  })

  /** The embedded server re-encrypts by itself; on servers the command does, while the server runs. */
  async function reencrypt(old: Uint8Array, fresh: Uint8Array): Promise<void> {
    if (world.storeUrls.servers !== null) {
      const keys = { MASTER_KEY: text(fresh), MASTER_KEY_OLD: text(old) }
      const env = { DATA_DIR: world.dataDir, ...environmentOf(world.storeUrls), ...keys }
      const rotated = await command(env, 'master-key', 'rotate', '--json')
      expect([rotated.code, rotated.json<{ complete: boolean }>().complete], rotated.err).to.deep.equal([0, true])
      return
    }
    while (!world.lines.some((line) => line.includes(SEALED) && /"resealed":[1-9]/.test(line))) {
      await turn()
    }
  }
})

const text = (key: Uint8Array) => Buffer.from(key).toString('base64')
