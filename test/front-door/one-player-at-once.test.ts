// 50 simultaneous submissions for one player: none is refused, one entry has the true best, and some serial order of
// the submissions explains the answers.

import { expect } from 'chai'
import { scaled } from '../model/big-decimal.ts'
import { type MadeGame, makeBoard, makeGame, makePlayer } from './game-fixtures.ts'
import type { Body } from './http-client.ts'
import { sharedWorld } from './shared.ts'
import { must, type World } from './world.ts'

const CALLERS = 50
const ROUNDS = 4

interface Sent {
  readonly score: string
  readonly marker: number
  readonly answer: Body
}

describe('50 simultaneous submissions for one player', () => {
  let world: World
  let game: MadeGame

  before(async () => {
    world = await sharedWorld()
    game = await makeGame(world)
  })

  async function race(board: string, player: string, scores: readonly string[]): Promise<Sent[]> {
    return Promise.all(
      scores.map(async (score, marker) => {
        const body = { score, player, extra_data: marker }
        const answer = await world.call('POST', `/api/lb/${board}/score/`, { token: game.token, body })
        if (answer.status !== 200 && answer.status !== 201) throw new Error(answer.text)
        return { score, marker, answer: { ...answer.body, status: answer.status } }
      }),
    )
  }

  const kinds: [string, (i: number) => string][] = [
    ['all different', (i) => `${(i * 37) % CALLERS}.5`],
    ['many equal', (i) => String((i * 7) % 5)],
    ['all equal', () => '1'],
  ]
  for (const [kind, scoreOf] of kinds) {
    it(`keep one entry with the best score of a unique board, with scores that are ${kind}`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const board = await makeBoard(world, game)
        const player = await makePlayer(world, game)
        const sent = await race(
          board,
          player,
          Array.from({ length: CALLERS }, (_, i) => scoreOf(i)),
        )
        expect(serialOrderOf(sent)).to.equal('explained')
        const list = must(await world.call('GET', `/api/lb/${board}/score/`, { token: game.token }), 200)
        const best = sent.reduce(
          (higher, { score }) => (scaled(score) > scaled(higher) ? score : higher),
          sent[0]?.score ?? '',
        )
        expect([list.count, scaled(list.scores[0].score)]).to.deep.equal([1, scaled(best)])
        expect(list.scores[0].id).to.equal(sent[0]?.answer.id)
      }
    })
  }

  it('make 50 entries on a board that is not unique', async () => {
    const board = await makeBoard(world, game, { unique: false })
    const player = await makePlayer(world, game)
    const sent = await race(
      board,
      player,
      Array.from({ length: CALLERS }, (_, i) => String((i * 37) % CALLERS)),
    )
    expect(new Set(sent.map(({ answer }) => answer.submitted)).size).to.equal(CALLERS)
    for (const { answer } of sent) {
      const above = sent.filter(({ score }) => scaled(score) > scaled(answer.score)).length
      expect([answer.status, answer.rank >= 1 && answer.rank <= above + 1]).to.deep.equal([201, true])
    }
    const list = must(await world.call('GET', `/api/lb/${board}/score/?limit=100`, { token: game.token }), 200)
    expect(list.scores.map((one: Body) => one.submitted ?? one.score)).to.deep.equal(
      Array.from({ length: CALLERS }, (_, i) => String(CALLERS - 1 - i)),
    )
  })
})

/**
 * Looks for an order that explains the answers: exactly one made the entry and comes first; those that improved it
 * follow in the order of their scores, each strictly better; each other one was answered the entry of some
 * improvement, did not beat it, and comes between that improvement and the next.
 */
function serialOrderOf(sent: readonly Sent[]): string {
  const made = sent.filter(({ answer }) => answer.status === 201)
  if (made.length !== 1) return `${made.length} made an entry`
  const id = made[0]?.answer.submitted
  const steps = sent
    .filter(({ answer }) => answer.improved)
    .sort((a, b) => (scaled(a.score) < scaled(b.score) ? -1 : 1))
  if (steps[0] !== made[0]) return 'the first improvement did not make the entry'
  if (steps.some((step, i) => i > 0 && scaled(step.score) === scaled(steps[i - 1]?.score ?? '')))
    return 'an equal one improved'
  for (const { score, marker, answer } of sent) {
    if (answer.id !== id || answer.rank !== 1) return 'another entry, or another rank'
    if ((answer.submitted === null) !== (answer.status === 200)) return 'submitted does not go with the status'
    const shown = steps.find((step) => step.marker === answer.extra_data)
    if (shown === undefined || answer.score !== shown.score.replace(/\.0$/, ''))
      return 'answered an entry that nobody set'
    if (answer.improved && shown.marker !== marker) return 'improved, and got another one’s score'
    if (!answer.improved && scaled(score) > scaled(shown.score)) return 'was better and did not improve'
  }
  return 'explained'
}
