// Changing the rules of a live board over HTTP: requested, previewed, rebuilt, activated, reverted, cancelled.

import { expect } from 'chai'
import { eventually } from '../until.ts'
import { type MadeGame, makeBoard, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must, type World } from './world.ts'

describe('changing the rules of a leaderboard', () => {
  let world: World
  let game: MadeGame
  let tenant: Tenant

  before(async () => {
    tenant = await openTenant()
    ;({ world, game } = tenant)
  })

  const submit = async (board: string, player: string, score: string): Promise<Body> => {
    world.clock.nowMs += 1
    const { status, body } = await tenant.post(`/api/lb/${board}/score/`, { player, score })
    expect(status).to.be.oneOf([200, 201])
    return body
  }
  const rows = async (board: string): Promise<[string, number][]> => {
    const page = must(await tenant.get(`/api/lb/${board}/score/?limit=100`), 200)
    return page.scores.map(({ score, rank }: Body) => [score, rank])
  }
  /** The rebuild, once it has ended. */
  const ended = async (board: string): Promise<Body> => {
    const read = async () => must(await tenant.get(`/api/lb/${board}/rebuild/`), 200)
    await eventually(async () => (await read()).finished !== null)
    return read()
  }
  const twoPlayers = () => Promise.all(['Ada', 'Bob'].map((name) => makePlayer(world, game, name)))

  it('answers 202, applies the old rules until the rebuild is done, and then the new ones only', async () => {
    const board = await makeBoard(world, game, { ordering: 'desc', unique: true })
    const [ada = '', bob = ''] = await twoPlayers()
    const first = await submit(board, ada, '5')
    await submit(board, ada, '9')
    await submit(board, bob, '7')
    const preview = must(await tenant.post(`/api/lb/${board}/preview/`, { ordering: 'asc', unique: false }), 200)
    expect(preview).to.deep.equal({ entries_before: 2, entries_after: 3, changed: 0, top: [] })
    const answer = must(await tenant.put(`/api/lb/${board}/`, { ordering: 'asc', unique: false, name: 'All' }), 202)
    expect(Object.keys(answer)).to.deep.equal(['rebuild', 'leaderboard'])
    expect([answer.leaderboard.ordering, answer.leaderboard.unique, answer.leaderboard.name]).to.deep.equal([
      'asc',
      false,
      'All',
    ])
    const before: unknown[] = []
    await eventually(async () => {
      const shown = await rows(board)
      const isOver = must(await tenant.get(`/api/lb/${board}/rebuild/`), 200).finished !== null
      if (!isOver) before.push(shown)
      return isOver
    })
    const old = [
      ['9', 1],
      ['7', 2],
    ]
    for (const shown of before) expect(shown).to.deep.equal(old)
    const { started, finished, eta_seconds, per_second, ...done } = await ended(board)
    expect(done).to.deep.equal({
      id: answer.rebuild,
      leaderboard: board,
      state: 'done',
      // The events: the creation of the leaderboard, three submissions, the new name, and this request.
      done: 6,
      total: 6,
      error: null,
    })
    expect([typeof started, typeof finished, typeof per_second, eta_seconds]).to.deep.equal([
      'string',
      'string',
      'number',
      null,
    ])
    const present = must(await tenant.get(`/api/lb/${board}/`), 200)
    expect(present).to.deep.equal({ ...answer.leaderboard, entries: 3 })
    expect(await rows(board)).to.deep.equal([
      ['5', 1],
      ['7', 2],
      ['9', 3],
    ])
    const next = await submit(board, ada, '6')
    expect([next.rank, next.improved, next.score]).to.deep.equal([1, false, '5'])
    expect(must(await tenant.get(`/api/score/${first.id}/`), 200).score).to.equal('5')
    must(await tenant.remove(`/api/score/${first.id}/`), 200)
    expect(await rows(board)).to.deep.equal([
      ['6', 1],
      ['7', 2],
      ['9', 3],
    ])
    must(await tenant.put(`/api/lb/${board}/`, { ordering: 'desc', unique: true }), 202)
    await ended(board)
    expect(await rows(board)).to.deep.equal([
      ['9', 1],
      ['7', 2],
    ])
  })

  it('removes entries outside the new bounds, and restores them when the bounds are removed', async () => {
    const board = await makeBoard(world, game, { ordering: 'desc' })
    const [ada = '', bob = ''] = await twoPlayers()
    const made = await submit(board, ada, '9')
    await submit(board, bob, '4')
    must(await tenant.put(`/api/lb/${board}/`, { max_score: '5' }), 202)
    await ended(board)
    expect(await rows(board)).to.deep.equal([['4', 1]])
    expect(answerCode(await tenant.get(`/api/score/${made.id}/`))).to.equal('404 score_not_found')
    expect(answerCode(await tenant.remove(`/api/score/${made.id}/`))).to.equal('404 score_not_found')
    const refused = await tenant.post(`/api/lb/${board}/score/`, { player: ada, score: '6' })
    expect(answerCode(refused)).to.equal('422 score_above_maximum')
    const lower = await submit(board, ada, '3')
    expect([lower.id, lower.improved, lower.submitted, lower.rank]).to.deep.equal([made.id, true, made.id, 2])
    must(await tenant.put(`/api/lb/${board}/`, { max_score: null }), 202)
    await ended(board)
    expect(await rows(board)).to.deep.equal([
      ['9', 1],
      ['4', 2],
    ])
    const back = must(await tenant.get(`/api/score/${made.id}/`), 200)
    expect([back.score, back.added, back.updated]).to.deep.equal(['9', made.added, made.updated])
  })

  it('previews who moves, enters and leaves', async () => {
    const board = await makeBoard(world, game, { ordering: 'desc' })
    const [ada = '', bob = ''] = await twoPlayers()
    const [cleo = '', dan = ''] = await twoPlayers()
    for (const [player, score] of [
      [ada, '1'],
      [bob, '2'],
      [cleo, '3'],
      [dan, '4'],
    ] as const) {
      await submit(board, player, score)
    }
    must(await tenant.post(`/api/gm/${game.id}/players/${bob}/ban/`, {}), 200)
    const preview = must(await tenant.post(`/api/lb/${board}/preview/`, { ordering: 'asc', max_score: '3' }), 200)
    expect(preview).to.deep.equal({
      entries_before: 3,
      entries_after: 2,
      changed: 2,
      top: [
        { player: dan, player_name: 'Bob', before: 1, after: null },
        { player: ada, player_name: 'Ada', before: 3, after: 1 },
      ],
    })
    expect(answerCode(await tenant.post(`/api/lb/${board}/preview/`, { min_score: '5', max_score: '4' }))).to.equal(
      '400 malformed',
    )
    expect((await rows(board)).length).to.equal(3)
    expect(answerCode(await tenant.get(`/api/lb/${board}/rebuild/`))).to.equal('404 rebuild_not_found')
  })

  it('replays a change of rules from its Idempotency-Key', async () => {
    const board = await makeBoard(world, game, { ordering: 'desc' })
    const [ada = ''] = await twoPlayers()
    const headers = { 'Idempotency-Key': `scored ${board}` }
    const body = { player: ada, score: '5' }
    const call = { token: game.token, body, headers }
    const scored = must(await world.call('POST', `/api/lb/${board}/score/`, call), 201)
    const changeHeaders = { 'Idempotency-Key': `asked ${board}` }
    const first = must(await tenant.put(`/api/lb/${board}/`, { max_score: '4' }, changeHeaders), 202)
    await ended(board)
    const again = await tenant.put(`/api/lb/${board}/`, { max_score: '4' }, changeHeaders)
    expect(again.headers['idempotent-replay']).to.equal('true')
    expect(must(again, 202).rebuild).to.equal(first.rebuild)
    expect(must(await tenant.get(`/api/lb/${board}/rebuild/`), 200).id).to.equal(first.rebuild)
    const repeated = await world.call('POST', `/api/lb/${board}/score/`, call)
    expect(repeated.headers['idempotent-replay']).to.equal('true')
    const { rank: _, ...due } = scored
    const { rank, ...answer } = must(repeated, 201)
    expect(answer).to.deep.equal(due)
    expect(must(await tenant.put(`/api/lb/${board}/`, { max_score: '4' }), 200).max_score).to.equal('4')
  })

  it('rebuilds under the current rules, and changes nothing by cancelling a finished rebuild', async () => {
    const board = await makeBoard(world, game, { ordering: 'desc' })
    const [ada = ''] = await twoPlayers()
    await submit(board, ada, '5')
    const started = must(await tenant.post(`/api/lb/${board}/rebuild/`, {}), 202)
    expect([started.state, started.leaderboard]).to.deep.equal(['queued', board])
    expect((await ended(board)).id).to.equal(started.id)
    expect(await rows(board)).to.deep.equal([['5', 1]])
    const kept = must(await tenant.remove(`/api/lb/${board}/rebuild/`), 200)
    expect([kept.id, kept.state]).to.deep.equal([started.id, 'done'])
  })
})
