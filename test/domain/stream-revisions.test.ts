// Gaps and duplicates in the revisions of streams are found in log order, whatever number of streams there is.

import { expect } from 'chai'
import { renumberedData } from '../../domain/renumbering.ts'
import { RevisionCheck, revisionFaultText } from '../../domain/stream-revisions.ts'
import { Random } from '../random.ts'
import { SEED } from '../seeds.ts'

const positionOf = (at: number): string => String(at).padStart(16, '0')

function checkOf(places: readonly (readonly [stream: string, revision: number])[], maxListed?: number): RevisionCheck {
  const check = new RevisionCheck(maxListed)
  for (const [at, [stream, revision]] of places.entries()) check.add({ position: positionOf(at), stream, revision })
  return check
}

const ofOne = (...revisions: number[]) => {
  const { faults, found } = checkOf(revisions.map((revision) => ['s', revision]))
  return { found, faults: faults.map((one) => [Number(one.position), one.expected, one.revision]) }
}

describe('the check of the revisions of a log', () => {
  it('finds no fault in streams that count from 0, however they alternate', () => {
    const { found } = checkOf([
      ['a', 0],
      ['b', 0],
      ['a', 1],
      ['c', 0],
      ['b', 1],
      ['a', 2],
    ])
    expect(found).to.equal(0)
  })

  it('finds a duplicate, a gap, a missing beginning and a branch once each, with the expected revision and that of the event', () => {
    expect(ofOne(0, 1, 2, 3, 3, 4, 5)).to.deep.equal({ found: 1, faults: [[4, 4, 3]] })
    expect(ofOne(0, 1, 3)).to.deep.equal({ found: 1, faults: [[2, 2, 3]] })
    expect(ofOne(1, 2)).to.deep.equal({ found: 1, faults: [[0, 0, 1]] })
    expect(ofOne(0, 1, 2, 0, 1, 2, 3)).to.deep.equal({ found: 1, faults: [[3, 3, 0]] })
    expect(ofOne(0, 2, 1)).to.deep.equal({
      found: 2,
      faults: [
        [1, 1, 2],
        [2, 3, 1],
      ],
    })
  })

  it('says of a fault whether it is a gap or a duplicate, and where', () => {
    const { faults } = checkOf([
      ['a', 0],
      ['a', 0],
      ['a', 5],
    ])
    expect(faults.map(revisionFaultText)).to.deep.equal([
      'a duplicate: where revision 1 comes next, the event at position 0000000000000001 has revision 0',
      'a gap: where revision 1 comes next, the event at position 0000000000000002 has revision 5',
    ])
  })

  it('lists the first faults, and counts the others', () => {
    const places = Array.from({ length: 300 }, (_, n) => [`s${n}`, 1] as const)
    const check = checkOf(places)
    expect([check.found, check.faults.length, check.faults[0]?.stream]).to.deep.equal([300, 100, 's0'])
    expect(checkOf(places, Number.POSITIVE_INFINITY).faults.length).to.equal(300)
  })

  it('keeps 50,000 streams apart, as a map of their names does', () => {
    const random = new Random(SEED)
    const names = Array.from({ length: 50_000 }, (_, n) => (n % 2 === 0 ? `lb_${n}.${n % 7}` : `player-${n}`))
    const expected = new Map<string, number>()
    const check = new RevisionCheck()
    let faults = 0
    for (let at = 0; at < 200_000; at++) {
      const stream = random.pick(names)
      const next = expected.get(stream) ?? 0
      const revision = random.chance(0.001) ? random.below(next + 3) : next
      if (revision !== next) faults++
      expected.set(stream, revision + 1)
      check.add({ position: positionOf(at), stream, revision })
    }
    expect(check.found).to.equal(faults)
    expect(faults).to.be.greaterThan(10)
  })
})

describe('the data of an event after a stream is numbered again', () => {
  const after = (stream: string, revision: number) => ({
    stream,
    revision: stream === 'moved' ? revision + 1 : revision,
  })
  const renumbered = (type: string, data: Parameters<typeof renumberedData>[0]['data'], revision = 9) =>
    renumberedData({ type, data }, revision, (reference) => after(reference.stream, reference.revision))

  it('names the same events in each field with a reference, of each type of event that has one', () => {
    const [moved, kept] = [
      { stream: 'moved', revision: 3 },
      { stream: 'kept', revision: 3 },
    ]
    const next = { stream: 'moved', revision: 4 }
    expect(
      renumbered('LeaderboardSliceBuilt', { change: 'c', after: kept, upTo: moved, asOf: moved, events: 5 }),
    ).to.deep.equal({ change: 'c', after: kept, upTo: next, asOf: next, events: 5 })
    expect(renumbered('LeaderboardRulesChanged', { after: moved })).to.deep.equal({ after: next })
    for (const type of ['LeaderboardRulesCancelled', 'LeaderboardRulesFailed'])
      expect(renumbered(type, { upTo: moved, reason: 'x' })).to.deep.equal({ upTo: next, reason: 'x' })
    expect(renumbered('LeaderboardSliceCleared', { after: null, upTo: moved, until: moved })).to.deep.equal({
      ...{ after: null, upTo: next, until: next },
    })
  })

  it('says of a deletion of all submissions that it goes up to the event before it', () => {
    expect(renumbered('ScoreDeleted', { id: 's', upTo: 3 }, 5)).to.deep.equal({ id: 's', upTo: 4 })
    const single = { id: 's', upTo: null }
    expect(renumbered('ScoreDeleted', single, 5)).to.equal(single)
  })

  it('is the same object if nothing in it changes', () => {
    const data = { after: { stream: 'kept', revision: 3 }, upTo: null }
    for (const type of ['LeaderboardRulesChanged', 'ScoreSubmitted']) expect(renumbered(type, data)).to.equal(data)
  })
})
