// Deleting a player hides them from everybody at once and for ever, and frees what they held.

import { expect } from 'chai'
import { makeBoard, signInGuest } from './game-fixtures.ts'
import { type GuestFixture, guestFixture } from './guest-fixture.ts'
import { answerCode } from './tenant.ts'
import { must } from './world.ts'

const NOT_FOUND = '404 player_not_found'

describe('deletions of players', () => {
  const at = guestFixture()
  const players = () => `/api/gm/${at.game.id}/players/`
  const call: GuestFixture['call'] = (...sent) => at.call(...sent)
  const remove = (id = at.guest.id, headers = {}) => call('DELETE', at.path(id), undefined, headers)

  it('answers a deletion with the id of the player, replays it from its Idempotency-Key, and answers 404 without', async () => {
    const key = { 'idempotency-key': `delete ${at.guest.id}` }
    expect(must(await remove(at.guest.id, key), 200)).to.deep.equal({ deleted: at.guest.id })
    const again = await remove(at.guest.id, key)
    expect(again.headers['idempotent-replay']).to.equal('true')
    expect(must(again, 200)).to.deep.equal({ deleted: at.guest.id })
    expect(answerCode(await remove())).to.equal(NOT_FOUND)
    expect((await call('POST', players(), { name: 'x' }, key)).body.code).to.equal('idempotency_key_reused')
  })

  it('hides a deleted player from the tenant by id, by name and in the list', async () => {
    must(await call('PUT', at.path(), { name: 'Onlyhere' }), 200)
    expect(must(await call('GET', `${players()}?name=onlyhere`), 200).count).to.equal(1)
    const { count } = must(await call('GET', players()), 200)
    must(await remove(), 200)
    const calls = [
      call('GET', at.path()),
      call('PUT', at.path(), { name: 'Eve' }),
      call('PUT', at.path(), {}),
      ...['ban', 'unban', 'signout'].map((what) => call('POST', `${at.path()}${what}/`)),
    ]
    for (const answer of await Promise.all(calls)) expect(answerCode(answer)).to.equal(NOT_FOUND)
    expect(must(await call('GET', `${players()}?name=onlyhere`), 200).count).to.equal(0)
    const listed = must(await call('GET', `${players()}?limit=100`), 200)
    expect(listed.count).to.equal(count - 1)
    expect(listed.players.map(({ id }: { id: string }) => id)).not.to.include(at.guest.id)
  })

  it('rejects every token of a deleted player, also of one who was banned', async () => {
    must(await call('POST', `${at.path()}ban/`), 200)
    must(await remove(), 200)
    const own = at.world.call('GET', `/api/gm/${at.game.id}/player/me/`, { token: at.guest.token })
    expect(answerCode(await own)).to.equal('401 token_rejected')
    const again = { token: at.client, body: { guest_token: at.guest.guestToken } }
    const rejected = '401 sign_in_rejected'
    expect(answerCode(await at.world.call('POST', `/api/gm/${at.game.id}/player/guest/`, again))).to.deep.equal(
      rejected,
    )
    const renewal = { body: { refresh_token: at.guest.refreshToken } }
    expect(answerCode(await at.world.call('POST', `/api/gm/${at.game.id}/player/refresh/`, renewal))).to.deep.equal(
      rejected,
    )
  })

  for (const unique of [true, false]) {
    it(`removes a deleted player from every answer of a board (unique: ${unique}), and refuses submissions for them`, async () => {
      const board = await makeBoard(at.world, at.game, { unique })
      const since = new Date(at.world.clock.nowMs - 1_000).toISOString()
      const { id } = must(await at.submit(board, '9', at.guest.id), 201)
      const other = await signInGuest(at.world, at.game, at.client, 'Bo')
      must(await at.submit(board, '5', other.id), 201)
      must(await remove(), 200)
      expect(answerCode(await at.submit(board, '1', at.guest.id))).to.equal('422 unknown_player')
      expect(answerCode(await call('GET', `/api/score/${id}/`))).to.equal('404 score_not_found')
      expect(answerCode(await call('DELETE', `/api/score/${id}/`))).to.equal('404 score_not_found')
      const queries = [
        '',
        '?order=worst',
        '?order=newest',
        `?since=${since}`,
        `?since=${since}&window=best`,
        '?min_score=1',
      ]
      for (const query of [...queries, `?around=${other.id}`]) {
        const list = must(await call('GET', `/api/lb/${board}/score/${query}`), 200)
        expect(
          list.scores.map(({ player, rank }: { player: string; rank: number }) => [player, rank]),
          query,
        ).to.deep.equal([[other.id, 1]])
        expect(list.count).to.equal(1)
      }
      for (const query of [`?player=${at.guest.id}`, `?around=${at.guest.id}`, '?player_name=ada']) {
        expect(must(await call('GET', `/api/lb/${board}/score/${query}`), 200).scores, query).to.deep.equal([])
      }
      expect(must(await call('GET', `/api/lb/${board}/`), 200).entries).to.equal(1)
    })
  }

  it('frees the external id of a deleted player', async () => {
    const fresh = { name: 'Ada', external_id: 'steam:given-back' }
    const first = must(await call('POST', players(), fresh), 201)
    expect((await call('POST', players(), fresh)).body.code).to.equal('external_id_taken')
    must(await remove(first.id), 200)
    const second = must(await call('POST', players(), fresh), 201)
    expect(second.id).not.to.equal(first.id)
    expect(second.external_id).to.equal('steam:given-back')
    expect(answerCode(await call('GET', at.path(first.id)))).to.equal(NOT_FOUND)
  })

  it('lets one of several simultaneous deletions win, and restores nothing by a concurrent rename', async () => {
    const racers = [
      ...Array.from({ length: 8 }, () => remove()),
      ...Array.from({ length: 8 }, (_, n) => call('PUT', at.path(), { name: `Ada ${n}` })),
    ]
    const statuses = (await Promise.all(racers)).map(({ status }) => status)
    expect(statuses.slice(0, 8).filter((status) => status === 200)).to.have.length(1)
    expect(statuses.filter((status) => status !== 200 && status !== 404)).to.deep.equal([])
    expect(answerCode(await call('GET', at.path()))).to.equal(NOT_FOUND)
  })
})
