// How much a player and a game may record in a day, over HTTP.

import { expect } from 'chai'
import { PLAYER_BYTES_PER_DAY } from '../../http/pipeline/recorded-bytes.ts'
import { DEFAULT_RATE_LIMITS } from '../../runtime/rate-limits.ts'
import { clientToken, type Guest, type MadeGame, makeBoard, makeGame, signInGuest } from './game-fixtures.ts'
import { answerCode } from './tenant.ts'
import { must, openWorld, tokenOf, type World } from './world.ts'

const FAST = { perSecond: 1_000_000, burst: 1_000_000 }
const TEXT_BYTES = 8_190
/** The bytes of one submission of the test: its event, its id, score and two nulls, and 8 KiB of extra data. */
const SUBMISSION_BYTES = 512 + 24 + 1 + 8 + 8 + TEXT_BYTES + 2
const CONCURRENCY = 16
/** Submissions that fit into a player’s day, except the last 16 to 32, which are sent one after another. */
const FITTING = (Math.floor(PLAYER_BYTES_PER_DAY / SUBMISSION_BYTES / CONCURRENCY) - 1) * CONCURRENCY
/** Two thousand submissions: on servers each takes some 20 ms. */
const DAY_RECORDED_WITHIN_MS = 180_000

describe('limits of recorded bytes over HTTP', () => {
  let world: World
  let game: MadeGame
  let client: string
  let operator: string
  let board: string
  let guest: Guest

  before(async () => {
    const { guest: guests } = DEFAULT_RATE_LIMITS
    world = await openWorld({ rateLimits: { key: FAST, player: FAST, address: FAST, handshake: FAST, guest: guests } })
  })
  after(() => world.close())
  beforeEach(async () => {
    game = await makeGame(world)
    operator = await tokenOf(world, world.operator)
    client = await clientToken(world, game)
    board = await makeBoard(world, game)
    guest = await signInGuest(world, game, client, 'Ada')
  })

  const submit = (token: string, more: object = {}, headers = {}) =>
    world.call('POST', `/api/lb/${board}/score/`, {
      token,
      body: { score: '1', extra_data: 'x'.repeat(TEXT_BYTES), ...more },
      headers,
    })
  const limits = (method: string, body?: object, token = operator) =>
    world.call(method, `/api/gm/${game.id}/limits/`, body === undefined ? { token } : { token, body })
  const tooMuch = '429 recording_limit'

  /** Submits until one is refused; returns the number before it. The first `fitting` ones are sent in parallel. */
  async function recordAll(token: string, fitting = 0): Promise<number> {
    for (let n = 0; n < fitting; n += CONCURRENCY) {
      const some = Array.from({ length: CONCURRENCY }, () => submit(token))
      for (const answer of await Promise.all(some)) expect(answer.status).to.be.oneOf([200, 201])
    }
    for (let n = fitting; ; n++) {
      const answer = await submit(token)
      if (answer.status === 429) return n
      if (answer.status > 201) throw new Error(answer.text)
    }
  }

  it('refuses every recording call of a player after 16 MiB, with Retry-After', async () => {
    const first = must(await submit(guest.token, {}, { 'idempotency-key': 'first' }), 201)
    const recorded = ((await recordAll(guest.token, FITTING)) + 1) * SUBMISSION_BYTES
    expect(recorded).to.be.within(PLAYER_BYTES_PER_DAY - 2_048, PLAYER_BYTES_PER_DAY + SUBMISSION_BYTES)
    const refused = await submit(guest.token, { extra_data: null })
    expect([answerCode(refused), refused.body.of]).to.deep.equal([tooMuch, 'player'])
    expect(refused.headers['retry-after']).to.equal(String(refused.body.retry_after))
    const me = `/api/gm/${game.id}/player/me/`
    expect(answerCode(await world.call('PUT', me, { token: guest.token, body: { name: 'Bea' } }))).to.deep.equal(
      tooMuch,
    )
    const signIn = { token: client, body: { guest_token: guest.guestToken } }
    expect(answerCode(await world.call('POST', `/api/gm/${game.id}/player/guest/`, signIn))).to.equal(tooMuch)

    // Reads, repeated calls and other players are not refused.
    must(await world.call('GET', me, { token: guest.token }), 200)
    const again = await submit(guest.token, {}, { 'idempotency-key': 'first' })
    expect([again.body.id, again.headers['idempotent-replay']]).to.deep.equal([first.id, 'true'])
    const other = await signInGuest(world, game, client, 'Cleo')
    must(await submit(other.token), 201)

    // What the tenant’s server records for the player counts to the game.
    must(await submit(game.token, { player: guest.id }), 200)
    world.clock.nowMs += refused.body.retry_after * 1_000
    must(await submit(guest.token), 200)
    expect(answerCode(await submit(guest.token))).to.equal(tooMuch)
  }).timeout(DAY_RECORDED_WITHIN_MS)

  it('does not count submissions of a server key to the player', async () => {
    for (let n = 0; n * SUBMISSION_BYTES < PLAYER_BYTES_PER_DAY; n += CONCURRENCY) {
      const some = Array.from({ length: CONCURRENCY }, () => submit(game.token, { player: guest.id }))
      for (const answer of await Promise.all(some)) expect(answer.status).to.be.oneOf([200, 201])
    }
    must(await submit(guest.token), 200)
  }).timeout(DAY_RECORDED_WITHIN_MS)

  it('refuses a game that recorded more than the operator set', async () => {
    const none = { game: game.id, recorded_bytes_per_day: null, mails_per_quarter_hour: 3_000 }
    expect(must(await limits('GET'), 200)).to.deep.equal(none)
    const set = { ...none, recorded_bytes_per_day: 1_048_576 }
    expect(must(await limits('PUT', { recorded_bytes_per_day: 1_048_576 }), 200)).to.deep.equal(set)
    expect(must(await limits('PUT', {}), 200)).to.deep.equal(set)
    expect(must(await limits('GET'), 200)).to.deep.equal(set)
    world.clock.nowMs += 10_000

    const recorded = (await recordAll(guest.token)) * SUBMISSION_BYTES
    expect(recorded).to.be.within(1_048_576 - 4_096, 1_048_576 + SUBMISSION_BYTES)
    const refused = await submit(game.token, { player: guest.id })
    expect([answerCode(refused), refused.body.of]).to.deep.equal([tooMuch, 'game'])
    expect(
      answerCode(
        await world.call('POST', `/api/gm/${game.id}/lb/`, {
          token: game.token,
          body: { name: 'B', ordering: 'desc' },
        }),
      ),
    ).to.deep.equal(tooMuch)

    // The operator raises the limit, and is not limited.
    expect(must(await limits('PUT', { recorded_bytes_per_day: null }), 200)).to.deep.equal(none)
    world.clock.nowMs += 10_000
    must(await submit(guest.token), 200)
  })

  it('lets only the operator read and change the limit of a game, and checks it', async () => {
    for (const token of [game.token, client]) {
      const { status, body } = await limits('GET', undefined, token)
      expect([status, body.code]).to.be.deep.oneOf([
        [403, 'permission_needed'],
        [403, 'tenant_only'],
      ])
      expect((await limits('PUT', {}, token)).status).to.equal(403)
    }
    for (const wrong of [0, 1_048_575, 2 ** 50 + 1, 1.5, '1', true]) {
      expect(answerCode(await limits('PUT', { recorded_bytes_per_day: wrong }))).to.equal('400 malformed')
    }
    const unknown = await world.call('GET', `/api/gm/${'a'.repeat(24)}/limits/`, { token: operator })
    expect(answerCode(unknown)).to.equal('404 game_not_found')
    const shown = must(await world.call('GET', `/api/gm/${game.id}/`, { token: game.token }), 200)
    expect(shown).to.not.have.property('limits')
  })
})

describe('limits of recorded bytes over HTTP, with RATE_LIMITS=off', () => {
  let world: World
  before(async () => {
    world = await openWorld({ rateLimits: 'off' })
  })
  after(() => world.close())

  it('does not refuse a game that records more than the operator set', async () => {
    const game = await makeGame(world)
    const [token, board] = [await tokenOf(world, world.operator), await makeBoard(world, game)]
    const guest = await signInGuest(world, game, await clientToken(world, game), 'Ada')
    const limit = 1_048_576
    must(await world.call('PUT', `/api/gm/${game.id}/limits/`, { token, body: { recorded_bytes_per_day: limit } }), 200)
    world.clock.nowMs += 10_000
    const body = { score: '1', extra_data: 'x'.repeat(TEXT_BYTES) }
    const submit = () => world.call('POST', `/api/lb/${board}/score/`, { token: guest.token, body })
    for (let recorded = 0; recorded < 1.2 * limit; recorded += CONCURRENCY * SUBMISSION_BYTES) {
      const answers = await Promise.all(Array.from({ length: CONCURRENCY }, submit))
      for (const { status } of answers) expect(status).to.be.oneOf([200, 201])
    }
  })
})
