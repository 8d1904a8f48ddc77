// Looking up a path: a file or folder exists only if every folder from the root does; the rules set last apply.

import { expect } from 'chai'
import { pathKey } from '../../credentials/path-key.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { type FolderRules, ROOT_RULES } from '../../domain/folder-rules.ts'
import { files } from '../../projections/files.ts'
import { viewKey, viewSpec } from '../../projections/projection.ts'
import { type FilesDeps, fileIn, folderAt } from '../../queries/files/path-lookup.ts'
import { createMemoryViews } from '../memory/views.ts'
import { viewInMemory } from '../projections/view-in-memory.ts'

const DIGEST = Buffer.alloc(32, 7)
const OPEN: FolderRules = { ...ROOT_RULES, create: 'anyone' }
const SHUT: FolderRules = { ...ROOT_RULES, read: 'nobody' }

const keyOf = (path: string) => pathKey(DIGEST, 'k1', path)

/** The history of one bucket, event by event. */
function history() {
  const events: StoredEvent[] = []
  const record = (stream: string, type: string, data: JsonObject) => {
    const n = String(events.length + 1).padStart(16, '0')
    const meta = { v: 1, game: 'g1', command: n, actor: null, request: null, time: '2026-11-21T07:05:01.123Z' }
    const revision = events.filter((event) => event.stream === stream).length
    events.push({ stream, revision, position: n, id: n, type, data, meta })
    return bucket
  }
  const folderStream = (path: string) => `folder-k1.${keyOf(path)}`
  const bucket = {
    folder: (path: string, id: string, above: string, parent: string) =>
      record(folderStream(path), 'FolderCreated', {
        ...{ id, path, parent, parentKey: keyOf(above), creator: null, rules: OPEN },
      }),
    gone: (path: string, id: string, above: string, parent: string) =>
      record(folderStream(path), 'FolderDeleted', { id, parent, parentKey: keyOf(above) }),
    rules: (path: string, folder: string, rules: FolderRules, applyToExisting = false) =>
      record(folderStream(path), 'FolderRulesSet', { folder, rules, childRules: null, applyToExisting }),
    file: (path: string, folder: string, above: string) =>
      record(`file-k1.${keyOf(path)}`, 'FileStored', {
        ...{ id: `of ${path}`, path, folder, folderKey: keyOf(above), size: 1, contentType: 'x/y', sha256: null },
        ...{ blob: 'b', upload: 'u', creator: null, replaced: null },
      }),
    deps: () => depsOver(events),
  }
  return record('bucket-k1', 'BucketCreated', { name: 'B', limits: NEW_BUCKET })
}

async function depsOver(events: readonly StoredEvent[]): Promise<FilesDeps> {
  const view = viewInMemory(files)
  view.apply(...events)
  const views = createMemoryViews()
  await views.prepare(viewSpec(files))
  const writes = ['folders', 'files'].flatMap((collection) =>
    Object.entries(view.documents(collection)).map(([id, body]) => ({ collection, id, pos: '1', body })),
  )
  await views.commit([{ view: viewKey(files), writes, checkpoints: new Map() }])
  const unused = new Proxy({}, {}) as never
  return { views, viewKey: () => viewKey(files), digest: DIGEST, history: unused, rankings: unused }
}

describe('looking up a path', () => {
  it('finds nothing below a deleted folder, even if another one is created in its place', async () => {
    const bucket = history()
      .folder('/a/', 'a1', '/', 'k1')
      .folder('/a/b/', 'b1', '/a/', 'a1')
      .file('/a/b/f', 'b1', '/a/b/')
      .file('/a/f', 'a1', '/a/')
    const before = await bucket.deps()
    expect((await folderAt(before, 'k1', '/a/b/f'))?.id).to.equal('b1')
    const after = await bucket.gone('/a/', 'a1', '/', 'k1').deps()
    for (const path of ['/a/', '/a/b/', '/a/b/f', '/a/f'])
      expect(await folderAt(after, 'k1', path), path).to.equal(null)
    const again = await bucket.folder('/a/', 'a2', '/', 'k1').deps()
    const folder = await folderAt(again, 'k1', '/a/f')
    expect([folder?.id, folder?.files, folder?.folders]).to.deep.equal(['a2', 0, 0])
    expect(folder && (await fileIn(again, folder, '/a/f'))).to.equal(null)
    expect(await folderAt(again, 'k1', '/a/b/')).to.equal(null)
  })

  it('counts the contents of a folder as they change, and none of a deleted folder', async () => {
    const bucket = history().folder('/a/', 'a1', '/', 'k1').folder('/b/', 'b1', '/', 'k1').file('/f', 'k1', '/')
    const counts = async () => {
      const root = await folderAt(await bucket.deps(), 'k1', '/')
      return [root?.folders, root?.files]
    }
    expect(await counts()).to.deep.equal([2, 1])
    bucket.gone('/b/', 'b1', '/', 'k1').file('/a/x', 'nobody', '/a/')
    expect(await counts()).to.deep.equal([1, 1])
    expect((await folderAt(await bucket.deps(), 'k1', '/a/'))?.files).to.equal(0)
  })

  it('applies the rules that were set last, the folder’s own or those given by a folder above', async () => {
    const bucket = history().folder('/a/', 'a1', '/', 'k1').folder('/a/b/', 'b1', '/a/', 'a1')
    const rules = async (path: string) => (await folderAt(await bucket.deps(), 'k1', path))?.rules
    bucket.rules('/', 'k1', SHUT, true)
    expect([await rules('/'), await rules('/a/'), await rules('/a/b/')]).to.deep.equal([SHUT, SHUT, SHUT])
    bucket.rules('/a/', 'a1', OPEN)
    expect([await rules('/a/'), await rules('/a/b/')]).to.deep.equal([OPEN, SHUT])
    bucket.rules('/a/', 'a1', ROOT_RULES, true).folder('/a/c/', 'c1', '/a/', 'a1')
    expect([await rules('/a/b/'), await rules('/a/c/')]).to.deep.equal([ROOT_RULES, OPEN])
    bucket.rules('/', 'k1', SHUT)
    expect([await rules('/'), await rules('/a/b/')]).to.deep.equal([SHUT, ROOT_RULES])
  })
})
