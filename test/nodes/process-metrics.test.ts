// What a node reports about its process.

import { tmpdir } from 'node:os'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { watchProcess } from '../../server/metrics/process-metrics.ts'

describe('the metric of a process’s own memory', () => {
  it('has the part of the resident set that is not mapped from files: all of the heap, but not the program', async () => {
    const registry = new Registry()
    watchProcess(registry, { dataDir: tmpdir(), filesDir: null })
    const [{ value: own } = { value: 0 }] =
      (await registry.getSingleMetric('scorebook_own_memory_bytes')?.get())?.values ?? []
    const { rss, heapUsed } = process.memoryUsage()
    expect(own).to.be.within(heapUsed, rss - 10 * 2 ** 20)
  })
})
