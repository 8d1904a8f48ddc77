// What the reactions of files' bytes do: orphans swept and nothing else, blobs deleted after their grace period,
// missing blobs reported, and a file counted once.

import { expect } from 'chai'
import { complete, expire } from '../../commands/finish-upload.ts'
import { foldStream } from '../../commands/fold.ts'
import { begin, bytesStored, findUpload } from '../../commands/upload.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { UPLOAD_LIFETIME_MS } from '../../domain/upload.ts'
import { findMissing, ORPHANS_KEPT_MS, REPLACED_KEPT_MS, sweepBlobs, sweepOrphans } from '../../reactions/blobs.ts'
import { gate } from '../until.ts'
import { ALL, PLACE, ROOT, running, world } from './files-world.ts'

describe('the file reactions', () => {
  it('delete old unreferenced blobs and keep the rest', async () => {
    const { clock, store, queries, waitForProjection, now, upload } = await world()
    const held = await upload('/a', null)
    store.plant('orphan', Buffer.from('x'), clock.nowMs)
    clock.nowMs += ORPHANS_KEPT_MS + 1
    store.plant('young', Buffer.from('x'), clock.nowMs)
    await waitForProjection()
    const round = (untilViewsCurrent: boolean, partitions = ALL) =>
      sweepOrphans({ files: store, queries, untilViewsCurrent: async () => untilViewsCurrent }).run(
        partitions,
        now(),
        running,
      )
    await round(false)
    await round(true, new Set([1]))
    expect(store.blobs()).to.deep.equal([held, 'orphan', 'young'].sort())
    await round(true)
    expect(store.blobs()).to.deep.equal([held, 'young'].sort())
  })

  it('count a file once, even if a repeated call reserves after the upload was settled', async () => {
    const { clock, log, commands, context, store } = await world()
    const keyed = { ...context(), call: 'the call' }
    const fresh = { path: '/a', folder: 'k1', size: 1, contentType: 'x/y', sha256: null, player: null }
    const of = (deps: typeof commands) => begin(deps, PLACE, { fresh, limits: NEW_BUCKET, admit: () => {} }, keyed)
    // It has looked whether the upload is there, and is stuck before it reserves.
    const { opened: stuck, open: goOn } = gate()
    const link: typeof store.uploadLink = async (...args) => {
      await stuck
      return store.uploadLink(...args)
    }
    const copy = of({ ...commands, files: { ...store, uploadLink: link } })
    const { id } = await of(commands)
    const wanted = await findUpload(commands, 'k1', id, clock.nowMs)
    await bytesStored(commands, id, { blob: wanted.blob, size: 1, sha256: null, storedMs: clock.nowMs }, context())
    await complete(commands, PLACE, { id, wanted, into: { ...ROOT, limits: NEW_BUCKET, admit: () => {} } }, context())
    goOn()
    expect((await copy).id).to.equal(id)
    clock.nowMs += 2 * UPLOAD_LIFETIME_MS
    await expire(commands, PLACE, id, context())
    const { bytes, files } = await foldStream(log, quota, quotaStream('k1'))
    expect({ bytes, files }).to.deep.equal({ bytes: 1, files: 1 })
  })

  it('delete a replaced blob only after its grace period', async () => {
    const { clock, log, store, now, upload } = await world()
    const first = await upload('/a', null)
    const second = await upload('/a', null)
    const event = (await log.readAll(null, 100)).find(({ type }) => type === 'FileOverwritten') as StoredEvent
    const stop = new AbortController()
    const waiting = sweepBlobs({ files: store, now }).react(event, stop.signal)
    stop.abort()
    await waiting
    expect(store.blobs()).to.deep.equal([first, second].sort())
    clock.nowMs += REPLACED_KEPT_MS
    await sweepBlobs({ files: store, now }).react(event, running)
    expect(store.blobs()).to.deep.equal([second])
  })

  it('report only files whose bytes are missing', async () => {
    const { store, queries, waitForProjection, now, upload } = await world()
    const reports: (readonly string[])[] = []
    const found = (missing: readonly { readonly blob: string }[]) => void reports.push(missing.map(({ blob }) => blob))
    let isSeen = true
    const look = (partitions = ALL) =>
      findMissing({ files: store, queries, found, untilViewsCurrent: async () => isSeen }).run(
        partitions,
        now(),
        running,
      )
    const blobs = []
    for (const path of ['/a', '/b', '/c']) blobs.push(await upload(path, null))
    await waitForProjection()
    store.plant('orphan', Buffer.from('x'), now())
    await look()
    await store.remove([blobs[1] ?? '', blobs[2] ?? ''])
    await look()
    // The views are behind: it may have been deleted.
    isSeen = false
    await look()
    isSeen = true
    await look(new Set([1]))
    await upload('/c', null)
    await waitForProjection()
    await look()
    expect(reports).to.deep.equal([[], [blobs[1], blobs[2]].sort(), [], [blobs[1]]])
  })
})
