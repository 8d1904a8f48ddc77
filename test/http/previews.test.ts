// Previews of other rules: one at a time, with a limit of waiting ones, of the board at the time they run.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import type { JsonObject } from '../../domain/event.ts'
import { ruleChangeRoutes } from '../../http/routes/rule-changes.ts'
import { createPreviews } from '../../queries/previews.ts'
import type { Views } from '../../stores/contract/views.ts'
import { append, BOARD, pastWorld } from '../queries/past-world.ts'
import { gate, until } from '../until.ts'

describe('previews of rule changes', () => {
  it('are refused above the limit of waiting ones, and show the board at the time they run', async () => {
    const world = pastWorld(true)
    const rules = { ...world.board.state.rules }
    append(world, `board-${BOARD}`, 'LeaderboardCreated', { name: 'B', description: '', rules }, null, 0)
    for (const [n, score] of ['1', '2'].entries()) {
      const data = { id: `s${n}`, score, secondary: null, extra: null, playerName: null }
      append(world, `lb_${BOARD}-p0`, 'ScoreSubmitted', data, 'p0', n)
    }
    const { queries, reached } = world.deps
    const views: Views = {
      ...queries.views,
      current: async (view, _collection, ids) =>
        ids.map((id) => (view === 'leaderboards' ? { id, pos: '', body: body() } : null)),
    }
    let state = { ...world.board.state, rules }
    const body = () => ({ ...world.board, state }) as unknown as JsonObject
    const { opened, open } = gate()
    let hasBegun = false
    let refused = 0
    let hasFailed = false
    const previews = createPreviews({
      queries: { ...queries, views },
      reached: (game) => {
        hasBegun = true
        return opened.then(() => reached(game))
      },
      maxBytes: 2 ** 20,
    })
    const deps = { queries: { ...queries, views }, previews }
    const routes = ruleChangeRoutes(deps as unknown as Parameters<typeof ruleChangeRoutes>[0])
    const preview = routes.find(({ path }) => path.endsWith('/preview/'))
    const callPreview = async (body: object) => {
      const call = {
        caller: { game: 'g', player: null, key: 'sk_test' },
        network: '192.0.2.1',
        params: { leaderboard: BOARD },
        query: {},
        body,
        gone: () => new AbortController().signal,
        requiredPosition: () => null,
      }
      try {
        return (await preview?.handle(call as unknown as Parameters<typeof preview.handle>[0]))?.body
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused++
        return error.code
      }
    }
    const calls = Promise.all(Array.from({ length: 20 }, () => callPreview({ unique: true })))
    calls.catch(() => {
      hasFailed = true
    })
    await until(() => hasFailed || (hasBegun && refused === 3))
    state = { ...state, rules: { ...rules, unique: false } }
    open()
    const answers = await calls
    const answered = { entries_before: 2, entries_after: 1, changed: 0, top: [] }
    // The first one ran before the change.
    const first = { ...answered, entries_before: 1 }
    expect(answers).to.deep.equal([first, ...Array(16).fill(answered), ...Array(3).fill('reads_busy')])
  })
})
