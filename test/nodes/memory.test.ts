// The memory budget: what its consumers may use together in processes of every role, also in the containers of
// compose.yaml. And the metrics of memory and of free disk.

import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import type { Role } from '../../server/config.ts'
import {
  budgetOf,
  cacheSizesOf,
  limitsHere,
  maxConnectionsOf,
  memoryHere,
  type Shares,
  sharesOf,
  storeSizesOf,
} from '../../server/memory.ts'
import { watchDisks, watchProcess } from '../../server/metrics/process-metrics.ts'

const MIB = 2 ** 20

const ROLES: readonly (readonly Role[])[] = [
  ['api', 'projector', 'rooms'],
  ['api'],
  ['projector'],
  ['rooms'],
  ['api', 'rooms'],
]

/** Memory of a process of any role under load by some hundred callers without large boards: decision 0032. */
const LOADED = 330 * MIB

/** V8's heap limit in a container of 768 MiB. */
const DOCUMENTED = { process: 768 * MIB, heap: 396 * MIB }

const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

describe('the memory budget', () => {
  for (const roles of ROLES) {
    it(`is not exceeded by the shares of ${roles.join(' and ')}`, () => {
      for (const [mib, heapMib] of [
        [256, 192],
        [768, 396],
        [2_048, 1_216],
        [24_000, 4_288],
        [24_000, 512],
      ] as const) {
        const limits = { process: mib * MIB, heap: heapMib * MIB }
        const shares = sharesOf(limits, new Set(roles))
        expect(sum(Object.values(shares))).to.be.at.most(budgetOf(limits))
        expect(budgetOf(limits)).to.be.at.most(Math.min(limits.process / 2, limits.heap))
        const { previews, ruleFolds, documents } = shares
        expect(previews + ruleFolds + documents).to.be.at.most(limits.heap / 2)
      }
    })
  }

  it('gives each role the shares that it needs, and no share to roles without such a consumer', () => {
    const mib = (...roles: Role[]) =>
      Object.values(sharesOf(DOCUMENTED, new Set(roles))).map((bytes) => Math.round(bytes / MIB))
    expect(mib('api', 'projector', 'rooms')).to.deep.equal([96, 72, 48, 72, 48, 48])
    expect(mib('api')).to.deep.equal([128, 96, 64, 96, 0, 0])
    expect(mib('projector')).to.deep.equal([0, 0, 0, 0, 99, 99])
    expect(mib('rooms')).to.deep.equal([0, 0, 0, 0, 0, 0])
  })

  it('is in docs/operations.md as it is divided in 768 MiB', () => {
    const page = readFileSync('docs/operations.md', 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)`[^|]*\| (\d+), `(api|projector)` (\d+)/gm)]
    const documented = rows.map(([, name, together, role, alone]) => [name, Number(together), role, Number(alone)])
    const shares = (...roles: Role[]) => sharesOf(DOCUMENTED, new Set(roles))
    const [together, api, projector] = [shares('api', 'projector', 'rooms'), shares('api'), shares('projector')]
    const mib = (bytes: number) => Math.round(bytes / MIB)
    const expected = (Object.keys(together) as (keyof Shares)[]).map((name) => {
      const [role, alone] = api[name] > 0 ? ['api', api] : (['projector', projector] as const)
      return [name, mib(together[name]), role, mib(alone[name])]
    })
    expect(documented).to.deep.equal(expected)
    const hundreds = (count: number) => (100 * Math.round(count / 100)).toLocaleString('en')
    const { tokenBytes, statuses, streams, documentCharacters, pageCharacters } = cacheSizesOf(DOCUMENTED)
    expect(streams).to.equal(statuses)
    expect(page.replaceAll(/\s+/g, ' ')).to.include(
      `In 768 MiB these are ${Math.round(tokenBytes / 1e6)} MB of tokens, ${hundreds(statuses)} sessions, players and streams each, ` +
        `${mib(documentCharacters)} MiB of JSON, and ${mib(pageCharacters)} MiB of pages of scores.`,
    )
  })

  it('fits into the memory limit of compose.yaml beside everything else', () => {
    const [, limit] = /^x-node:[\s\S]*?mem_limit: (\d+)m$/m.exec(readFileSync('compose.yaml', 'utf8')) ?? []
    const own = Number(limit) * MIB
    expect(LOADED + budgetOf({ process: own, heap: own })).to.be.at.most(own)
  })

  it('gives caches room for 100,000 callers from a heap limit of 1.25 GiB on', () => {
    const full = {
      tokenBytes: 144 * MIB,
      statuses: 100_000,
      streams: 100_000,
      documentCharacters: 144 * MIB,
      pageCharacters: 8 * MIB,
    }
    for (const mib of [1_280, 4_288]) expect(cacheSizesOf({ heap: mib * MIB })).to.deep.equal(full)
  })

  it('makes all caches smaller by one factor in a smaller heap, after what the program needs', () => {
    const small = {
      tokenBytes: Math.floor((144 * MIB) / 17),
      statuses: 5_882,
      streams: 5_882,
      documentCharacters: Math.floor((144 * MIB) / 17),
      pageCharacters: Math.floor((8 * MIB) / 17),
    }
    expect(cacheSizesOf({ heap: 256 * MIB })).to.deep.equal(small)
    for (const mib of [64, 192]) expect(cacheSizesOf({ heap: mib * MIB }).statuses).to.equal(3_125)
  })

  it('maps files up to a third of the memory', () => {
    const of = (mib: number) => storeSizesOf({ process: mib * MIB, heap: 4_288 * MIB })
    expect(of(768)).to.deep.equal({ documentCharacters: 144 * MIB, mappableBytes: 256 * MIB })
    expect(of(6_144).mappableBytes).to.equal(2_048 * MIB)
  })

  it('allows as many connections as a third of the heap has room for, and 24,000 at most', () => {
    const connections = [256, 396, 1_125, 4_288].map((mib) => maxConnectionsOf({ heap: mib * MIB }))
    expect(connections).to.deep.equal([5_461, 8_448, 24_000, 24_000])
  })

  it('is computed from the limits of this process', () => {
    const { process: own, heap } = limitsHere(null)
    expect(own).to.be.within(1, totalmem())
    expect(heap).to.equal(getHeapStatistics().heap_size_limit)
  })

  it('is computed from MEMORY if that is less than the process has, with half of it for the heap', () => {
    expect(limitsHere(512 * MIB)).to.deep.equal({ process: 512 * MIB, heap: 256 * MIB })
    expect(limitsHere(2 * totalmem())).to.deep.equal(limitsHere(null))
    const { cacheSizes, maxConnections } = memoryHere(new Set(['api']), 512 * MIB)
    expect({ cacheSizes, maxConnections }).to.deep.equal({
      cacheSizes: cacheSizesOf({ heap: 256 * MIB }),
      maxConnections: maxConnectionsOf({ heap: 256 * MIB }),
    })
  })
})

async function metricsOf(filesDir: string | null, dataDir: string) {
  const registry = new Registry()
  watchDisks(registry, { dataDir, filesDir })
  const [metric] = await registry.getMetricsAsJSON()
  return { name: metric?.name, values: metric?.values ?? [] }
}

describe('the metric of free bytes', () => {
  it('has one value for the disk of the data folder and one for the disk of the files', async () => {
    const { name, values } = await metricsOf(tmpdir(), tmpdir())
    expect(name).to.equal('scorebook_disk_free_bytes')
    expect(values.map(({ labels }) => labels.disk)).to.deep.equal(['data', 'files'])
    const { blocks, bsize } = await statfs(tmpdir())
    for (const { value } of values) expect(value).to.be.within(1, blocks * bsize)
  })

  it('has no value for a folder that does not exist or is not used', async () => {
    expect((await metricsOf(null, join(tmpdir(), 'no', 'such', 'folder'))).values).to.deep.equal([])
  })
})

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
