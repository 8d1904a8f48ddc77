// How many bytes players and games may record: counted on each node, and shared in steps.

import { expect } from 'chai'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { EVENT_BYTES, eventBytes } from '../../commands/count-recorded.ts'
import { Refusal } from '../../domain/decider.ts'
import { createRecordedBytes, PLAYER_BYTES_PER_DAY, RECORDED_STEP_BYTES } from '../../http/pipeline/recorded-bytes.ts'
import { createRates } from '../../stores/embedded/transient.ts'

const START = Date.UTC(2026, 10, 23)
const DAY_MS = 86_400_000

/** Some nodes of one installation. */
function nodes(count: number, limit: number | null = null) {
  const rates = createRates()
  const away = { is: false }
  const shared = {
    spend: async (...asked: Parameters<typeof rates.spend>) => {
      if (away.is) throw new Error('away')
      return rates.spend(...asked)
    },
  }
  const limits = { now: limit, asked: 0 }
  const limitOf = async () => {
    limits.asked += 1
    return limits.now
  }
  const metrics = new Registry()
  const each = Array.from({ length: count }, (_, n) =>
    createRecordedBytes({ rates: shared, limitOf, metrics: n === 0 ? metrics : new Registry() }),
  )
  return { each, away, limits, metrics }
}

/** One call that records so many bytes; what it is refused with, or null. */
async function call(
  node: ReturnType<typeof createRecordedBytes> | undefined,
  bytes: number,
  nowMs = START,
  player: string | null = 'p',
) {
  if (node === undefined) throw new Error('no such node')
  try {
    const tally = await node.begin({ game: 'g', player }, nowMs)
    tally.bytes += bytes
    node.end('g', tally, nowMs)
    // What was begun in the background has ended by then: the shared store answers at once here.
    await new Promise((wake) => setImmediate(wake))
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { code: error.code, of: error.fields.of, retry_after: error.fields.retry_after }
  }
}

describe('recorded bytes', () => {
  it('of an event are 512 and the bytes of its texts', () => {
    expect(EVENT_BYTES).to.equal(512)
    expect(eventBytes({})).to.equal(512)
    expect(eventBytes({ id: 'abc', extra: '"é"', secondary: null, list: ['x', { y: 1 }] })).to.equal(
      512 + 3 + 4 + 8 + 1 + 8,
    )
  })

  it('are refused to a player once a day’s are recorded, until some have come back', async () => {
    const { each } = nodes(1)
    const [node] = each
    expect(await call(node, PLAYER_BYTES_PER_DAY - 1)).to.equal(null)
    expect(await call(node, 1_000)).to.equal(null)
    // 999 bytes too many: 16 MiB come back in a day, 194 a second.
    const refusal = { code: 'recording_limit', of: 'player', retry_after: 6 }
    expect(await call(node, 1)).to.deep.equal(refusal)
    expect(await call(node, 1, START + 5_000)).to.deep.equal({ ...refusal, retry_after: 1 })
    expect(await call(node, 1, START + 6_000)).to.equal(null)
    expect(await call(node, PLAYER_BYTES_PER_DAY, START + 2 * DAY_MS)).to.equal(null)
    expect((await call(node, 1, START + 2 * DAY_MS))?.code).to.equal('recording_limit')
  })

  it('are counted for each player apart, and not where a call has none', async () => {
    const { each } = nodes(1)
    const [node] = each
    expect(await call(node, PLAYER_BYTES_PER_DAY)).to.equal(null)
    expect((await call(node, 1))?.of).to.equal('player')
    expect(await call(node, PLAYER_BYTES_PER_DAY, START, 'q')).to.equal(null)
    expect(await call(node, 100 * PLAYER_BYTES_PER_DAY, START, null)).to.equal(null)
    expect(await call(node, 1, START, null)).to.equal(null)
  })

  it('are refused to a game beyond what the operator set, for players and server keys alike', async () => {
    const { each, limits } = nodes(1, 2 ** 20)
    const [node] = each
    expect(await call(node, 2 ** 21, START, null)).to.equal(null)
    expect((await call(node, 1, START, null))?.of).to.equal('game')
    expect((await call(node, 1, START, 'p'))?.of).to.equal('game')
    limits.now = null
    expect((await call(node, 1, START + 9_999, null))?.of).to.equal('game')
    expect(await call(node, 1, START + 10_000, null)).to.equal(null)
    expect(limits.asked).to.equal(2)
  })

  it('count to the player who signs in with the call', async () => {
    const { each } = nodes(1)
    const [node] = each
    const tally = await node?.begin({ game: 'g', player: null }, START)
    tally?.countTo('p')
    if (tally === undefined) throw new Error('it was not begun')
    tally.bytes += PLAYER_BYTES_PER_DAY
    node?.end('g', tally, START)
    expect((await call(node, 1))?.of).to.equal('player')
    const next = await node?.begin({ game: 'g', player: null }, START)
    expect(() => next?.countTo('p'))
      .to.throw(Refusal)
      .with.property('code', 'recording_limit')
  })

  it('are exceeded on several nodes by less than one step and one call for each', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 60_000 })), {
          minLength: 900,
          maxLength: 1_000,
        }),
        async (calls) => {
          const { each } = nodes(3)
          let recorded = 0
          let isRefused = false
          for (const [n, bytes] of calls) {
            if ((await call(each[n], bytes)) === null) recorded += bytes
            else isRefused = true
          }
          expect(recorded).to.be.below(PLAYER_BYTES_PER_DAY + 3 * (RECORDED_STEP_BYTES + 60_000))
          if (isRefused) expect(recorded).to.be.at.least(PLAYER_BYTES_PER_DAY)
        },
      ),
      { seed: 19, numRuns: 20 },
    ))

  it('are counted by this node where the shared store is away, and taken from it later', async () => {
    const { each, away, metrics } = nodes(2)
    const [one, two] = each
    away.is = true
    expect(await call(one, PLAYER_BYTES_PER_DAY)).to.equal(null)
    expect((await call(one, 1))?.of).to.equal('player')
    expect(await call(two, 1)).to.equal(null)
    away.is = false
    expect(await call(one, RECORDED_STEP_BYTES, START + 3_600_000)).to.equal(null)
    expect(await call(two, RECORDED_STEP_BYTES, START + 3_600_000)).to.equal(null)
    expect((await call(two, 1, START + 3_600_000))?.of).to.equal('player')
    const told = await metrics.getMetricsAsJSON()
    const of = (name: string) => told.find((metric) => metric.name === name)?.values.map(({ value }) => value)
    expect(of('scorebook_recorded_bytes_total')).to.deep.equal([PLAYER_BYTES_PER_DAY + RECORDED_STEP_BYTES])
    expect(of('scorebook_recording_refused_total')).to.deep.equal([1])
    expect(of('scorebook_recorded_untaken_total')).to.deep.equal([1])
  })
})
