// Monthly downloads begun, sent and dropped in any order: never over the limit, and never refused to the player with
// the fewest promised bytes while bytes are free.

import { expect } from 'chai'
import fc from 'fast-check'
import { beginDownload, recordSentDownloads, reserveDownloadBytes } from '../../domain/allowance.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import type { Decision, Refusal } from '../../domain/decider.ts'
import { asOf, type QuotaEvent, quota } from '../../domain/quota.ts'
import type { Quota } from '../../domain/quota-state.ts'
import { START_MS, timeAt } from './given.ts'

const LIMIT = 80
const limits = { ...NEW_BUCKET, monthlyDownloadBytes: LIMIT }

describe('monthly downloads in any order', () => {
  it('stay within the limit, and serve the player with the fewest promised bytes while unsent bytes remain', () => {
    const asker = fc.constantFrom('p1', 'p2', 'p3', null)
    const id = fc.integer({ min: 0, max: 4 }).map((n) => `d${n}`)
    const few = fc.integer({ min: 1, max: 5 })
    const some = fc.integer({ min: 1, max: 60 })
    const step = fc.oneof(
      fc.record({ do: fc.constant('begin' as const), id, by: asker, bytes: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ do: fc.constant('send' as const), id, bytes: fc.oneof(few, some), prereserved: fc.nat(2) }),
      fc.record({ do: fc.constant('tell' as const), id, bytes: fc.integer({ min: 0, max: 40 }) }),
      fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(20, 140) }),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        let state = quota.initial
        let seconds = 0
        let revision = -1
        /** The last link by each name. */
        const links = new Map<string, string>()
        const linkOf = (id: string) => links.get(id) ?? id
        const decide = (decision: Decision<Quota, QuotaEvent>) => {
          for (const event of decision(state, revision)) {
            revision++
            state = quota.evolve(state, event, { revision, time: timeAt(seconds) })
          }
        }
        const isRefused = (decision: Decision<Quota, QuotaEvent>) => {
          try {
            decide(decision)
            return false
          } catch (error) {
            expect((error as Refusal).code).to.equal('download_quota_exceeded')
            return true
          }
        }
        for (const one of steps) {
          const nowMs = START_MS + seconds * 1_000
          const before = asOf(state, nowMs)
          if (one.do === 'wait') seconds += one.seconds
          else if (one.do === 'tell') decide(recordSentDownloads(new Map([[linkOf(one.id), one.bytes]])))
          else if (one.do === 'send')
            isRefused(
              reserveDownloadBytes(
                { download: linkOf(one.id), bytes: one.bytes, prereserved: one.prereserved },
                limits,
                nowMs,
              ),
            )
          else {
            const fresh = {
              download: `${one.id} ${revision}`,
              bytes: one.bytes,
              expires: timeAt(seconds + 60),
              by: one.by,
            }
            links.set(one.id, fresh.download)
            const wasRefused = isRefused(beginDownload(fresh, limits, nowMs))
            const others = [...before.askers.entries()].filter(([by]) => by !== one.by).map(([, held]) => held)
            const own = before.askers.get(one.by ?? '') ?? 0
            const unbounded = before.promised - others.reduce((sum, held) => sum + held, 0) - own
            const isLeast = others.length > 0 && Math.max(...others) > own + one.bytes
            if (isLeast && before.sent + unbounded + one.bytes <= LIMIT) expect(wasRefused).to.equal(false)
          }
          const held = [...state.downloads.entries()].reduce(
            (sum, [, { bytes, sent }]) => sum + Math.max(0, bytes - sent),
            0,
          )
          expect([state.promised, state.sent + state.promised <= LIMIT]).to.deep.equal([held, true])
        }
      }),
      { numRuns: 300 },
    )
  })
})
