// A node that dies at any append of an upload, an overwrite or a deletion, or lags while others go on: once the processes have
// looked, what the quota counts is what the files hold, and every upload is a file or none.

import { expect } from 'chai'
import type { FileCommandDeps } from '../../commands/deps.ts'
import { clearFiles, doomed, free, removeFile } from '../../commands/file.ts'
import { complete, expire, finish } from '../../commands/finish-upload.ts'
import { createHandler } from '../../commands/handle.ts'
import { look } from '../../commands/look.ts'
import { begin, bytesStored, findUpload } from '../../commands/upload.ts'
import { workingKeys } from '../../credentials/master.ts'
import { freshMinting } from '../../credentials/mint.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { Refusal } from '../../domain/decider.ts'
import { momentOf, type StoredEvent, shaped } from '../../domain/event.ts'
import { type FileAt, type FileDeletedData, type FileStoredData, file } from '../../domain/file.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { UPLOAD_LIFETIME_MS, upload, uploadStream } from '../../domain/upload.ts'
import { type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { createMemoryLog } from '../memory/log.ts'

const START_MS = Date.UTC(2026, 10, 21)
const PLACE = { bucket: 'k1', game: 'g1' }
const FOLDER = { folder: 'k1', folderKey: 'root' }
const keys = workingKeys(Buffer.alloc(32, 7))
const admit = () => {}

const intent = (nowMs = START_MS) => {
  return { ...freshMinting(), call: null, repeated: false, actor: null, request: null, nowMs }
}

function node(log: Log): FileCommandDeps {
  const vault = { putIfAbsent: never, get: never, replace: never, destroy: never, bury: never, close: never }
  const files = createMemoryFiles(() => START_MS)
  return { handler: createHandler(log), log, vault, keys, announce: async () => {}, files }
}

async function never(): Promise<never> {
  throw new Error('files have no secrets')
}

/** Lets so many appends through; all later ones come to nothing, as of a node that died. */
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

async function started(deps: FileCommandDeps, path: string, size: number, player: string | null): Promise<string> {
  const fresh = { path, folder: FOLDER.folder, size, contentType: 'text/plain', sha256: null, player }
  return (await begin(deps, PLACE, fresh, NEW_BUCKET, admit, intent())).id
}

async function sent(deps: FileCommandDeps, id: string): Promise<void> {
  const { blob, size } = await findUpload(deps, PLACE.bucket, id, START_MS)
  await bytesStored(deps, id, { blob, size, sha256: null, storedMs: START_MS }, intent())
}

async function completed(deps: FileCommandDeps, id: string): Promise<void> {
  const wanted = await findUpload(deps, PLACE.bucket, id, START_MS)
  await complete(deps, PLACE, id, wanted, { ...FOLDER, limits: NEW_BUCKET, admit }, intent())
}

async function uploaded(deps: FileCommandDeps, path: string, size: number, player: string | null): Promise<string> {
  const id = await started(deps, path, size, player)
  await sent(deps, id)
  await completed(deps, id)
  return id
}

const keyOf = (path: string) => pathKey(keys.digest, PLACE.bucket, path)
const deleted = (deps: FileCommandDeps, path: string) =>
  removeFile(deps, PLACE, { folder: FOLDER.folder, key: keyOf(path) }, admit, intent())

/** Of whoever finds that an upload's time is over. */
const late = () => intent(START_MS + UPLOAD_LIFETIME_MS)

/** What the processes do, over the whole log, as after the loss of their checkpoints. */
async function looked(log: Log): Promise<void> {
  const deps = node(log)
  for (const { type, stream, data } of await log.readAll(null, 10_000)) {
    if (type === 'FileDeleted') await free(deps, PLACE, [shaped<FileDeletedData>(data)], late())
    if (type === 'FileStored' || type === 'FileOverwritten') {
      await finish(deps, PLACE, stream, shaped<FileStoredData>(data), late())
    }
  }
  const { uploads } = await look(deps, quota, quotaStream(PLACE.bucket))
  for (const [id] of uploads.entries()) await expire(deps, PLACE, id, late())
}

/** Files as their own streams have them. */
async function filesIn(log: Log): Promise<FileAt[]> {
  const states = new Map<string, FileAt>()
  for (const event of (await log.readAll(null, 10_000)) as StoredEvent[]) {
    if (!event.stream.startsWith('file-')) continue
    states.set(event.stream, file.evolve(states.get(event.stream) ?? file.initial, shaped(event), momentOf(event)))
  }
  return [...states.values()]
}

async function faultsIn(log: Log): Promise<string[]> {
  const faults: string[] = []
  const deps = node(log)
  const counted = await look(deps, quota, quotaStream(PLACE.bucket))
  const current = (await filesIn(log)).flatMap((at) => at.current ?? [])
  const bytes = current.reduce((sum, { size }) => sum + size, 0)
  if (counted.bytes !== bytes) faults.push(`${counted.bytes} bytes counted, ${bytes} held`)
  if (counted.files !== current.length) faults.push(`${counted.files} files counted, ${current.length} there`)
  if (counted.uploads.size > 0) faults.push(`${counted.uploads.size} uploads reserved for ever`)
  for (const player of ['p1', 'p2']) {
    const own = current.filter(({ creator }) => creator === player)
    const sum = own.reduce((total, { size }) => total + size, 0)
    const held = counted.owners.get(player) ?? { bytes: 0, files: 0 }
    if (held.bytes !== sum || held.files !== own.length) faults.push(`${player}: ${JSON.stringify(held)} counted`)
  }
  for (const { upload: id } of current) {
    const state = await look(deps, upload, uploadStream(id))
    if (state === null || state === 'gone' || state.completed === null) faults.push(`upload ${id} is not completed`)
  }
  return faults
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
      const all = ['/a', '/b', '/none'].map((path) => doomed({ folder: 'k1', key: keyOf(path) }))
      return clearFiles(deps, PLACE, all, intent())
    },
  ],
}

describe('files and quotas', () => {
  for (const [what, [before, dying]] of Object.entries(ACTS)) {
    it(`${what}: agree, whenever the node dies`, async () => {
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

  it('an upload is completed or expires, never both, whoever is first', async () => {
    for (let round = 0; round < 20; round++) {
      const log = createMemoryLog()
      const [one, other] = [node(log), node(log)]
      const id = await started(one, '/a', 5, 'p1')
      await sent(one, id)
      const [done] = await Promise.allSettled([
        completed(one, id),
        new Promise((wake) => setTimeout(wake, round % 4)).then(() => expire(other, PLACE, id, late())),
      ])
      await looked(log)
      expect(await faultsIn(log)).to.deep.equal([])
      const there = (await filesIn(log)).filter(({ current }) => current !== null).length
      expect(there).to.equal(done?.status === 'fulfilled' ? 1 : 0)
      if (done?.status === 'rejected') expect(done.reason).to.be.instanceOf(Refusal)
    }
  })

  it('an upload that was begun again expires when its own time is over', async () => {
    const log = createMemoryLog()
    const id = await started(node(log), '/a', 5, 'p1')
    await expire(node(log), PLACE, id, intent(START_MS + UPLOAD_LIFETIME_MS - 1))
    await sent(node(log), id)
    await completed(node(log), id)
    expect((await filesIn(log)).flatMap(({ current }) => current ?? [])).to.have.length(1)
  })

  it('an upload that expires on another node just before its file is stored is no file', async () => {
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

  it('of many nodes that complete one upload at once, all say the same', async () => {
    const log = createMemoryLog()
    const id = await started(node(log), '/a', 5, 'p1')
    await sent(node(log), id)
    await Promise.all(Array.from({ length: 8 }, () => completed(node(log), id)))
    const stored = (await log.readAll(null, 1_000)).filter(({ type }) => type.startsWith('File'))
    expect(stored.map(({ type }) => type)).to.deep.equal(['FileStored'])
    expect(await faultsIn(log)).to.deep.equal([])
  })

  it('many uploads to one path, and deletions of it, on two nodes leave one file or none', async () => {
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

  it('200 uploads at once on two nodes take what there is, and no byte more', async () => {
    const log = createMemoryLog()
    const nodes = [node(log), node(log)]
    const limits = { ...NEW_BUCKET, maxBytes: 1_000, maxFiles: 1_000 }
    const begins = Array.from({ length: 200 }, (_, n) => {
      const fresh = { path: `/${n}`, folder: 'k1', size: 9, contentType: 'x/y', sha256: null, player: null }
      return begin(nodes[n % 2] as FileCommandDeps, PLACE, fresh, limits, admit, intent())
    })
    const done = (await Promise.allSettled(begins)).filter(({ status }) => status === 'fulfilled')
    const { bytes, uploads } = await look(node(log), quota, quotaStream(PLACE.bucket))
    expect([bytes <= 1_000, uploads.size]).to.deep.equal([true, done.length])
    expect(bytes).to.equal(9 * done.length)
  })
})
