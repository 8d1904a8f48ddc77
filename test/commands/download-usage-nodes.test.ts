// Downloads counted by several nodes: at least the sent bytes, at most the month's limit, and exactly the sent bytes
// once all nodes are idle. A node that dies leaves its pre-reserved bytes counted.

import { expect } from 'chai'
import fc from 'fast-check'
import { MAX_PRERESERVED_BYTES } from '../../commands/bucket-ledger.ts'
import { Refusal } from '../../domain/decider.ts'
import { NotSent } from '../../stores/contract/log.ts'
import { world } from './download-usage-world.ts'

const MIB = 1_048_576

describe('download usage of several nodes', () => {
  it('leaves at most its pre-reserved bytes counted when a node dies', async () => {
    const { node, counted } = await world()
    const dying = node()
    for (let n = 0; n < 200; n++) await dying.downloadUsage.reserveBytes('k1', `d${n}`, MIB)
    dying.dies()
    await dying.downloadUsage.close()
    expect(await counted()).to.be.within(200 * MIB + 1, 200 * MIB + MAX_PRERESERVED_BYTES)
    const { downloadUsage } = node()
    await downloadUsage.reserveBytes('k1', 'd1', MIB)
    expect(await counted()).to.be.within(201 * MIB + 1, 201 * MIB + MAX_PRERESERVED_BYTES)
    await downloadUsage.close()
  })

  it('counts at least the sent bytes and at most the limit while nodes die, and exactly the sent bytes otherwise', async () => {
    const step = fc.record({
      node: fc.nat(2),
      link: fc.nat(5),
      bytes: fc.integer({ min: 1, max: 400 }),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
      does: fc.constantFrom('offers', 'sends', 'sends', 'sends', 'sends', 'settles', 'dies'),
      waits: fc.boolean(),
      passMs: fc.constantFrom(0, 0, 0, 500, 61_000),
    })
    const LIMIT = 2_000
    const seen = { ahead: 0, refused: 0, lost: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        const { clock, node, now, counted } = await world(LIMIT)
        const nodes = [node(), node(), node()]
        const links = ['d1']
        let sent = 0
        let deaths = 0
        let running: Promise<void>[] = []
        const went = async ({ node: at, link, bytes, cut }: (typeof steps)[number]) => {
          const { downloadUsage } = nodes[at] as (typeof nodes)[number]
          const refused = (error: unknown) => {
            if (error instanceof NotSent) return null
            expect((error as Refusal).code).to.equal('download_quota_exceeded')
            seen.refused++
            return null
          }
          const release = await downloadUsage.reserveBytes('k1', links[link % links.length] ?? '', bytes).catch(refused)
          if (release === null) return
          const unsent = Math.floor(bytes * cut)
          sent += bytes - unsent
          if (unsent > 0) await release(unsent).catch((error) => expect(error).to.be.instanceOf(NotSent))
        }
        for (const one of steps) {
          const here = nodes[one.node] as (typeof nodes)[number]
          if (one.does === 'sends') running.push(went(one))
          else if (one.does === 'settles') running.push(here.downloadUsage.flush())
          else if (one.does === 'offers') {
            const link = await here
              .offer(one.bytes)
              .catch((error: unknown) => expect(error).to.be.instanceOf(Refusal) && null)
            if (typeof link === 'string') links.push(link)
          } else {
            here.dies()
            await here.downloadUsage.close()
            nodes[one.node] = node()
            deaths++
          }
          if (!one.waits) continue
          await Promise.all(running)
          running = []
          const { sent: total, promised } = await now()
          expect(total).to.be.at.least(sent)
          expect(total + promised).to.be.at.most(LIMIT)
          seen.ahead = Math.max(seen.ahead, total - sent)
          clock.nowMs += one.passMs
        }
        await Promise.all(running)
        await Promise.all(nodes.map(({ downloadUsage }) => downloadUsage.close()))
        const lost = (await counted()) - sent
        expect(lost).to.be.at.least(0)
        if (deaths === 0) expect(lost).to.equal(0)
        seen.lost = Math.max(seen.lost, lost)
      }),
      // Shrinking takes minutes, and would end in a timeout that says nothing.
      { numRuns: 25, endOnFailure: true },
    )
    for (const [what, most] of Object.entries(seen)) expect(most, what).to.be.above(0)
  })
})
