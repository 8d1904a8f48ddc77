// Expired uploads are ended several at a time, and a failure of one does not affect the others.

import { expect } from 'chai'
import { foldStream } from '../../commands/fold.ts'
import { createHandler } from '../../commands/handle.ts'
import { begin } from '../../commands/upload.ts'
import { randomIds } from '../../credentials/command-ids.ts'
import { workingKeys } from '../../credentials/master.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { ALL_PARTITIONS } from '../../domain/partition.ts'
import { quota, quotaStream } from '../../domain/quota.ts'
import { UPLOAD_LIFETIME_MS, uploadStream } from '../../domain/upload.ts'
import { viewKey, viewSpec } from '../../projections/projection.ts'
import { uploads } from '../../projections/uploads.ts'
import { expireUploads } from '../../reactions/expire-uploads.ts'
import { createMemoryFiles } from '../memory/files.ts'
import { createMemoryLog } from '../memory/log.ts'
import { createMemoryViews } from '../memory/views.ts'
import { viewInMemory } from '../projections/view-in-memory.ts'
import { turn } from '../until.ts'

const START_MS = Date.UTC(2026, 10, 21)
const OVER_MS = START_MS + UPLOAD_LIFETIME_MS
const COUNT = 100

async function world() {
  const log = createMemoryLog()
  const handler = createHandler(log)
  const keys = workingKeys(Buffer.alloc(32, 7))
  const files = createMemoryFiles(() => START_MS)
  const commands = { handler, log, publish: async () => {}, vault: null as never, keys, files }
  const context = () => {
    return { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs: START_MS }
  }
  const limits = { ...NEW_BUCKET, maxFiles: COUNT, playerMaxFiles: COUNT }
  const ids: string[] = []
  for (let n = 0; n < COUNT; n++) {
    const fresh = { path: `/${n}`, folder: 'k1', size: 1, contentType: 'x/y', sha256: null, player: null }
    ids.push((await begin(commands, { bucket: 'k1', game: 'g1' }, { fresh, limits, admit: () => {} }, context())).id)
  }
  const views = createMemoryViews()
  const view = viewInMemory(uploads)
  view.apply(...(await log.readAll(null, 10_000)))
  await views.prepare(viewSpec(uploads))
  const writes = Object.entries(view.documents('uploads')).map(([id, body]) => {
    return { collection: 'uploads', id, pos: '1', body }
  })
  await views.commit([{ view: viewKey(uploads), writes, checkpoints: new Map() }])
  const queries = { views, viewKey: () => viewKey(uploads) } as never
  const open = async () => [...(await foldStream(log, quota, quotaStream('k1'))).uploads.entries()].map(([id]) => id)
  return { commands, queries, ids, open }
}

const running = new AbortController().signal
const ALL = new Set(ALL_PARTITIONS)

describe('the reaction that ends expired uploads', () => {
  it('ends only expired uploads, several at a time', async () => {
    const { commands, queries, open } = await world()
    let [at, most] = [0, 0]
    const handler = {
      ...commands.handler,
      handle: (async (...args: Parameters<typeof commands.handler.handle>) => {
        most = Math.max(most, ++at)
        await turn()
        try {
          return await commands.handler.handle(...args)
        } finally {
          at--
        }
      }) as typeof commands.handler.handle,
    }
    const reaction = expireUploads({ commands: { ...commands, handler }, queries })
    await reaction.run(ALL, OVER_MS - 1, running)
    expect([(await open()).length, most]).to.deep.equal([COUNT, 0])
    await reaction.run(ALL, OVER_MS, running)
    expect(await open()).to.deep.equal([])
    expect(most).to.be.within(8, 32)
  })

  it('ends the others if one fails, and reports the error', async () => {
    const { commands, queries, ids, open } = await world()
    const bad = ids[0] ?? ''
    const handler = {
      ...commands.handler,
      handle: ((aggregate, about, ...rest) => {
        if (about.stream === uploadStream(bad)) return Promise.reject(new Error('this one'))
        return commands.handler.handle(aggregate, about, ...rest)
      }) as typeof commands.handler.handle,
    }
    const run = expireUploads({ commands: { ...commands, handler }, queries }).run(ALL, OVER_MS, running)
    const error = await run.then(
      () => null,
      (failure: unknown) => String(failure),
    )
    expect(error).to.equal('Error: this one')
    expect(await open()).to.deep.equal([bad])
  })

  it('ends no upload after it was stopped', async () => {
    const { commands, queries, open } = await world()
    await expireUploads({ commands, queries }).run(ALL, OVER_MS, AbortSignal.abort())
    expect(await open()).to.have.length(COUNT)
  })
})
