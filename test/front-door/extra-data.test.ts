// Extra data of a score: any JSON, with exact limits of bytes and levels.

import { expect } from 'chai'
import { type BoardFixture, openBoardFixture } from './board-fixture.ts'
import type { Guest } from './game-fixtures.ts'
import { answerCode } from './tenant.ts'
import { must, type World } from './world.ts'

describe('extra_data', () => {
  let fixture: BoardFixture
  let world: World
  let guest: Guest

  before(async () => {
    fixture = await openBoardFixture()
    ;({ world, guest } = fixture)
  })
  beforeEach(() => fixture.freshBoard())

  const nested = (levels: number, inside: unknown = 1): unknown =>
    levels === 0 ? inside : [nested(levels - 1, inside)]
  const text = (bytes: number) => 'x'.repeat(bytes - 2)

  it('accepts exactly 8 KiB of canonical JSON, counted in bytes, and refuses more with 422', async () => {
    must(await fixture.submit({ score: '1', extra_data: text(8192) }), 201)
    expect(answerCode(await fixture.submit({ score: '2', extra_data: text(8193) }))).to.equal(
      '422 extra_data_too_large',
    )
    must(await fixture.submit({ score: '3', extra_data: 'é'.repeat(4095) }), 200)
    expect((await fixture.submit({ score: '4', extra_data: `é${'é'.repeat(4095)}` })).status).to.equal(422)
    expect(must(await fixture.list(), 200).scores[0].score).to.equal('3')
  })

  it('measures extra_data without white space and with the shortest escapes', async () => {
    const spaced = `{"score":"1","extra_data":${' '.repeat(9000)}"\\u0061${'x'.repeat(8189)}"}`
    expect(
      (await world.call('POST', `/api/lb/${fixture.board}/score/`, { token: guest.token, raw: spaced })).status,
    ).to.equal(201)
  })

  it('accepts exactly 32 levels, and refuses more with 422', async () => {
    const deepest = nested(32)
    expect(must(await fixture.submit({ score: '1', extra_data: deepest }), 201).extra_data).to.deep.equal(deepest)
    expect(answerCode(await fixture.submit({ score: '2', extra_data: nested(33) }))).to.equal(
      '422 extra_data_too_large',
    )
    expect((await fixture.submit({ score: '2', extra_data: nested(39) })).status).to.equal(422)
    expect(answerCode(await fixture.submit({ score: '2', extra_data: nested(40) }))).to.equal('400 malformed')
  })

  const NUMBERS: [literal: string, pointer: string | null][] = [
    ['{"steam":76561197960287931}', '/extra_data/steam'],
    ['[0,{"a/b":1e-400}]', '/extra_data/1/a~1b'],
    ['-1e309', '/extra_data'],
    ['[0.1234567890123456789]', '/extra_data/0'],
    ['{"steam":"76561197960287931","small":[0.10000000000000001,-0,1E2,9007199254740992,5e-324]}', null],
  ]
  for (const [literal, pointer] of NUMBERS) {
    it(`${pointer === null ? 'keeps' : `refuses with 400, at ${pointer},`} the numbers in ${literal}`, async () => {
      const raw = `{"score":"1","extra_data":${literal}}`
      const answer = await world.call('POST', `/api/lb/${fixture.board}/score/`, { token: guest.token, raw })
      if (pointer === null) {
        must(answer, 201)
        expect(answer.text).to.contain('{"small":[0.1,0,100,9007199254740992,5e-324],"steam":"76561197960287931"}')
      } else {
        expect(answerCode(answer)).to.equal('400 malformed')
        expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).to.deep.equal([pointer])
        expect(must(await fixture.list(), 200).scores).to.deep.equal([])
      }
    })
  }

  it('returns every JSON value as it was sent, in canonical form', async () => {
    await fixture.freshBoard({ unique: false })
    const values: unknown[] = [
      null,
      0,
      -0.5,
      1e21,
      1e-7,
      9007199254740991,
      '',
      'é\u0000'.slice(0, 1),
      true,
      [],
      {},
      { '': 1, b: 1, a: { c: [] } },
      [[], [{}]],
      { constructor: 1, toString: null },
    ]
    for (const extra_data of values) {
      expect(must(await fixture.submit({ score: '1', extra_data }), 201).extra_data === undefined).to.equal(false)
    }
    const got = must(await fixture.list('?order=oldest&limit=100'), 200).scores.map((one: { extra_data: unknown }) =>
      JSON.stringify(one.extra_data),
    )
    expect([...got].sort()).to.deep.equal(values.map((value) => JSON.stringify(sortedKeys(value))).sort())
  })
})

/** With the keys in the order of canonical JSON. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sortedKeys(one)]),
  )
}
