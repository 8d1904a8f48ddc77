// How far views are behind the log: told also where the runner stands still, and to operators also where the log is silent.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { Registry } from 'prom-client'
import { watchLag } from '../../node/metrics.ts'
import { lagMs } from '../../projections/lag.ts'
import { createMemoryLog } from '../memory/log.ts'
import { said } from './run-world.ts'

const SAID_MS = Date.parse('2026-01-01T00:00:00.000Z')

describe('lag of the views', () => {
  it('is the age of the oldest event not applied, and none where all are', async () => {
    const log = createMemoryLog()
    let applied: string | null = null
    const lag = () => lagMs(log, applied, SAID_MS + 7_000)
    expect(await lag()).to.equal(0)
    await log.append('s-1', 'none', [said('a', 'g1')])
    await log.append('s-2', 'none', [said('b', 'g2')])
    expect(await lag()).to.equal(7_000)
    applied = await log.head()
    expect(await lag()).to.equal(0)
    await log.append('s-1', 0, [said('c', 'g1')])
    expect(await lag()).to.equal(7_000)
    expect(await lagMs(log, applied, SAID_MS - 1)).to.equal(0)
  })

  it('is asked for when metrics are, and grows while nothing can be told', async () => {
    const registry = new Registry()
    let lag: () => Promise<number> = async () => 12_500
    watchLag(registry, () => lag())
    const told = async () => Number(/^scorebook_projection_lag_seconds (\S+)$/m.exec(await registry.metrics())?.[1])
    expect(await told()).to.equal(12.5)
    lag = () => Promise.reject(new Error('away'))
    const away = await told()
    expect(away).to.be.greaterThan(12.5)
    lag = () => new Promise(() => {})
    expect(await told()).to.be.at.least(away + 0.9)
    lag = async () => 0
    expect(await told()).to.equal(0)
  })
})
