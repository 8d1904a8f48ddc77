// Deleted scores, on boards of both kinds, and archived leaderboards.

import { expect } from 'chai'
import { type BoardFixture, openBoardFixture } from './board-fixture.ts'
import type { Guest, MadeGame } from './game-fixtures.ts'
import { answerCode } from './tenant.ts'
import { must, type World } from './world.ts'

describe('deleted scores and archived leaderboards', () => {
  let fixture: BoardFixture
  let world: World
  let game: MadeGame
  let guest: Guest

  before(async () => {
    fixture = await openBoardFixture()
    ;({ world, game, guest } = fixture)
  })
  beforeEach(() => fixture.freshBoard())

  describe('DELETE of a score', () => {
    const remove = (id: string, token = game.token) => world.call('DELETE', `/api/score/${id}/`, { token })

    it('removes all submissions of the player on a unique board, and the next submission makes a new entry', async () => {
      const first = must(await fixture.submit({ score: '10' }), 201)
      must(await fixture.submit({ score: '20' }), 200)
      expect(must(await remove(first.id), 200)).to.deep.equal({ deleted: first.id })
      expect(must(await fixture.list(), 200)).to.include({ count: 0 })
      for (const answer of [
        await remove(first.id),
        await world.call('GET', `/api/score/${first.id}/`, { token: game.token }),
      ]) {
        expect(answerCode(answer)).to.equal('404 score_not_found')
      }
      const next = must(await fixture.submit({ score: '5' }), 201)
      expect([next.id === first.id, next.score, next.submitted === next.id]).to.deep.equal([false, '5', true])
    })

    it('removes one entry on a board that is not unique', async () => {
      await fixture.freshBoard({ unique: false })
      const [low, high] = [
        must(await fixture.submit({ score: '1' }), 201),
        must(await fixture.submit({ score: '2' }), 201),
      ]
      must(await remove(high.submitted), 200)
      expect(must(await fixture.list(), 200).scores.map((one: { id: string }) => one.id)).to.deep.equal([low.submitted])
      expect(answerCode(await remove(high.submitted))).to.equal('404 score_not_found')
      expect(must(await fixture.submit({ score: '0' }), 201)).to.include({
        id: low.submitted,
        score: '1',
        improved: false,
      })
    })

    it('succeeds for one of several callers who delete an entry at the same time', async () => {
      const { id } = must(await fixture.submit({ score: '1' }), 201)
      const answers = await Promise.all(Array.from({ length: 8 }, () => remove(id)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404, 404, 404, 404])
    })

    it('refuses players with 403', async () => {
      const { id } = must(await fixture.submit({ score: '1' }), 201)
      expect(answerCode(await remove(id, guest.token))).to.equal('403 tenant_only')
    })
  })

  it('answers 404 for every call to an archived leaderboard, also after a restart', async () => {
    const { id } = must(await fixture.submit({ score: '1' }), 201)
    const path = `/api/lb/${fixture.board}/`
    expect(must(await world.call('DELETE', path, { token: game.token }), 200)).to.deep.equal({ deleted: fixture.board })
    const calls: [string, string, unknown?][] = [
      ['GET', path],
      ['PUT', path, { name: 'x' }],
      ['DELETE', path],
      ['GET', `${path}score/`],
      ['POST', `${path}score/`, { score: '1', player: guest.id }],
      ['GET', `/api/score/${id}/`],
      ['DELETE', `/api/score/${id}/`],
    ]
    for (const [method, at, body] of calls) {
      const answer = await world.call(
        method,
        at,
        body === undefined ? { token: game.token } : { token: game.token, body },
      )
      expect([method, at, answer.status]).to.deep.equal([method, at, 404])
    }
    const { leaderboards } = must(
      await world.call('GET', `/api/gm/${game.id}/lb/?limit=100`, { token: game.token }),
      200,
    )
    expect(leaderboards.map((one: { id: string }) => one.id)).to.not.include(fixture.board)
  })
})
