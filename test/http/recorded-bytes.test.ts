// How many bytes players and games may record: counted on each node, and shared in steps.

import { expect } from 'chai'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { EVENT_BYTES, eventBytes } from '../../commands/count-recorded.ts'
import { Refusal } from '../../domain/decider.ts'
import { createRecordedBytes, PLAYER_BYTES_PER_DAY, RECORDED_STEP_BYTES } from '../../http/pipeline/recorded-bytes.ts'
import { createRates } from '../../stores/embedded/transient.ts'
import { turn } from '../until.ts'

const START = Date.UTC(2026, 10, 23)
const DAY_MS = 86_400_000

/** Several nodes of one installation. */
function nodes(count: number, limit: number | null = null) {
  const rates = createRates()
  const outage = { is: false }
  const shared = {
    spend: async (...args: Parameters<typeof rates.spend>) => {
      if (outage.is) throw new Error('unavailable')
      return rates.spend(...args)
    },
  }
  const limits = { now: limit, args: 0 }
  const limitOf = async () => {
    limits.args += 1
    return limits.now
  }
  const metrics = new Registry()
  const each = Array.from({ length: count }, (_, n) =>
    createRecordedBytes({ rates: shared, limitOf, metrics: n === 0 ? metrics : new Registry() }),
  )
  return { each, outage, limits, metrics }
}

/** One call that records so many bytes; its refusal, or null. */
async function call(
  node: ReturnType<typeof createRecordedBytes> | undefined,
  bytes: number,
  nowMs = START,
  player: string | null = 'p',
) {
  if (node === undefined) throw new Error('no such node')
  try {
    const usage = await node.begin({ game: 'g', player }, nowMs)
    usage.bytes += bytes
    node.end('g', usage, nowMs)
    // Background work has ended by then: the shared store answers at once here.
    await turn()
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { code: error.code, of: error.fields.of, retry_after: error.fields.retry_after }
  }
}

describe('accounting of recorded bytes', () => {
  it('counts 512 bytes and the bytes of its texts for an event', () => {
    expect(EVENT_BYTES).to.equal(512)
    expect(eventBytes({})).to.equal(512)
    expect(eventBytes({ id: 'abc', extra: '"é"', secondary: null, list: ['x', { y: 1 }] })).to.equal(
      512 + 3 + 4 + 8 + 1 + 8,
    )
  })

  it('refuses a player above the bytes of a day, until some are regained', async () => {
    const { each } = nodes(1)
    const [node] = each
    expect(await call(node, PLAYER_BYTES_PER_DAY - 1)).to.equal(null)
    expect(await call(node, 1_000)).to.equal(null)
    // 999 bytes too many: 16 MiB are regained in a day, 194 bytes a second.
    const refusal = { code: 'recording_limit', of: 'player', retry_after: 6 }
    expect(await call(node, 1)).to.deep.equal(refusal)
    expect(await call(node, 1, START + 5_000)).to.deep.equal({ ...refusal, retry_after: 1 })
    expect(await call(node, 1, START + 6_000)).to.equal(null)
    expect(await call(node, PLAYER_BYTES_PER_DAY, START + 2 * DAY_MS)).to.equal(null)
    expect((await call(node, 1, START + 2 * DAY_MS))?.code).to.equal('recording_limit')
  })

  it('counts each player separately, and no calls without a player', async () => {
    const { each } = nodes(1)
    const [node] = each
    expect(await call(node, PLAYER_BYTES_PER_DAY)).to.equal(null)
    expect((await call(node, 1))?.of).to.equal('player')
    expect(await call(node, PLAYER_BYTES_PER_DAY, START, 'q')).to.equal(null)
    expect(await call(node, 100 * PLAYER_BYTES_PER_DAY, START, null)).to.equal(null)
    expect(await call(node, 1, START, null)).to.equal(null)
  })

  it('refuses a game above the limit of the operator, for players and server keys', async () => {
    const { each, limits } = nodes(1, 2 ** 20)
    const [node] = each
    expect(await call(node, 2 ** 21, START, null)).to.equal(null)
    expect((await call(node, 1, START, null))?.of).to.equal('game')
    expect((await call(node, 1, START, 'p'))?.of).to.equal('game')
    limits.now = null
    expect((await call(node, 1, START + 9_999, null))?.of).to.equal('game')
    expect(await call(node, 1, START + 10_000, null)).to.equal(null)
    expect(limits.args).to.equal(2)
  })

  it('counts to the player who signs in with the call', async () => {
    const { each } = nodes(1)
    const [node] = each
    const usage = await node?.begin({ game: 'g', player: null }, START)
    usage?.chargePlayer('p')
    if (usage === undefined) throw new Error('it was not begun')
    usage.bytes += PLAYER_BYTES_PER_DAY
    node?.end('g', usage, START)
    expect((await call(node, 1))?.of).to.equal('player')
    const next = await node?.begin({ game: 'g', player: null }, START)
    expect(() => next?.chargePlayer('p'))
      .to.throw(Refusal)
      .with.property('code', 'recording_limit')
  })

  it('exceeds the limit on several nodes by less than one step and one call each', () =>
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

  it('counts locally while the shared store is down, and adds the bytes to it later', async () => {
    const { each, outage, metrics } = nodes(2)
    const [one, two] = each
    outage.is = true
    expect(await call(one, PLAYER_BYTES_PER_DAY)).to.equal(null)
    expect((await call(one, 1))?.of).to.equal('player')
    expect(await call(two, 1)).to.equal(null)
    outage.is = false
    expect(await call(one, RECORDED_STEP_BYTES, START + 3_600_000)).to.equal(null)
    expect(await call(two, RECORDED_STEP_BYTES, START + 3_600_000)).to.equal(null)
    expect((await call(two, 1, START + 3_600_000))?.of).to.equal('player')
    const metricValues = await metrics.getMetricsAsJSON()
    const of = (name: string) => metricValues.find((metric) => metric.name === name)?.values.map(({ value }) => value)
    expect(of('scorebook_recorded_bytes_total')).to.deep.equal([PLAYER_BYTES_PER_DAY + RECORDED_STEP_BYTES])
    expect(of('scorebook_recording_refused_total')).to.deep.equal([1])
    expect(of('scorebook_recorded_untaken_total')).to.deep.equal([1])
  })
})
