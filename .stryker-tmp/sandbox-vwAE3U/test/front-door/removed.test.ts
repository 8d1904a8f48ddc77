// Scores deleted, on boards of both kinds, and leaderboards archived.

import { expect } from 'chai'
import { type Arena, openArena } from './arena.ts'
import type { Guest, MadeGame } from './scenery.ts'
import { outcome } from './tenant.ts'
import { must, type World } from './world.ts'

describe('what is taken away', () => {
  let arena: Arena
  let world: World
  let game: MadeGame
  let guest: Guest

  before(async () => {
    arena = await openArena()
    ;({ world, game, guest } = arena)
  })
  beforeEach(() => arena.freshBoard())

  describe('DELETE', () => {
    const remove = (id: string, token = game.token) => world.call('DELETE', `/api/score/${id}/`, { token })

    it('on a unique board takes the player’s standing with every submission, and the next starts a new entry', async () => {
      const first = must(await arena.submit({ score: '10' }), 201)
      must(await arena.submit({ score: '20' }), 200)
      expect(must(await remove(first.id), 200)).to.deep.equal({ deleted: first.id })
      expect(must(await arena.list(), 200)).to.include({ count: 0 })
      for (const answer of [
        await remove(first.id),
        await world.call('GET', `/api/score/${first.id}/`, { token: game.token }),
      ]) {
        expect(outcome(answer)).to.deep.equal({ status: 404, code: 'score_not_found' })
      }
      const next = must(await arena.submit({ score: '5' }), 201)
      expect([next.id === first.id, next.score, next.submitted === next.id]).to.deep.equal([false, '5', true])
    })

    it('on the other kind takes that entry alone', async () => {
      await arena.freshBoard({ unique: false })
      const [low, high] = [must(await arena.submit({ score: '1' }), 201), must(await arena.submit({ score: '2' }), 201)]
      must(await remove(high.submitted), 200)
      expect(must(await arena.list(), 200).scores.map((one: { id: string }) => one.id)).to.deep.equal([low.submitted])
      expect(outcome(await remove(high.submitted))).to.deep.equal({ status: 404, code: 'score_not_found' })
      expect(must(await arena.submit({ score: '0' }), 201)).to.include({
        id: low.submitted,
        score: '1',
        improved: false,
      })
    })

    it('of an entry that two callers delete at once, one does', async () => {
      const { id } = must(await arena.submit({ score: '1' }), 201)
      const answers = await Promise.all(Array.from({ length: 8 }, () => remove(id)))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404, 404, 404, 404])
    })

    it('is the tenant’s alone', async () => {
      const { id } = must(await arena.submit({ score: '1' }), 201)
      expect(outcome(await remove(id, guest.token))).to.deep.equal({ status: 403, code: 'tenant_only' })
    })
  })

  it('an archived leaderboard is 404 everywhere, after a restart too', async () => {
    const { id } = must(await arena.submit({ score: '1' }), 201)
    const path = `/api/lb/${arena.board}/`
    expect(must(await world.call('DELETE', path, { token: game.token }), 200)).to.deep.equal({ deleted: arena.board })
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
    expect(leaderboards.map((one: { id: string }) => one.id)).to.not.include(arena.board)
  })
})
