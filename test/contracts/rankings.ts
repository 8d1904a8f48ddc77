// What every Rankings must keep: exact places under any history of changes, calls repeated without effect, and loads that
// never show half. The reference is a plain sorted array.

import { expect } from 'chai'
import fc from 'fast-check'
import { parseDecimal } from '../../domain/decimal.ts'
import { encodeMember } from '../../ranking/member.ts'
import type { Around, RankingChange, Rankings } from '../../stores/contract/rankings.ts'
import type { Check } from './sign.ts'

let positions = 0

/** A member of its own id; a lower place number comes first. */
function memberAt(place: number, id = place): string {
  const score = parseDecimal(String(place))
  if (score === null) throw new Error(`${place} is no score`)
  return encodeMember(
    { score, secondary: null, timeMs: 1_795_244_701_123, id: idOf(id) },
    { ordering: 'asc', secondaryOrdering: 'asc' },
  )
}

const idOf = (n: number) => `player${String(n).padStart(18, 'a')}`

function change(key: string, id: number, before: string | null, after: string | null): RankingChange {
  return { key, id: idOf(id), before, after, pos: String(++positions).padStart(12, '0') }
}

const added = (key: string, places: readonly number[]) => places.map((n) => change(key, n, null, memberAt(n)))
const membersAt = (places: readonly number[]) => places.map((place) => memberAt(place))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

async function* slices(members: readonly string[], size: number): AsyncGenerator<readonly string[]> {
  yield []
  for (let at = 0; at < members.length; at += size) yield members.slice(at, at + size)
}

/** A board of 0, 2, 4, 6, 8, added out of order. */
async function fiveOn(rankings: Rankings): Promise<string[]> {
  await rankings.put(added('board', [4, 0, 8, 2, 6]))
  return membersAt([0, 2, 4, 6, 8])
}

const all = (rankings: Rankings, key: string) => rankings.range(key, 0, 1_000_000)

function modelAround(members: readonly string[], member: string, limit: number): Around | null {
  const rank = members.indexOf(member)
  if (rank < 0) return null
  const offset = Math.max(0, Math.min(rank - Math.floor(limit / 2), members.length - limit))
  return { rank, size: members.length, offset, members: members.slice(offset, offset + limit) }
}

const check = (name: string, body: (rankings: Rankings) => Promise<void>): Check<Rankings> => ({
  name,
  run: async (make) => body(await make()),
})

const puts = [
  check('members stand in byte order, each at its place', async (rankings) => {
    const members = await fiveOn(rankings)
    expect(await all(rankings, 'board')).to.deep.equal(members)
    expect(await rankings.size('board')).to.equal(5)
    for (const [place, member] of members.entries()) expect(await rankings.rank('board', member)).to.equal(place)
  }),
  check('byte order alone decides: a prefix before what it begins, marks before letters', async (rankings) => {
    const members = ['!', '!!', '!a', '0', '9', 'A', 'Aa', 'a', 'a!', 'aa', 'z', '~', '~~']
    for (const member of members.toReversed()) {
      await rankings.put([{ ...change('board', 0, null, member), id: member }])
    }
    expect(await all(rankings, 'board')).to.deep.equal(members)
  }),
  check('a change moves its entry, and takes it away where nothing comes after', async (rankings) => {
    await fiveOn(rankings)
    await rankings.put([change('board', 8, memberAt(8), memberAt(1, 8)), change('board', 2, memberAt(2), null)])
    expect(await all(rankings, 'board')).to.deep.equal([memberAt(0), memberAt(1, 8), memberAt(4), memberAt(6)])
    expect(await rankings.rank('board', memberAt(8))).to.equal(null)
    expect(await rankings.size('board')).to.equal(4)
  }),
  check('changes of one call are applied in their order', async (rankings) => {
    const [first, second, third] = [memberAt(5, 1), memberAt(3, 1), memberAt(4, 1)]
    await rankings.put([change('board', 1, null, first), change('board', 1, first, second)])
    await rankings.put([change('board', 1, second, null), change('board', 1, null, third)])
    expect(await all(rankings, 'board')).to.deep.equal([third])
  }),
  check('a call repeated, and a whole history repeated, change nothing more', async (rankings) => {
    const history = [
      added('board', [1, 2, 3]),
      [change('board', 1, memberAt(1), memberAt(7, 1)), change('board', 2, memberAt(2), null)],
      [change('board', 1, memberAt(7, 1), memberAt(0, 1))],
    ]
    for (const changes of [...history, ...history.slice(-1), ...history]) await rankings.put(changes)
    expect(await all(rankings, 'board')).to.deep.equal([memberAt(0, 1), memberAt(3)])
    expect(await rankings.size('board')).to.equal(2)
  }),
  check('removing what is not ranked and adding what is are harmless', async (rankings) => {
    const members = await fiveOn(rankings)
    await rankings.put([change('board', 5, memberAt(5), null), change('board', 4, null, memberAt(4))])
    await rankings.put([change('board', 6, memberAt(6), memberAt(6)), change('elsewhere', 6, memberAt(6), null)])
    expect(await all(rankings, 'board')).to.deep.equal(members)
    expect(await rankings.size('board')).to.equal(5)
    expect(await rankings.size('elsewhere')).to.equal(0)
  }),
]

const reads = [
  check('before counts what comes earlier, also for a member that is not ranked', async (rankings) => {
    await fiveOn(rankings)
    const counts = await Promise.all(upTo(10).map((place) => rankings.before('board', memberAt(place))))
    expect(counts).to.deep.equal([0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
  }),
  check('range gives what there is from a place on, and nothing beyond the end', async (rankings) => {
    const members = await fiveOn(rankings)
    for (const offset of [0, 1, 4, 5, 6, 1_000_000_000]) {
      for (const limit of [0, 1, 2, 5, 6, 100]) {
        expect(await rankings.range('board', offset, limit)).to.deep.equal(members.slice(offset, offset + limit))
      }
    }
  }),
  check(
    'around is centred, shifted and not shortened near an end, and whole where the limit exceeds the size',
    async (rankings) => {
      const members = await fiveOn(rankings)
      expect(await rankings.around('board', memberAt(4), 3)).to.deep.equal({
        rank: 2,
        size: 5,
        offset: 1,
        members: membersAt([2, 4, 6]),
      })
      for (const member of [...members, memberAt(5)]) {
        for (const limit of [1, 2, 3, 4, 5, 6, 100]) {
          const expected = modelAround(members, member, limit)
          expect(await rankings.around('board', member, limit)).to.deep.equal(expected)
        }
      }
    },
  ),
  check('keys are apart from each other, and an unknown one is empty', async (rankings) => {
    await rankings.put([...added('a', [1, 2]), ...added('b', [2, 3])])
    expect(await Promise.all(['a', 'b', 'c'].map((key) => all(rankings, key)))).to.deep.equal([
      membersAt([1, 2]),
      membersAt([2, 3]),
      [],
    ])
    await rankings.drop('a')
    expect(await all(rankings, 'b')).to.deep.equal(membersAt([2, 3]))
    for (const key of ['a', 'c']) {
      expect(await rankings.size(key)).to.equal(0)
      expect(await rankings.before(key, memberAt(2))).to.equal(0)
      expect(await rankings.rank(key, memberAt(2))).to.equal(null)
      expect(await rankings.range(key, 0, 10)).to.deep.equal([])
      expect(await rankings.around(key, memberAt(2), 10)).to.equal(null)
    }
  }),
]

const loads = [
  check('a load replaces a ranking whole, from slices of any size, and leaves others alone', async (rankings) => {
    await fiveOn(rankings)
    await rankings.put(added('other', [1]))
    const members = upTo(5_000).map((place) => memberAt(place * 2 + 1))
    for (const size of [5_000, 7, 1]) {
      await rankings.load('board', slices(members, size))
      expect(await all(rankings, 'board')).to.deep.equal(members)
    }
    expect(await all(rankings, 'other')).to.deep.equal(membersAt([1]))
    await rankings.load('board', slices([], 1))
    expect(await rankings.size('board')).to.equal(0)
  }),
  check('a load under way shows what stood before it; one that breaks off leaves it standing', async (rankings) => {
    const members = await fiveOn(rankings)
    const seen: string[][] = []
    async function* breaking(): AsyncGenerator<readonly string[]> {
      for (const place of [1, 3]) {
        yield membersAt([place])
        seen.push(await all(rankings, 'board'))
      }
      throw new Error('the documents cannot be read')
    }
    const outcome = await rankings.load('board', breaking()).then(
      () => 'loaded',
      () => 'broken off',
    )
    expect(outcome).to.equal('broken off')
    expect(seen).to.deep.equal([members, members])
    expect(await all(rankings, 'board')).to.deep.equal(members)
  }),
  check('thousands of members come and go, and the places stay exact', async (rankings) => {
    const places = upTo(6_000).map((n) => (n * 2_477) % 6_000)
    await rankings.put(added('board', places))
    const gone = places.filter((place) => place % 10 !== 3 || (place > 2_000 && place < 3_000))
    await rankings.put(gone.map((place) => change('board', place, memberAt(place), null)))
    const left = upTo(6_000).filter((place) => !gone.includes(place))
    expect(await all(rankings, 'board')).to.deep.equal(membersAt(left))
    await rankings.put(added('board', gone))
    const members = membersAt(upTo(6_000))
    expect(await all(rankings, 'board')).to.deep.equal(members)
    for (const rank of [0, 1, 1_234, 3_000, 5_999]) {
      const around = await rankings.around('board', memberAt(rank), 20)
      expect(around).to.deep.equal(modelAround(members, memberAt(rank), 20))
    }
  }),
]

interface Step {
  readonly key: string
  readonly id: number
  readonly place: number | null
  readonly also: 'nothing' | 'again' | 'add what is there' | 'remove what is not'
  readonly offset: number
  readonly limit: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  id: fc.nat(29),
  place: fc.option(fc.nat(40), { freq: 4 }),
  also: fc.constantFrom('nothing', 'again', 'add what is there', 'remove what is not'),
  offset: fc.nat(35),
  limit: fc.nat(35),
})

/** The changes of a step; `standing` is the model's ranking: id to member. */
function changesOf({ key, id, place, also }: Step, standing: Map<number, string>): RankingChange[] {
  const before = standing.get(id) ?? null
  const after = place === null ? null : memberAt(place, id)
  const changes = [change(key, id, before, after)]
  if (after === null) standing.delete(id)
  else standing.set(id, after)
  if (also === 'add what is there' && after !== null) changes.push(change(key, id, null, after))
  if (also === 'remove what is not') changes.push(change(key, 99, memberAt(place ?? 0, 99), null))
  return changes
}

async function compareReads(rankings: Rankings, { key, id, place, offset, limit }: Step, members: readonly string[]) {
  const member = memberAt(place ?? 20, id)
  const rank = members.indexOf(member)
  expect(await rankings.size(key)).to.equal(members.length)
  expect(await rankings.rank(key, member)).to.equal(rank < 0 ? null : rank)
  expect(await rankings.before(key, member)).to.equal(members.filter((other) => other < member).length)
  expect(await rankings.range(key, offset, limit)).to.deep.equal(members.slice(offset, offset + limit))
  expect(await rankings.around(key, member, limit)).to.deep.equal(modelAround(members, member, limit))
}

const histories = check('after every step of any history, all reads agree with a sorted array', async (rankings) => {
  let board = 0
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 60, maxLength: 120 }), async (steps) => {
    board++
    const model = new Map(['a', 'b', 'c'].map((key) => [`${key}${board}`, new Map<number, string>()]))
    for (const drawn of steps) {
      const step = { ...drawn, key: `${drawn.key}${board}` }
      const standing = model.get(step.key) ?? new Map<number, string>()
      const changes = changesOf(step, standing)
      for (let times = step.also === 'again' ? 2 : 1; times > 0; times--) await rankings.put(changes)
      await compareReads(rankings, step, [...standing.values()].sort())
    }
  })
  await fc.assert(property, { numRuns: 50 })
})

/** Every promise of stores/contract/rankings.ts. `make` opens empty rankings. */
export const rankingsChecks: readonly Check<Rankings>[] = [...puts, ...reads, ...loads, histories]
