// Boards as of an instant, compared with the contract where clocks of nodes differ and rules change. How they are
// cached is in past-cache.test.ts.

import { expect } from 'chai'
import { PastBoards } from '../../queries/past/boards.ts'
import { movementOf } from '../../queries/past/movement.ts'
import { scoreAsOf } from '../../queries/past/score.ts'
import { Random } from '../random.ts'
import { type ExpectedRow, expectedBoard } from './past-model.ts'
import { instant, rowOf, rowsAt, timesOf, withOwners } from './past-reads.ts'
import { append, pastWorld, playHistory } from './past-world.ts'

const HISTORIES = 20
const PLAYERS = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5']
/** The rank and the score of the player's best entry. */
function bestOf(rows: readonly ExpectedRow[], of: string) {
  const { rank = null, score = null } = rows.find(({ player }) => player === of) ?? {}
  return [rank, score]
}

const ranked = (rows: readonly ExpectedRow[]) => rows.map((row, i) => ({ ...row, rank: i + 1 }))

const KINDS = [
  { kind: 'best', make: () => pastWorld(true), changes: false },
  { kind: 'latest', make: () => pastWorld(true, 'latest'), changes: false },
  { kind: 'total', make: () => pastWorld(true, 'total'), changes: false },
  { kind: 'not unique', make: () => pastWorld(false), changes: false },
  { kind: 'rules that change', make: () => pastWorld(true), changes: true },
] as const

describe('boards as of an instant', () => {
  for (const { kind, make, changes } of KINDS) {
    it(`contain the log up to its last event that is not later than the instant: ${kind}`, async () => {
      for (let seed = 0; seed < HISTORIES; seed++) {
        const random = new Random(seed)
        const world = make()
        playHistory(world, random, 60, changes)
        const past = new PastBoards(world.deps)
        for (let n = 0; n < 6; n++) {
          const asOf = random.pick(timesOf(world))
          expect(await rowsAt(world, past, asOf), `${seed} at ${asOf}`).to.deep.equal(expectedBoard(world, asOf))
        }
        const end = timesOf(world).at(-1) ?? ''
        for (const player of PLAYERS) {
          const points = await movementOf(past, world.board, { player, points: 1 + random.below(60) }, instant(end))
          for (const { time, rank, score } of points) {
            const expected = bestOf(expectedBoard(world, time), player)
            expect([rank, score], `${seed} ${player} at ${time}`).to.deep.equal(expected)
          }
        }
      }
    }).timeout(20_000)

    it(`have each score that was on the board at the instant, and no other: ${kind}`, async () => {
      for (let seed = 0; seed < HISTORIES; seed++) {
        const random = new Random(seed)
        const world = make()
        playHistory(world, random, 60, changes)
        const past = new PastBoards(withOwners(world))
        for (let n = 0; n < 3; n++) {
          const asOf = random.pick(timesOf(world))
          const expected = expectedBoard(world, asOf)
          // From the player's stream, then from the cached board.
          for (const isCached of [false, true]) {
            if (isCached) await past.at(world.board, instant(asOf))
            for (const { type, data } of world.events) {
              if (type !== 'ScoreSubmitted') continue
              const found = await scoreAsOf(past, String(data.id), world.board.game, instant(asOf))
              const own = expected.find(({ id }) => id === data.id) ?? null
              const label = `${seed} ${data.id} at ${asOf}, cached: ${isCached}`
              expect(found && rowOf(found, own?.rank ?? 0), label).to.deep.equal(own)
            }
          }
        }
      }
    }).timeout(20_000)

    it(`follow events that are not later than the instant, and drop deleted players: ${kind}`, async () => {
      for (let seed = 0; seed < HISTORIES; seed++) {
        const random = new Random(seed)
        const whole = make()
        playHistory(whole, random, 60, changes)
        const world = make()
        const past = new PastBoards(world.deps)
        const asOf = random.pick(timesOf(whole).slice(20))
        for (const event of whole.events) {
          world.events.push(event)
          if (random.chance(0.2) && world.events.length > 1) {
            expect(await rowsAt(world, past, asOf), `${seed}`).to.deep.equal(expectedBoard(world, asOf))
          }
        }
        const folds = past.folds
        expect(await rowsAt(world, past, asOf)).to.deep.equal(expectedBoard(world, asOf))
        expect(past.folds).to.be.at.most(folds + 1)
        append(world, 'player-p1', 'PlayerDeleted', {}, 'p1', 1_000)
        expect(await rowsAt(world, past, asOf)).to.deep.equal(expectedBoard(world, asOf, ['p1']))
      }
    })

    it(`rank in windows what was submitted inside: ${kind}`, async () => {
      for (let seed = 0; seed < HISTORIES; seed++) {
        const random = new Random(seed)
        const world = make()
        playHistory(world, random, 60, changes)
        const past = new PastBoards(world.deps)
        for (let n = 0; n < 6; n++) {
          const asOf = random.pick(timesOf(world))
          const [since = '', until = ''] = [random.pick(timesOf(world)), random.pick(timesOf(world))].sort()
          const isInside = (time: string) => time >= since && time < until
          for (const shownInside of [false, true]) {
            const found = await rowsAt(world, past, asOf, { since, until, shownInside })
            const expected = shownInside
              ? expectedBoard(world, asOf, [], isInside)
              : ranked(expectedBoard(world, asOf).filter(({ updated }) => isInside(updated)))
            expect(found, `${seed} at ${asOf}, ${since} to ${until}, ${shownInside}`).to.deep.equal(expected)
          }
        }
      }
    }).timeout(20_000)
  }
})
