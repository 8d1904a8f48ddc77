// Missing and forbidden paths are refused after the same reads, so that the time does not reveal which it was.

import { expect } from 'chai'
import { pathKey } from '../../credentials/path-key.ts'
import { Refusal } from '../../domain/decider.ts'
import type { FolderRules, Level, Visitor } from '../../domain/folder-rules.ts'
import { openFile, openFolder } from '../../http/routes/file-access.ts'

const DIGEST = Buffer.alloc(32, 7)
const BUCKET = 'b1'
const VISITOR: Visitor = { isAdmin: false, player: 'bob' }

const rules = (level: Level): FolderRules => ({
  list_folders: 'nobody',
  list_files: 'nobody',
  mkdir: 'nobody',
  create: 'nobody',
  read: level,
  overwrite: 'nobody',
  delete: 'nobody',
})

type Deps = Parameters<typeof openFile>[0]

/** A root, `/shut/` and `/own/` with a file of Ada's in each; every read is reported. */
function fakeDeps() {
  const idOf = (path: string) => `${BUCKET}.${pathKey(DIGEST, BUCKET, path)}`
  const folder = (id: string, parent: string | null, level: Level) => ({
    ...{ bucket: BUCKET, id, parent, creator: 'ada', rules: rules(level) },
    ...{ childRules: null, rulesAt: '1', given: null, givenAt: null },
  })
  const bodies = new Map<string, object>([
    [idOf('/'), folder('root', null, 'nobody')],
    [idOf('/shut/'), folder('shut', 'root', 'nobody')],
    [idOf('/own/'), folder('own', 'root', 'creator')],
    [idOf('/shut/file'), { folder: 'shut', creator: 'ada' }],
    [idOf('/own/file'), { folder: 'own', creator: 'ada' }],
  ])
  const reads: string[] = []
  const views = {
    async get(_: string, collection: string, ids: readonly string[]) {
      reads.push(`get ${ids.length} ${collection}`)
      return ids.map((id) => (bodies.has(id) ? { id, pos: '1', body: bodies.get(id) } : null))
    },
    async count() {
      reads.push('count')
      return 0
    },
  }
  const deps = { commands: { keys: { digest: DIGEST } }, queries: { views, viewKey: () => 'files@1' } }
  return { deps: deps as unknown as Deps, reads }
}

async function readsOfRefusal(call: (deps: Deps) => Promise<unknown>): Promise<string[]> {
  const { deps, reads } = fakeDeps()
  const refusal = await call(deps).then(
    () => null,
    (error: unknown) => error,
  )
  expect(refusal).to.be.instanceOf(Refusal)
  expect(refusal).to.include({ code: 'not_found' })
  return reads
}

describe('refusals of paths', () => {
  it('read the same for a missing file, a missing folder and a forbidden file', async () => {
    for (const path of ['/shut/file', '/shut/none', '/own/file', '/own/none', '/none/file']) {
      const reads = await readsOfRefusal((deps) => openFile(deps, { bucket: BUCKET, path }, 'read', VISITOR))
      expect(reads, path).to.deep.equal(['get 2 folders', 'get 1 files'])
    }
  })

  it('read the same for a missing folder, a closed one, and one that is open to owners of files in it', async () => {
    for (const path of ['/shut/', '/own/', '/none/']) {
      const reads = await readsOfRefusal((deps) => openFolder(deps, BUCKET, path, VISITOR))
      expect(reads, path).to.deep.equal(['get 2 folders', 'count'])
    }
  })
})
