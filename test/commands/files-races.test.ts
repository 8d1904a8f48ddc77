// Nodes upload, delete and expire concurrently, or lag behind others: one file or none results, within the quota.

import { expect } from 'chai'
import type { FileCommandDeps } from '../../commands/command-deps.ts'
import { clearFiles, fileToClear } from '../../commands/file.ts'
import { expire } from '../../commands/finish-upload.ts'
import { loadState } from '../../commands/load-state.ts'
import { begin } from '../../commands/upload.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { Refusal } from '../../domain/decider.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { UPLOAD_LIFETIME_MS } from '../../domain/upload.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { pause } from '../until.ts'
import {
  admit,
  completed,
  context,
  deleted,
  faultsIn,
  filesIn,
  keyOf,
  late,
  looked,
  node,
  PLACE,
  START_MS,
  sent,
  started,
  uploaded,
} from './files-nodes.ts'

describe('files of many nodes', () => {
  it('completes or expires an upload, never both', async () => {
    for (let round = 0; round < 20; round++) {
      const log = createMemoryLog()
      const [one, other] = [node(log), node(log)]
      const id = await started(one, '/a', 5, 'p1')
      await sent(one, id)
      const [done] = await Promise.allSettled([
        completed(one, id),
        pause(round % 4).then(() => expire(other, PLACE, id, late())),
      ])
      await looked(log)
      expect(await faultsIn(log)).to.deep.equal([])
      const there = (await filesIn(log)).filter(({ current }) => current !== null).length
      expect(there).to.equal(done?.status === 'fulfilled' ? 1 : 0)
      if (done?.status === 'rejected') expect(done.reason).to.be.instanceOf(Refusal)
    }
  })

  it('expires a repeated upload at its own end', async () => {
    const log = createMemoryLog()
    const id = await started(node(log), '/a', 5, 'p1')
    await expire(node(log), PLACE, id, context(START_MS + UPLOAD_LIFETIME_MS - 1))
    await sent(node(log), id)
    await completed(node(log), id)
    expect((await filesIn(log)).flatMap(({ current }) => current ?? [])).to.have.length(1)
  })

  it('answers a repeated start the same after the upload has expired, without a second upload', async () => {
    const log = createMemoryLog()
    const once = { ...context(), call: 'begin' }
    const fresh = { path: '/a', folder: 'k1', size: 5, contentType: 'text/plain', sha256: null, player: 'p1' }
    const again = { ...once, repeated: true, nowMs: START_MS + UPLOAD_LIFETIME_MS }
    const first = await begin(node(log), PLACE, { fresh, limits: NEW_BUCKET, admit }, once)
    await expire(node(log), PLACE, first.id, late())
    // As the route does for a repeated call, whose folder may be deleted.
    const refuse = () => expect.fail('it was judged once more')
    const second = await begin(node(log), PLACE, { fresh, limits: NEW_BUCKET, admit: refuse }, again)
    expect(second).to.deep.equal({ ...first, replayed: true })
    const { uploads } = await loadState(node(log), quota, quotaStream(PLACE.bucket))
    expect(uploads.size).to.equal(0)
  })

  it('stores no file if the upload expires on another node just before', async () => {
    const log = createMemoryLog()
    const id = await started(node(log), '/a', 5, 'p1')
    await sent(node(log), id)
    let isExpired = false
    const slow: Log = {
      ...log,
      append: async (stream, expected, events) => {
        if (stream.startsWith('file-') && !isExpired) {
          isExpired = true
          await expire(node(log), PLACE, id, late())
        }
        return log.append(stream, expected, events)
      },
    }
    const [done] = await Promise.allSettled([completed(node(slow), id)])
    expect([isExpired, done?.status]).to.deep.equal([true, 'rejected'])
    expect((await filesIn(log)).flatMap(({ current }) => current ?? [])).to.deep.equal([])
    await looked(log)
    expect(await faultsIn(log)).to.deep.equal([])
  })

  it('gives the same answer on all nodes that complete one upload concurrently', async () => {
    const log = createMemoryLog()
    const id = await started(node(log), '/a', 5, 'p1')
    await sent(node(log), id)
    await Promise.all(Array.from({ length: 8 }, () => completed(node(log), id)))
    const stored = (await log.readAll(null, 1_000)).filter(({ type }) => type.startsWith('File'))
    expect(stored.map(({ type }) => type)).to.deep.equal(['FileStored'])
    expect(await faultsIn(log)).to.deep.equal([])
  })

  it('leaves one file or none after concurrent uploads and deletions at one path on two nodes', async () => {
    const log = createMemoryLog()
    const nodes = [node(log), node(log)]
    const of = (n: number) => nodes[n % 2] as FileCommandDeps
    const acts = Array.from({ length: 16 }, (_, n) =>
      n % 4 === 3 ? deleted(of(n), '/a') : uploaded(of(n), '/a', n, n % 2 === 0 ? 'p1' : 'p2'),
    )
    for (const settled of await Promise.allSettled(acts)) {
      if (settled.status === 'rejected') expect(settled.reason).to.be.instanceOf(Refusal)
    }
    await looked(log)
    expect(await faultsIn(log)).to.deep.equal([])
  })

  it('uses exactly the available quota for 200 concurrent uploads on two nodes', async () => {
    const log = createMemoryLog()
    const nodes = [node(log), node(log)]
    const limits = { ...NEW_BUCKET, maxBytes: 1_000, maxFiles: 1_000 }
    const begins = Array.from({ length: 200 }, (_, n) => {
      const fresh = { path: `/${n}`, folder: 'k1', size: 9, contentType: 'x/y', sha256: null, player: null }
      return begin(nodes[n % 2] as FileCommandDeps, PLACE, { fresh, limits, admit }, context())
    })
    const done = (await Promise.allSettled(begins)).filter(({ status }) => status === 'fulfilled')
    const { bytes, uploads } = await loadState(node(log), quota, quotaStream(PLACE.bucket))
    expect([bytes <= 1_000, uploads.size]).to.deep.equal([true, done.length])
    expect(bytes).to.equal(9 * done.length)
  })
})

/** Passes a number of appends; all later ones are lost, as if the node had died. */
function dyingAfter(log: Log, appends: number): Log {
  let left = appends
  return {
    ...log,
    append: async (stream, expected, events) => {
      if (left-- <= 0) throw new NotSent('dead')
      return log.append(stream, expected, events)
    },
  }
}

type Act = (deps: FileCommandDeps) => Promise<unknown>

const ACTS: Readonly<Record<string, readonly [before: Act, dying: Act]>> = {
  'a first upload': [async () => {}, (deps) => uploaded(deps, '/a', 5, 'p1')],
  'an overwrite by another': [(deps) => uploaded(deps, '/a', 5, 'p1'), (deps) => uploaded(deps, '/a', 9, 'p2')],
  'an overwrite by less': [(deps) => uploaded(deps, '/a', 5, 'p1'), (deps) => uploaded(deps, '/a', 2, null)],
  'a deletion': [(deps) => uploaded(deps, '/a', 5, 'p1'), (deps) => deleted(deps, '/a')],
  'a clearing': [
    async (deps) => {
      for (const path of ['/a', '/b', '/c']) await uploaded(deps, path, 5, 'p1')
    },
    (deps) => {
      const all = ['/a', '/b', '/none'].map((path) => fileToClear({ folder: 'k1', key: keyOf(path) }))
      return clearFiles(deps, PLACE, all, context())
    },
  ],
}

describe('files and quotas', () => {
  for (const [what, [before, dying]] of Object.entries(ACTS)) {
    it(`keeps files and quota consistent whenever the node dies: ${what}`, async () => {
      let isOver = false
      for (let appends = 0; !isOver; appends++) {
        const log = createMemoryLog()
        await before(node(log))
        isOver = await dying(node(dyingAfter(log, appends))).then(
          () => true,
          () => false,
        )
        if (appends > 20) throw new Error('it never came to its end')
        for (const time of ['once', 'again']) {
          await looked(log)
          expect(await faultsIn(log), `${appends} appends, looked ${time}`).to.deep.equal([])
        }
      }
    })
  }
})
