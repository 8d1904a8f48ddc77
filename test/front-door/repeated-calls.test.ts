// Calls repeated with their Idempotency-Key after other calls must have no second effect.

import { expect } from 'chai'
import { clientToken, type MadeGame, makeBoard, makeGame, signInGuest } from './game-fixtures.ts'
import { sharedWorld } from './shared.ts'
import { must, type World } from './world.ts'

describe('repeated calls after other calls', () => {
  let world: World
  let game: MadeGame
  let client: string

  before(async () => {
    world = await sharedWorld()
    game = await makeGame(world)
    client = await clientToken(world, game)
  })

  const headers = (key: string) => ({ 'idempotency-key': key })
  const player = (rest: string) => `/api/gm/${game.id}/player/${rest}`
  const again = async (guestToken: string) =>
    must(await world.call('POST', player('guest/'), { token: client, body: { guest_token: guestToken } }), 200).token

  for (const everywhere of [false, true]) {
    it(`does not end a session that began after the first sign-out${everywhere ? ' everywhere' : ''}`, async () => {
      const guest = await signInGuest(world, game, client)
      const sent = { body: { everywhere }, headers: headers(`out ${everywhere}`) }
      const first = await world.call('POST', player('signout/'), { token: guest.token, ...sent })
      expect([first.status, first.body]).to.deep.equal([200, { signed_out: 1 }])
      const later = await again(guest.guestToken)
      const repeat = await world.call('POST', player('signout/'), { token: later, ...sent })
      expect([repeat.status, repeat.body, repeat.headers['idempotent-replay']]).to.deep.equal([
        200,
        { signed_out: 1 },
        'true',
      ])
      expect((await world.call('GET', player('me/'), { token: later })).status).to.equal(200)
    })
  }

  it('replays a call that changed nothing, and refuses its key for another call', async () => {
    const board = await makeBoard(world, game, { name: 'A' })
    const put = (name: string, key?: string) =>
      world.call('PUT', `/api/lb/${board}/`, {
        token: game.token,
        body: { name },
        ...(key === undefined ? {} : { headers: headers(key) }),
      })
    expect(must(await put('A', 'same'), 200).name).to.equal('A')
    must(await put('B'), 200)
    const repeat = await put('A', 'same')
    expect([repeat.status, repeat.body.name, repeat.headers['idempotent-replay']]).to.deep.equal([200, 'A', 'true'])
    expect(must(await world.call('GET', `/api/lb/${board}/`, { token: game.token }), 200).name).to.equal('B')
    expect((await put('C', 'same')).body.code).to.equal('idempotency_key_reused')
  })

  it('replays a score that omits null fields or spells its decimal differently', async () => {
    const board = await makeBoard(world, game)
    const guest = await signInGuest(world, game, client)
    const submit = (body: object) =>
      world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, body, headers: headers('score') })
    const first = must(await submit({ score: '5' }), 201)
    const repeat = await submit({ score: '5.0', secondary_score: null, extra_data: null, player_name: null })
    expect([repeat.status, repeat.body, repeat.headers['idempotent-replay']]).to.deep.equal([201, first, 'true'])
  })
})
