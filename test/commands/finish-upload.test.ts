// Completing uploads: the recorded events, retries after a concurrent change, repeated calls, and uploads that end.

import { expect } from 'chai'
import { removeFile } from '../../commands/file.ts'
import { complete, expire, finish } from '../../commands/finish-upload.ts'
import { begin, bytesStored, findUpload, linkState } from '../../commands/upload.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import { unsafeCast } from '../../domain/event.ts'
import { FileChanged, type FileStoredData, type FileVersion, fileStream } from '../../domain/file.ts'
import { UPLOAD_LIFETIME_MS, type Upload, uploadStream } from '../../domain/upload.ts'
import { PLACE, ROOT, world } from '../reactions/files-world.ts'
import { refusalCodeOf } from '../refusal-of.ts'

const START = '2026-11-21T00:00:00.000Z'
const admit = (_present: FileVersion | null): void => {}

describe('an upload whose bytes are stored', () => {
  let w: Awaited<ReturnType<typeof world>>
  beforeEach(async () => {
    w = await world()
  })

  async function sent(path: string, size: number, player: string | null = 'ada', folder = 'k1') {
    const fresh = { path, folder, size, contentType: 'x/y', sha256: null, player }
    const { id } = await begin(w.commands, PLACE, { fresh, limits: NEW_BUCKET, admit }, w.context())
    await bytesStored(w.commands, id, { blob: 'b', size, sha256: null, storedMs: 0 }, w.context())
    return { id, wanted: await findUpload(w.commands, 'k1', id, w.clock.nowMs) }
  }
  const intoRoot = (limits = NEW_BUCKET) => ({ ...ROOT, limits, admit })
  const completed = (one: Awaited<ReturnType<typeof sent>>, into = intoRoot(), deps = w.commands) =>
    complete(deps, PLACE, { ...one, into }, w.context())
  const streamOf = (path: string) => fileStream('k1', pathKey(w.commands.keys.digest, 'k1', path))
  const events = async (prefix: string) =>
    (await w.log.readAll(null, 1_000)).filter(({ stream }) => stream.startsWith(prefix))
  const last = async (prefix: string) => {
    const { type, data, meta } = (await events(prefix)).at(-1) ?? {}
    return { type, data, game: meta?.game }
  }
  const typesOf = async (prefix: string) => (await events(prefix)).map(({ type }) => type)

  it('records the file, settles the quota and completes the upload', async () => {
    const one = await sent('/a', 3)
    await completed(one)
    const file = await last(streamOf('/a'))
    const { blob, path, size, contentType, sha256 } = one.wanted
    const content = { path, size, contentType, sha256, blob, upload: one.id, ...ROOT, creator: 'ada', replaced: null }
    expect(file).to.deep.equal({ type: 'FileStored', data: { ...content, id: file.data?.id }, game: 'g1' })
    const held = { owner: 'ada', bytes: 3, files: 1 }
    expect(await last('quota-')).to.deep.equal({
      type: 'UploadSettled',
      data: { upload: one.id, held, freed: null },
      game: 'g1',
    })
    expect(await last('upload-')).to.deep.equal({
      type: 'UploadCompleted',
      data: { file: file.data?.id, creator: 'ada', created: START, updated: START },
      game: 'g1',
    })
  })

  it('has a link that compares bytes until its file is overwritten or deleted, and that is gone then', async () => {
    const link = ({ id }: { id: string }) => linkState(w.commands, id, w.clock.nowMs)
    const [first, second] = [await sent('/a', 3), await sent('/a', 5)]
    expect(await link(first)).to.equal('stored')
    await completed(first)
    expect([await link(first), await link(second)]).to.deep.equal(['stored', 'stored'])
    await completed(second)
    expect([await link(first), await link(second)]).to.deep.equal(['gone', 'stored'])
    const file = { folder: 'k1', key: pathKey(w.commands.keys.digest, 'k1', '/a') }
    await removeFile(w.commands, PLACE, { file, admit: () => {} }, w.context())
    expect([await link(second), await link({ id: 'none' })]).to.deep.equal(['gone', 'gone'])
  })

  it('frees the quota of the version that it replaces', async () => {
    const [first, second] = [await sent('/a', 3), await sent('/a', 5, 'eve')]
    await completed(first)
    await completed(second)
    const replaced = { upload: first.id, blob: first.wanted.blob, size: 3, creator: 'ada' }
    const { type, data } = await last(streamOf('/a'))
    expect([type, data?.replaced]).to.deep.equal(['FileOverwritten', replaced])
    expect((await last('quota-')).data).to.deep.equal({
      upload: second.id,
      held: { owner: 'ada', bytes: 5, files: 1 },
      freed: { owner: 'ada', bytes: 3, files: 1 },
    })
  })

  it('reserves the quota that it needs now before it replaces a file of another player', async () => {
    const [first, second] = [await sent('/a', 3), await sent('/a', 5, 'eve')]
    await completed(first)
    await completed(second)
    const reassigned = (await events('quota-')).filter(({ type }) => type === 'UploadReassigned')
    expect(reassigned.map(({ data, meta }) => [data, meta.game])).to.deep.equal([
      [{ upload: second.id, owner: 'ada', bytes: 2, files: 0 }, 'g1'],
    ])
  })

  it('is refused by limits that were lowered since it began', async () => {
    const one = await sent('/a', 3)
    const smaller = intoRoot({ ...NEW_BUCKET, maxFileBytes: 2 })
    expect(await refusalCodeOf(completed(one, smaller))).to.equal('file_too_large')
    expect(await refusalCodeOf(completed(one, intoRoot({ ...NEW_BUCKET, maxBytes: 2 })))).to.equal('quota_exceeded')
    expect(await typesOf('file-')).to.deep.equal([])
    await completed(one, intoRoot({ ...NEW_BUCKET, maxFileBytes: 3, maxBytes: 3 }))
    expect(await typesOf('file-')).to.deep.equal(['FileStored'])
  })

  it('asks for admission with the file that it would replace in its own folder', async () => {
    const asked: (number | null)[] = []
    const asking = (folder: string) => ({
      ...intoRoot(),
      folder,
      admit: (present: FileVersion | null) => void asked.push(present?.size ?? null),
    })
    await completed(await sent('/a', 3), asking('k1'))
    expect([...new Set(asked.splice(0))]).to.deep.equal([null])
    await completed(await sent('/a', 5), asking('k1'))
    expect([...new Set(asked.splice(0))]).to.deep.equal([3])
    await completed(await sent('/a', 7, 'ada', 'new'), asking('new'))
    expect([...new Set(asked)]).to.deep.equal([null])
  })

  it('frees the quota of the file of a deleted folder that it replaces', async () => {
    await completed(await sent('/a', 3))
    const one = await sent('/a', 7, 'eve', 'new')
    await completed(one, { ...intoRoot(), folder: 'new' })
    expect((await last('quota-')).data).to.deep.equal({
      upload: one.id,
      held: { owner: 'eve', bytes: 7, files: 1 },
      freed: { owner: 'ada', bytes: 3, files: 1 },
    })
  })

  it('stores nothing and keeps its reservation if it is not admitted', async () => {
    const one = await sent('/a', 3)
    const refusing = {
      ...intoRoot(),
      admit: () => {
        throw new Error('not admitted')
      },
    }
    expect(await refusalCodeOf(completed(one, refusing))).to.equal('Error: not admitted')
    expect([await typesOf('file-'), await typesOf('quota-')]).to.deep.equal([[], ['UploadBegun']])
  })

  it('answers a repeated call with its first version, although that was replaced and nobody is admitted any more', async () => {
    const first = await sent('/a', 3)
    const { after } = await completed(first)
    w.clock.nowMs += 1_000
    await completed(await sent('/a', 5))
    const refusing = {
      ...intoRoot(),
      admit: () => {
        throw new Error('not admitted')
      },
    }
    const before = (await w.log.readAll(null, 1_000)).length
    const again = await completed(first, refusing)
    expect((again.after as Upload).completed).to.deep.equal((after as Upload).completed)
    expect(await w.log.readAll(null, 1_000)).to.have.length(before)
  })

  /** Reads of a file's stream have no game. */
  const isStoring = ({ stream, game }: { readonly stream: string; readonly game: string | null }) =>
    stream.startsWith('file-') && game !== null

  /** Commands whose first `times` attempts to store a file find another version at the path. */
  function changing(times: number, error: Error = new FileChanged('changed')) {
    const tried = { count: 0 }
    const { handler } = w.commands
    const handle: typeof handler.handle = (aggregate, about, context, decision) => {
      if (isStoring(about) && ++tried.count <= times) return Promise.reject(error)
      return handler.handle(aggregate, about, context, decision)
    }
    return { tried, deps: { ...w.commands, handler: { ...handler, handle } } }
  }

  it('is stored in the tenth try if the file at its path changed nine times', async () => {
    const { tried, deps } = changing(9)
    await completed(await sent('/a', 3), intoRoot(), deps)
    expect([tried.count, await typesOf('file-')]).to.deep.equal([10, ['FileStored']])
  })

  it('is not tried an eleventh time', async () => {
    const { tried, deps } = changing(10)
    expect(await refusalCodeOf(completed(await sent('/a', 3), intoRoot(), deps))).to.match(/changed/)
    expect([tried.count, await typesOf('file-')]).to.deep.equal([10, []])
  })

  it('is not tried again after another failure', async () => {
    const { tried, deps } = changing(1, new Error('away'))
    expect(await refusalCodeOf(completed(await sent('/a', 3), intoRoot(), deps))).to.equal('Error: away')
    expect(tried.count).to.equal(1)
  })

  it('records each step under a command id of its own, although the call is remembered', async () => {
    const one = await sent('/a', 3)
    const from = (await w.log.readAll(null, 1_000)).length
    await complete(changing(1).deps, PLACE, { ...one, into: intoRoot() }, { ...w.context(), call: 'the call' })
    const recorded = (await w.log.readAll(null, 1_000)).slice(from)
    expect(recorded.map(({ type, meta }) => [type, meta.call ?? null])).to.deep.equal([
      ['FileStored', null],
      ['UploadSettled', null],
      ['UploadCompleted', 'the call'],
    ])
    expect(new Set(recorded.map(({ meta }) => meta.command)).size).to.equal(3)
  })

  /** Stores the file of an upload, and dies before the quota is settled. */
  async function storedOnly(path: string) {
    const one = await sent(path, 3)
    const { handler } = w.commands
    let isDead = false
    const handle: typeof handler.handle = async (aggregate, about, context, decision) => {
      if (isDead) throw new Error('dead')
      isDead = isStoring(about)
      return handler.handle(aggregate, about, context, decision)
    }
    expect(
      await refusalCodeOf(completed(one, intoRoot(), { ...w.commands, handler: { ...handler, handle } })),
    ).to.equal('Error: dead')
    expect(await typesOf(uploadStream(one.id))).to.deep.equal(['UploadOpened', 'BytesStored'])
    return one
  }

  it('is finished once by a reaction if the call died after the file was stored', async () => {
    const one = await storedOnly('/a')
    const stream = streamOf('/a')
    const stored = unsafeCast<FileStoredData>((await last(stream)).data)
    w.clock.nowMs += 1_000
    for (let n = 0; n < 2; n++) {
      const version = await finish(w.commands, PLACE, { stream, stored }, w.context())
      expect([version.id, version.upload, version.created]).to.deep.equal([stored.id, one.id, START])
    }
    expect(await typesOf('quota-')).to.deep.equal(['UploadBegun', 'UploadSettled'])
    expect(await typesOf('upload-')).to.deep.equal(['UploadOpened', 'BytesStored', 'UploadCompleted'])
    expect(await last('upload-')).to.deep.equal({
      type: 'UploadCompleted',
      data: { file: stored.id, creator: 'ada', created: START, updated: START },
      game: 'g1',
    })
  })

  it('cannot be finished where no file was stored', async () => {
    await storedOnly('/a')
    const stored = { ...unsafeCast<FileStoredData>((await last('file-')).data), upload: 'other' }
    const stream = streamOf('/a')
    expect(await refusalCodeOf(finish(w.commands, PLACE, { stream, stored }, w.context()))).to.equal(
      `Error: ${stream} never took upload other`,
    )
  })

  const late = () => ({ ...w.context(), nowMs: w.clock.nowMs + UPLOAD_LIFETIME_MS })

  it('is finished instead of ended if it is a file when its time is over', async () => {
    const one = await storedOnly('/a')
    await expire(w.commands, PLACE, one.id, late())
    expect(await typesOf('file-')).to.deep.equal(['FileStored'])
    expect((await last('quota-')).type).to.equal('UploadSettled')
    expect((await last('upload-')).type).to.equal('UploadCompleted')
  })

  it('is finished instead of ended if it replaced a file', async () => {
    await completed(await sent('/a', 1))
    const one = await storedOnly('/a')
    await expire(w.commands, PLACE, one.id, late())
    expect(await typesOf('file-')).to.deep.equal(['FileStored', 'FileOverwritten'])
    expect((await last('quota-')).data).to.deep.include({ upload: one.id })
    expect((await last('upload-')).type).to.equal('UploadCompleted')
  })

  it('ends although another upload is a file at the same path', async () => {
    const [one, other] = [await sent('/a', 3), await sent('/a', 5)]
    await completed(other)
    await expire(w.commands, PLACE, one.id, late())
    expect(await last('file-')).to.deep.equal({ type: 'UploadAbandoned', data: { upload: one.id }, game: 'g1' })
    expect(await last('upload-')).to.deep.equal({ type: 'UploadExpired', data: { blob: one.wanted.blob }, game: 'g1' })
    expect(await last('quota-')).to.deep.equal({ type: 'UploadReleased', data: { upload: one.id }, game: 'g1' })
    expect(await refusalCodeOf(completed(one))).to.equal('not_found')
  })

  it('ends once, and touches no file when it has ended', async () => {
    const one = await sent('/a', 3)
    await expire(w.commands, PLACE, one.id, late())
    const before = (await w.log.readAll(null, 1_000)).length
    await expire(w.commands, PLACE, one.id, late())
    expect(await w.log.readAll(null, 1_000)).to.have.length(before)
  })

  it('that was reserved but never opened ends without a blob', async () => {
    await expire(w.commands, PLACE, 'none', w.context())
    expect(await last(uploadStream('none'))).to.deep.equal({ type: 'UploadExpired', data: { blob: null }, game: 'g1' })
    expect(await typesOf('file-')).to.deep.equal([])
  })
})
