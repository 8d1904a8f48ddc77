// What an entry shows of its player's submissions, over HTTP: the best, the latest or the total, on a live leaderboard,
// inside windows of time, at past instants and after changes of the rules.

import { expect } from 'chai'
import { eventually } from '../until.ts'
import { makeBoard, makePlayer } from './game-fixtures.ts'
import type { Answered, Body } from './http-client.ts'
import { answerCode, openTenant, type Tenant } from './tenant.ts'
import { must } from './world.ts'

const MINUTE_MS = 60_000
const power = (exponent: number) => `1${'0'.repeat(exponent)}`
const nines = (digits: number) => '9'.repeat(digits)

describe('what an entry shows', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await openTenant()
  })

  const board = (rules: object) => makeBoard(tenant.world, tenant.game, { ordering: 'desc', ...rules })
  const player = (name?: string) => makePlayer(tenant.world, tenant.game, name)
  const post = (to: string, body: object): Promise<Answered> => {
    tenant.world.clock.nowMs += 1
    return tenant.post(`/api/lb/${to}/score/`, body)
  }
  const page = async (of: string, query = ''): Promise<Body[]> =>
    must(await tenant.get(`/api/lb/${of}/score/?limit=100${query}`), 200).scores
  const values = async (of: string, query?: string) =>
    (await page(of, query)).map(({ score, secondary_score: second }) => [score, second])

  async function changed(of: string, rules: object): Promise<void> {
    must(await tenant.put(`/api/lb/${of}/`, rules), 202)
    await eventually(async () => must(await tenant.get(`/api/lb/${of}/rebuild/`), 200).finished !== null)
    expect(must(await tenant.get(`/api/lb/${of}/rebuild/`), 200)).to.include({ state: 'done', error: null })
  }

  const SENT = [
    { score: '5', secondary_score: '2', extra_data: 'a', player_name: 'A' },
    { score: '-0.5', extra_data: 'b' },
    { score: '5', secondary_score: '3' },
    { score: '0', secondary_score: '-1.25', player_name: 'D' },
  ]
  /** Of each submission: score, secondary score, improved, extra data, name, and which submission `updated` is of. */
  const SHOWN: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
    best: [
      ['5', '2', true, 'a', 'A', 0],
      ['5', '2', false, 'a', 'A', 0],
      ['5', '3', true, null, 'Ada', 2],
      ['5', '3', false, null, 'Ada', 2],
    ],
    latest: [
      ['5', '2', true, 'a', 'A', 0],
      ['-0.5', null, false, 'b', 'Ada', 1],
      ['5', '3', true, null, 'Ada', 2],
      ['0', '-1.25', false, null, 'D', 3],
    ],
    total: [
      ['5', '2', true, 'a', 'A', 0],
      ['4.5', '2', false, 'b', 'Ada', 1],
      ['9.5', '5', true, null, 'Ada', 2],
      ['9.5', '3.75', false, null, 'D', 3],
    ],
  }
  for (const [keep, expected] of Object.entries(SHOWN)) {
    it(`is answered to each submission where keep is ${keep}: created once, improved only by a better rank`, async () => {
      const [of, ada] = [await board({ keep }), await player('Ada')]
      const [times, rows, ids]: [string[], unknown[], Body[]] = [[], [], []]
      for (const sent of SENT) {
        const { status, body } = await post(of, { player: ada, ...sent })
        times.push(tenant.nowText())
        ids.push([status, body.id, body.added, body.submitted, body.rank])
        const { score, secondary_score: second, improved, extra_data: extra, player_name: name, updated } = body
        rows.push([score, second, improved, extra, name, times.indexOf(updated)])
      }
      expect(rows).to.deep.equal(expected)
      const [created, id, added] = ids[0]
      expect(ids).to.deep.equal([[created, id, added, id, 1], ...Array(3).fill([200, id, added, null, 1])])
      expect([created, added]).to.deep.equal([201, times[0]])
      const [shown] = await page(of)
      expect(shown).to.deep.include({ id, added, score: rows.at(-1) && (rows.at(-1) as unknown[])[0], rank: 1 })
    })
  }

  it('is their best where each submission is an entry, and submitted is the id of the new one', async () => {
    const [of, ada] = [await board({ unique: false }), await player('Ada')]
    const answers: Body[] = []
    for (const score of ['5', '3', '7']) answers.push(must(await post(of, { player: ada, score }), 201))
    const [first, second, third] = answers
    expect(answers.map(({ score, improved, rank }) => [score, improved, rank])).to.deep.equal([
      ['5', true, 1],
      ['5', false, 1],
      ['7', true, 1],
    ])
    expect([first.id, second.id, third.id]).to.deep.equal([first.submitted, first.submitted, third.submitted])
    expect((await page(of)).map(({ id }) => id)).to.deep.equal([third.id, first.id, second.submitted])
  })

  it('is refused with 400 at /keep where it would be another than best on a board that is not unique', async () => {
    const make = (rules: object) =>
      tenant.post(`/api/gm/${tenant.game.id}/lb/`, { name: 'B', ordering: 'desc', ...rules })
    const pointers = ({ status, body }: Answered) => [
      status,
      body.code,
      body.errors?.map(({ pointer }: Body) => pointer),
    ]
    const refused = [400, 'malformed', ['/keep']]
    for (const keep of ['latest', 'total']) {
      expect(pointers(await make({ unique: false, keep }))).to.deep.equal(refused)
      const [unique, each] = [await board({ keep }), await board({ unique: false })]
      expect(pointers(await tenant.put(`/api/lb/${unique}/`, { unique: false }))).to.deep.equal(refused)
      expect(pointers(await tenant.put(`/api/lb/${each}/`, { keep }))).to.deep.equal(refused)
      expect(pointers(await tenant.post(`/api/lb/${each}/preview/`, { keep }))).to.deep.equal(refused)
      must(await tenant.put(`/api/lb/${unique}/`, { unique: false, keep: 'best' }), 202)
    }
    for (const keep of ['sum', '', 1, true, ['best']]) expect(pointers(await make({ keep }))).to.deep.equal(refused)
    expect(must(await make({ unique: false, keep: 'best' }), 201).keep).to.equal('best')
    const made = must(await make({ keep: null }), 201)
    expect(made.keep).to.equal('best')
    expect(pointers(await tenant.put(`/api/lb/${made.id}/`, { keep: null }))).to.deep.equal(refused)
  })

  it('counts only what is within the bounds, which apply to each submission of a total', async () => {
    const [of, ada] = [await board({ keep: 'total', min_score: '-1', max_score: '10' }), await player()]
    for (const [score, answer] of [
      ['10', '201'],
      ['10', '200'],
      ['10.000000000000000001', '422 score_above_maximum'],
      ['-1.1', '422 score_below_minimum'],
      ['-1', '200'],
    ] as const) {
      expect(answerCode(await post(of, { player: ada, score })), score).to.equal(answer)
    }
    expect(await values(of)).to.deep.equal([['19', null]])
    await changed(of, { max_score: '9' })
    expect(await values(of)).to.deep.equal([['-1', null]])
    await changed(of, { max_score: null })
    expect(await values(of)).to.deep.equal([['19', null]])
  })

  it('refuses scores of 10^24 and secondary ones on a board of totals, and leaves out those recorded before', async () => {
    const [of, ada] = [await board({ keep: 'best' }), await player()]
    must(await post(of, { player: ada, score: power(24), secondary_score: '1' }), 201)
    must(await post(of, { player: ada, score: nines(24), secondary_score: '2' }), 200)
    must(await post(of, { player: ada, score: '1', secondary_score: `-${power(24)}` }), 200)
    await changed(of, { keep: 'total' })
    expect(await values(of)).to.deep.equal([[nines(24), '2']])
    for (const [body, code] of [
      [{ score: power(24) }, 'score_above_maximum'],
      [{ score: `-${power(24)}` }, 'score_below_minimum'],
      [{ score: '1', secondary_score: power(24) }, 'score_above_maximum'],
      [{ score: '1', secondary_score: `-${power(29)}` }, 'score_below_minimum'],
    ] as const) {
      expect(answerCode(await post(of, { player: ada, ...body })), JSON.stringify(body)).to.equal(`422 ${code}`)
    }
    must(await post(of, { player: ada, score: `${nines(24)}.${nines(18)}`, secondary_score: `-${nines(24)}` }), 200)
    expect(await values(of)).to.deep.equal([[`1${nines(23)}8.${nines(18)}`, `-${nines(23)}7`]])
    await changed(of, { keep: 'best' })
    expect(await values(of)).to.deep.equal([[power(24), '1']])
  })

  it('lists the counted submissions of a total in pages, newest first, and begins again after a deletion', async () => {
    const [of, ada] = [await board({ keep: 'total', max_score: '5' }), await player()]
    const { id } = must(await post(of, { player: ada, score: '1' }), 201)
    for (const score of ['2', '3', '4', '5']) must(await post(of, { player: ada, score }), 200)
    await changed(of, { max_score: '4' })
    const why = async (score: string, query = '') => {
      const {
        events,
        count,
        offset,
        limit,
        next_offset: next,
        ...rest
      } = must(await tenant.get(`/api/score/${score}/why/${query}`), 200)
      const shown = events.map(({ effect, event }: Body) => `${effect} ${event.data.score}`)
      return { shown, paging: [count, offset, limit, next], rest }
    }
    const rest = { score: id, leaderboard: of, player: ada, hidden: false }
    const counted = ['counted 4', 'counted 3', 'counted 2', 'counted 1']
    expect(await why(id)).to.deep.equal({ shown: counted, paging: [4, 0, 20, null], rest })
    expect(await why(id, '?limit=2')).to.deep.equal({ shown: counted.slice(0, 2), paging: [4, 0, 2, 2], rest })
    expect(await why(id, '?limit=2&offset=3')).to.deep.equal({ shown: counted.slice(3), paging: [4, 3, 2, null], rest })
    expect((await why(id, '?offset=4')).shown).to.deep.equal([])
    must(await tenant.remove(`/api/score/${id}/`), 200)
    expect(await values(of)).to.deep.equal([])
    const again = must(await post(of, { player: ada, score: '3' }), 201)
    expect([again.score, again.improved, again.submitted === again.id, again.id === id]).to.deep.equal([
      '3',
      true,
      true,
      false,
    ])
    expect((await why(again.id)).shown).to.deep.equal(['counted 3'])
  })

  it('explains the latest submission by each that replaced the one before', async () => {
    const [of, ada] = [await board({ keep: 'latest' }), await player()]
    const { id } = must(await post(of, { player: ada, score: '9' }), 201)
    for (const score of ['1', '1']) must(await post(of, { player: ada, score }), 200)
    const { events, left_out: leftOut } = must(await tenant.get(`/api/score/${id}/why/`), 200)
    expect(events.map(({ effect, event }: Body) => `${effect} ${event.data.score ?? ''}`)).to.deep.equal([
      'rules ',
      'began 9',
      'replaced 1',
      'replaced 1',
    ])
    expect(leftOut).to.equal(0)
  })

  it('is computed from the submissions inside a window with window=best, and is as it was at a past instant', async () => {
    const [ada, bob] = [await player('Ada'), await player('Bob')]
    const boards = {
      best: await board({}),
      latest: await board({ keep: 'latest' }),
      total: await board({ keep: 'total' }),
    }
    const instants: string[] = []
    for (const [who, score] of [
      [ada, '9'],
      [bob, '2'],
      [ada, '4'],
      [ada, '1'],
    ] as const) {
      tenant.world.clock.nowMs += MINUTE_MS
      instants.push(tenant.nowText())
      for (const of of Object.values(boards)) await post(of, { player: who, score })
    }
    const [, second = '', third = ''] = instants
    const inside = async (of: string) => (await values(of, `&since=${second}&window=best`)).map(([score]) => score)
    expect([await inside(boards.best), await inside(boards.latest), await inside(boards.total)]).to.deep.equal([
      ['4', '2'],
      ['2', '1'],
      ['5', '2'],
    ])
    expect((await values(boards.best, `&since=${second}`)).map(([score]) => score)).to.deep.equal(['2'])
    const [whole] = await page(boards.total, `&player=${ada}`)
    const [windowed] = await page(boards.total, `&player=${ada}&since=${second}&window=best`)
    expect([whole?.score, windowed]).to.deep.equal(['14', { ...whole, score: '5' }])
    const valuesThen = async (of: string) => (await values(of, `&as_of=${third}`)).map(([score]) => score)
    expect([await valuesThen(boards.latest), await valuesThen(boards.total)]).to.deep.equal([
      ['9', '2'],
      ['9', '2'],
    ])
    const { points } = must(await tenant.get(`/api/lb/${boards.total}/history/?player=${ada}&points=3`), 200)
    expect(points.map(({ score }: Body) => score)).to.deep.equal(['9', '13', '14'])
  })

  it('is changed by a rule change that its preview shows, and back, without losing a submission', async () => {
    const [of, ada, bob] = [await board({}), await player('Ada'), await player('Bob')]
    for (const [who, score] of [
      [ada, '5'],
      [bob, '6'],
      [ada, '2'],
      [bob, '-4'],
    ] as const) {
      await post(of, { player: who, score })
    }
    const preview = must(await tenant.post(`/api/lb/${of}/preview/`, { keep: 'total' }), 200)
    expect([preview.entries_after, preview.changed]).to.deep.equal([2, 2])
    expect(preview.top.map(({ player_name: name, after }: Body) => `${name} ${after}`).sort()).to.deep.equal([
      'Ada 1',
      'Bob 2',
    ])
    const [before, then] = [await page(of), tenant.nowText()]
    tenant.world.clock.nowMs += 1
    await changed(of, { keep: 'total' })
    const keepOf = async (query = '') => must(await tenant.get(`/api/lb/${of}/${query}`), 200).keep
    expect([await keepOf(), await keepOf(`?as_of=${then}`)]).to.deep.equal(['total', 'best'])
    expect(await values(of)).to.deep.equal([
      ['7', null],
      ['2', null],
    ])
    await changed(of, { keep: 'latest' })
    expect(await values(of)).to.deep.equal([
      ['2', null],
      ['-4', null],
    ])
    await changed(of, { keep: 'best' })
    expect(await page(of)).to.deep.equal(before)
  })
})
