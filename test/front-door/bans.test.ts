// Bans from the callers’ point of view: what the player may still do, what others see, and that an unban restores all.

import { expect } from 'chai'
import { eventually } from '../until.ts'
import { makeBoard, makePlayer } from './game-fixtures.ts'
import { guestFixture } from './guest-fixture.ts'
import type { Answered } from './http-client.ts'
import { answerCode } from './tenant.ts'
import { must, tokenOf } from './world.ts'

const HOUR_MS = 3_600_000
const UNBAN_WAIT_MS = 2_000

describe('over HTTP: bans of players', () => {
  const at = guestFixture()
  const get = (where: string) => at.call('GET', where)
  const post = (where: string, body?: unknown, headers?: Record<string, string>) =>
    at.call('POST', where, body, headers)
  const ban = (body?: unknown, id?: string) => post(`${at.path(id)}ban/`, body)
  const unban = () => post(`${at.path()}unban/`)
  const soon = () => new Date(at.world.clock.nowMs + HOUR_MS).toISOString()

  it('answers a ban with since, until and reason, and an unban with the player as before', async () => {
    const free = must(await get(at.path()), 200)
    const since = at.tenant.nowText()
    const until = soon()
    const banned = must(await ban({ reason: 'unfair', until: until.replace('Z', '+00:00') }), 200)
    expect(banned).to.deep.equal({ ...free, banned: { since, until, reason: 'unfair' } })
    expect(must(await get(at.path()), 200)).to.deep.equal(banned)
    at.world.clock.nowMs += 1_000
    expect(must(await ban(), 200).banned).to.deep.equal({ since, until: null, reason: null })
    expect(must(await unban(), 200)).to.deep.equal(free)
    expect(must(await unban(), 200)).to.deep.equal(free)
  })

  it('refuses a ban whose end has passed with 422, and unknown or invalid fields with 400', async () => {
    const past = new Date(at.world.clock.nowMs).toISOString()
    expect(answerCode(await ban({ until: past }))).to.equal('422 ban_end_passed')
    for (const body of [{ until: '2099-01-01' }, { why: 'x' }, { reason: 7 }, { reason: 'x'.repeat(1_001) }]) {
      expect(answerCode(await ban(body)), JSON.stringify(body)).to.equal('400 malformed')
    }
    expect(must(await get(at.path()), 200).banned).to.equal(null)
  })

  it('refuses every call, sign-in and renewal of a banned player with 403 until the ban is lifted', async () => {
    const board = await makeBoard(at.world, at.game)
    const until = soon()
    must(await ban({ reason: 'unfair', until }), 200)
    const me = `/api/gm/${at.game.id}/player/me/`
    const calls = () => [
      at.world.call('GET', me, { token: at.guest.token }),
      at.world.call('GET', `/api/lb/${board}/score/`, { token: at.guest.token }),
      at.world.call('POST', `/api/lb/${board}/score/`, { token: at.guest.token, body: { score: '1' } }),
      at.world.call('POST', `/api/gm/${at.game.id}/player/signout/`, { token: at.guest.token }),
      at.world.call('POST', `/api/gm/${at.game.id}/player/guest/`, {
        token: at.client,
        body: { guest_token: at.guest.guestToken },
      }),
      at.world.call('POST', `/api/gm/${at.game.id}/player/refresh/`, {
        body: { refresh_token: at.guest.refreshToken },
      }),
      at.submit(board, '1', at.guest.id),
    ]
    for (const answer of await Promise.all(calls())) {
      expect(answerCode(answer)).to.equal('403 player_banned')
      expect([answer.body.until, answer.body.reason]).to.deep.equal([until, 'unfair'])
    }
    must(await unban(), 200)
    must(await at.world.call('GET', me, { token: at.guest.token }), 200)
    must(
      await at.world.call('POST', `/api/gm/${at.game.id}/player/refresh/`, {
        body: { refresh_token: at.guest.refreshToken },
      }),
      200,
    )
  })

  it('replays a repeated ban from its Idempotency-Key, and refuses that key for an unban', async () => {
    const key = { 'idempotency-key': `ban ${at.guest.id}` }
    const first = await post(`${at.path()}ban/`, { reason: 'unfair' }, key)
    must(await unban(), 200)
    const again = await post(`${at.path()}ban/`, { reason: 'unfair' }, key)
    expect(again.headers['idempotent-replay']).to.equal('true')
    expect(must(again, 200)).to.deep.equal(must(first, 200))
    expect(must(await get(at.path()), 200).banned).to.equal(null)
    expect((await post(`${at.path()}unban/`, undefined, key)).body.code).to.equal('idempotency_key_reused')
  })

  for (const unique of [true, false]) {
    const kind = unique ? 'a unique board' : 'a board of every submission'

    it(`closes the ranks of ${kind} while a player is banned, and restores every byte after the unban`, async () => {
      const board = await makeBoard(at.world, at.game, { unique })
      const others = await Promise.all(['Bo', 'Cy', 'Di'].map((name) => makePlayer(at.world, at.game, name)))
      for (const [i, player] of [at.guest.id, ...others].entries()) {
        for (const score of [String(10 - i), String(20 - i)]) {
          const answer = await at.submit(board, score, player, i === 1 ? { player_name: 'Ada too' } : {})
          expect(answer.status).to.be.oneOf([200, 201])
          at.world.clock.nowMs += 1_000
        }
      }
      const own = must(await get(`/api/lb/${board}/score/?player=${at.guest.id}`), 200).scores
      const since = new Date(at.world.clock.nowMs - HOUR_MS).toISOString()
      const queries = [
        ...['best', 'worst', 'newest', 'oldest'].map((order) => `?order=${order}`),
        ...[`?since=${since}`, `?since=${since}&window=best`, '?player_name=ada', '?min_score=15', '?limit=2&offset=1'],
        ...[
          `?player=${at.guest.id}`,
          `?around=${at.guest.id}`,
          `?around=${others[1]}&limit=3`,
          `?around=${others[1]}&since=${since}`,
        ],
      ]
      const everything = async () => {
        const lists = await Promise.all(queries.map((query) => get(`/api/lb/${board}/score/${query}`)))
        return [
          ...lists,
          await get(`/api/lb/${board}/`),
          ...(await Promise.all(own.map(({ id }: { id: string }) => get(`/api/score/${id}/`)))),
        ]
      }
      const texts = (answers: readonly Answered[]) =>
        answers.map(({ status, text }) => [status, text.replace(/"request_id":"[^"]*"/, '')])
      const before = await everything()
      expect(before.filter(({ text }) => text.includes(at.guest.id)).length).to.be.greaterThan(8)
      must(await ban(), 200)
      const during = await everything()
      expect(during.filter(({ text }) => text.includes(at.guest.id)).map(({ text }) => text)).to.deep.equal([])
      const best = must(during[0] as Answered, 200)
      expect(best.scores.map(({ rank }: { rank: number }) => rank)).to.deep.equal(
        best.scores.map((_: unknown, i: number) => i + 1),
      )
      expect([best.count, during[queries.length]?.body.entries]).to.deep.equal(unique ? [3, 3] : [6, 6])
      expect(during.slice(queries.length + 1).map(answerCode)).to.deep.equal(own.map(() => '404 score_not_found'))
      expect(during[queries.indexOf(`?around=${at.guest.id}`)]?.body).to.include({
        player_rank: null,
        player_score: null,
      })
      must(await unban(), 200)
      expect(texts(await everything())).to.deep.equal(texts(before))
    })
  }

  it('lets the tenant delete the hidden entry of a banned player, which stays deleted after the ban', async () => {
    const board = await makeBoard(at.world, at.game)
    const { id } = must(await at.submit(board, '5', at.guest.id), 201)
    must(await ban(), 200)
    expect(answerCode(await get(`/api/score/${id}/`))).to.equal('404 score_not_found')
    expect(must(await at.tenant.remove(`/api/score/${id}/`, at.game.token), 200)).to.deep.equal({ deleted: id })
    must(await unban(), 200)
    expect(must(await get(`/api/lb/${board}/score/`), 200).count).to.equal(0)
    expect(must(await at.submit(board, '1', at.guest.id), 201).id).not.to.equal(id)
  })

  it('ends a ban by itself at its end, also in rebuilt views', async () => {
    const board = await makeBoard(at.world, at.game)
    must(await at.submit(board, '5', at.guest.id), 201)
    const other = await makePlayer(at.world, at.game, 'Bo')
    const until = soon()
    must(await ban({ until }), 200)
    must(await ban({ until: new Date(at.world.clock.nowMs + 2 * HOUR_MS).toISOString() }, other), 200)
    expect(must(await get(`/api/lb/${board}/score/`), 200).count).to.equal(0)
    at.world.clock.nowMs += HOUR_MS
    const began = performance.now()
    at.game = { ...at.game, token: await tokenOf(at.world, at.game.server) }
    while (must(await get(at.path()), 200).banned !== null) expect(performance.now() - began).to.be.below(UNBAN_WAIT_MS)
    const expectEnded = async () => {
      expect(must(await get(at.path()), 200).banned).to.equal(null)
      expect(must(await get(`/api/lb/${board}/score/`), 200).count).to.equal(1)
      expect(must(await get(at.path(other)), 200).banned).not.to.equal(null)
    }
    await expectEnded()
    const operator = await tokenOf(at.world, at.world.operator)
    must(await at.world.call('POST', '/api/sys/rebuild/', { token: operator, body: {} }), 202)
    await eventually(async () => must(await at.tenant.get('/api/sys/rebuild/', operator), 200).state === 'idle')
    await expectEnded()
  })

  it('ends every session of a player whom the tenant signs out, and lets the player sign in again', async () => {
    const again = { token: at.client, body: { guest_token: at.guest.guestToken } }
    const second = must(await at.world.call('POST', `/api/gm/${at.game.id}/player/guest/`, again), 200)
    const shown = must(await get(at.path()), 200)
    expect(must(await post(`${at.path()}signout/`), 200)).to.deep.equal(shown)
    for (const token of [at.guest.token, second.token]) {
      expect((await at.world.call('GET', `/api/gm/${at.game.id}/player/me/`, { token })).status).to.equal(401)
    }
    const renewed = await at.world.call('POST', `/api/gm/${at.game.id}/player/refresh/`, {
      body: { refresh_token: at.guest.refreshToken },
    })
    expect(answerCode(renewed)).to.equal('401 sign_in_rejected')
    expect(must(await post(`${at.path()}signout/`), 200)).to.deep.equal(shown)
    must(await at.world.call('POST', `/api/gm/${at.game.id}/player/guest/`, again), 200)
  })
})
