// What a game keeps beside a score: any JSON, within limits met to the byte and to the level.

import { expect } from 'chai'
import { type Arena, openArena } from './arena.ts'
import type { Guest } from './scenery.ts'
import { outcome } from './tenant.ts'
import { must, type World } from './world.ts'

describe('extra_data', () => {
  let arena: Arena
  let world: World
  let guest: Guest

  before(async () => {
    arena = await openArena()
    ;({ world, guest } = arena)
  })
  beforeEach(() => arena.freshBoard())

  const nested = (levels: number, inside: unknown = 1): unknown =>
    levels === 0 ? inside : [nested(levels - 1, inside)]
  const text = (bytes: number) => 'x'.repeat(bytes - 2)

  it('may be exactly 8 KiB as canonical JSON, counted in bytes', async () => {
    must(await arena.submit({ score: '1', extra_data: text(8192) }), 201)
    expect(outcome(await arena.submit({ score: '2', extra_data: text(8193) }))).to.deep.equal({
      status: 422,
      code: 'extra_data_too_large',
    })
    must(await arena.submit({ score: '3', extra_data: 'é'.repeat(4095) }), 200)
    expect((await arena.submit({ score: '4', extra_data: `é${'é'.repeat(4095)}` })).status).to.equal(422)
    expect(must(await arena.list(), 200).scores[0].score).to.equal('3')
  })

  it('is measured without white space and with the shortest escapes', async () => {
    const spaced = `{"score":"1","extra_data":${' '.repeat(9000)}"\\u0061${'x'.repeat(8189)}"}`
    expect(
      (await world.call('POST', `/api/lb/${arena.board}/score/`, { token: guest.token, raw: spaced })).status,
    ).to.equal(201)
  })

  it('may be exactly 32 levels deep', async () => {
    const deepest = nested(32)
    expect(must(await arena.submit({ score: '1', extra_data: deepest }), 201).extra_data).to.deep.equal(deepest)
    expect(outcome(await arena.submit({ score: '2', extra_data: nested(33) }))).to.deep.equal({
      status: 422,
      code: 'extra_data_too_large',
    })
    expect((await arena.submit({ score: '2', extra_data: nested(39) })).status).to.equal(422)
    expect(outcome(await arena.submit({ score: '2', extra_data: nested(40) }))).to.deep.equal({
      status: 400,
      code: 'malformed',
    })
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
      const answer = await world.call('POST', `/api/lb/${arena.board}/score/`, { token: guest.token, raw })
      if (pointer === null) {
        must(answer, 201)
        expect(answer.text).to.contain('{"small":[0.1,0,100,9007199254740992,5e-324],"steam":"76561197960287931"}')
      } else {
        expect(outcome(answer)).to.deep.equal({ status: 400, code: 'malformed' })
        expect(answer.body.errors.map((fault: { pointer: string }) => fault.pointer)).to.deep.equal([pointer])
        expect(must(await arena.list(), 200).scores).to.deep.equal([])
      }
    })
  }

  it('comes back as it was sent, whatever it is', async () => {
    await arena.freshBoard({ unique: false })
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
      expect(must(await arena.submit({ score: '1', extra_data }), 201).extra_data === undefined).to.equal(false)
    }
    const got = must(await arena.list('?order=oldest&limit=100'), 200).scores.map((one: { extra_data: unknown }) =>
      JSON.stringify(one.extra_data),
    )
    expect([...got].sort()).to.deep.equal(values.map((value) => JSON.stringify(sortedKeys(value))).sort())
  })
})

/** With the keys in the order that canonical JSON has them. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sortedKeys(one)]),
  )
}
