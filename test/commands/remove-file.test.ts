// Deleting files: the order of the recorded events, what is freed, and what a failure leaves.

import { expect } from 'chai'
import { clearFiles, fileToClear, free, removeFile } from '../../commands/file.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { Refusal } from '../../domain/decider.ts'
import { unsafeCast } from '../../domain/event.ts'
import { type FileDeletedData, type FileVersion, fileStream } from '../../domain/file.ts'
import { CLEARED } from '../../domain/quota.ts'
import { PLACE, world } from '../reactions/files-world.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { pause } from '../until.ts'

describe('deleting a file', () => {
  let w: Awaited<ReturnType<typeof world>>
  let uploaded = 0
  beforeEach(async () => {
    w = await world()
    await w.upload('/a', 'ada')
    await w.upload('/b', null)
    uploaded = (await w.log.readAll(null, 1_000)).length
  })

  const at = (path: string) => ({ folder: 'k1', key: pathKey(w.commands.keys.digest, 'k1', path) })
  const removed = (path: string, admit: (present: FileVersion) => void = () => {}) =>
    removeFile(w.commands, PLACE, { file: at(path), admit }, w.context())
  const recorded = async () =>
    (await w.log.readAll(null, 1_000))
      .slice(uploaded)
      .map(({ stream, type, data, meta }) => ({ stream, type, data, game: meta.game }))

  it('announces the deletion to the quota, deletes the file, then frees its quota', async () => {
    const seen: FileVersion[] = []
    await removed('/a', (present) => seen.push(present))
    const [begun, deleted, freed, ...rest] = await recorded()
    const [deletion] = unsafeCast<{ deletions: string[] }>(begun?.data).deletions
    expect(deletion).to.match(/^[a-z2-7]{24}$/)
    expect(begun).to.deep.equal({
      stream: 'quota-k1',
      type: 'DeletionsBegun',
      data: { deletions: [deletion] },
      game: 'g1',
    })
    const { id, upload, blob } = seen[0] as FileVersion
    expect(deleted).to.deep.equal({
      stream: fileStream('k1', at('/a').key),
      type: 'FileDeleted',
      data: { upload, blob, size: 1, creator: 'ada', id, folder: 'k1', folderKey: 'root', deletion },
      game: 'g1',
    })
    const files = [{ deletion, owner: 'ada', bytes: 1, files: 1 }]
    expect(freed).to.deep.equal({ stream: 'quota-k1', type: 'FilesFreed', data: { files }, game: 'g1' })
    expect(rest).to.deep.equal([])
  })

  it('frees the quota once for a repeated call', async () => {
    const context = { ...w.context(), call: 'the call' }
    for (const repeated of [false, true]) {
      const wanted = { file: at('/a'), admit: () => {} }
      const { replayed } = await removeFile(w.commands, PLACE, wanted, { ...context, repeated })
      expect(replayed).to.equal(repeated)
    }
    expect((await recorded()).map(({ type }) => type)).to.deep.equal(['DeletionsBegun', 'FileDeleted', 'FilesFreed'])
  })

  it('refuses a path without a file, and frees nothing', async () => {
    expect(await refusalCodeOf(removed('/none'))).to.equal('not_found')
    expect((await recorded()).map(({ type }) => type)).to.deep.equal(['DeletionsBegun'])
  })

  it('deletes nothing if the caller is not admitted', async () => {
    const refuse = () => {
      throw new Error('not admitted')
    }
    expect(await refusalCodeOf(removed('/a', refuse))).to.equal('Error: not admitted')
    expect((await recorded()).map(({ type }) => type)).to.deep.equal(['DeletionsBegun'])
  })

  it('frees no quota of a deletion that has not begun, and records nothing for no files', async () => {
    const deleted: FileDeletedData = {
      ...{ upload: 'u', blob: 'b', size: 1, creator: 'ada' },
      ...{ id: 'f', folder: 'k1', folderKey: 'root', deletion: 'd' },
    }
    await free(w.commands, PLACE, [deleted], w.context())
    await free({ ...w.commands, handler: unsafeCast(null) }, PLACE, [], w.context())
    expect(await recorded()).to.deep.equal([])
  })

  it('by a reaction gives the position of the last deletion, in whichever order they end', async () => {
    for (const slow of ['/a', '/b']) {
      w = await world()
      await w.upload('/a', 'ada')
      await w.upload('/b', null)
      const { handler } = w.commands
      const handle: typeof handler.handle = async (aggregate, about, context, decision) => {
        if (about.stream === fileStream('k1', at(slow).key)) await pause(2)
        return handler.handle(aggregate, about, context, decision)
      }
      const files = [fileToClear(at('/a')), fileToClear(at('/none')), fileToClear(at('/b'))]
      const written = await clearFiles({ ...w.commands, handler: { handle } }, PLACE, files, w.context())
      const last = (await w.log.readAll(null, 1_000)).findLast(({ type }) => type === 'FileDeleted')
      expect(last?.stream).to.equal(fileStream('k1', at(slow).key))
      expect(written).to.deep.equal({ game: 'g1', position: last?.position })
    }
  })

  it('by a reaction announces all deletions before the first one', async () => {
    const files = [fileToClear(at('/a')), fileToClear(at('/b'))]
    await clearFiles(w.commands, PLACE, files, w.context())
    const [begun, ...rest] = await recorded()
    expect(begun?.data).to.deep.equal({ deletions: files.map(({ deletion }) => deletion) })
    expect(rest.map(({ type }) => type)).to.deep.equal(['FileDeleted', 'FileDeleted', 'FilesFreed'])
    expect(rest.map(({ game }) => game)).to.deep.equal(['g1', 'g1', 'g1'])
  })

  it('by a reaction skips the tenant’s file if it looks for a player’s', async () => {
    expect(await clearFiles(w.commands, PLACE, [fileToClear(at('/b'), 'ada')], w.context())).to.equal(null)
    expect((await recorded()).map(({ type }) => type)).to.deep.equal(['DeletionsBegun'])
  })

  it('by a reaction fails if the log fails or is busy, and frees nothing', async () => {
    const { handler } = w.commands
    const failures = [new Error('away'), new Refusal('unavailable', 'busy', 'Away.')]
    const handle: typeof handler.handle = (aggregate, about, context, decision) =>
      about.stream.startsWith('file-')
        ? Promise.reject(failures.shift())
        : handler.handle(aggregate, about, context, decision)
    const failing = { ...w.commands, handler: { handle } }
    const file = fileToClear(at('/a'))
    const clearing = () => refusalCodeOf(clearFiles(failing, PLACE, [file], w.context()))
    expect([await clearing(), await clearing()]).to.deep.equal(['Error: away', 'busy'])
    expect((await recorded()).map(({ type }) => type)).to.deep.equal(['DeletionsBegun'])
  })
})

describe('clearing files', () => {
  async function filled() {
    const w = await world()
    for (const [path, player] of [
      ['/a', 'ada'],
      ['/b', 'eve'],
      ['/c', null],
    ] as const) {
      await w.upload(path, player)
    }
    const at = (path: string) => ({ folder: 'k1', key: pathKey(w.commands.keys.digest, 'k1', path) })
    const typesOf = async (type: string) => (await w.log.readAll(null, 1_000)).filter((event) => event.type === type)
    return { w, at, typesOf }
  }

  it('deletes each file that is there, frees it, and gives the last write', async () => {
    const { w, at, typesOf } = await filled()
    const all = ['/a', '/none', '/b'].map((path) => fileToClear(at(path)))
    const written = await clearFiles(w.commands, PLACE, all, w.context())
    const deleted = await typesOf('FileDeleted')
    expect(deleted.map(({ data }) => data.creator).toSorted()).to.deep.equal(['ada', 'eve'])
    expect(written).to.deep.equal({ game: 'g1', position: deleted.at(-1)?.position })
    const [freed] = await typesOf('FilesFreed')
    expect(freed?.data.files).to.have.length(2)
  })

  it('passes over files of another creator', async () => {
    const { w, at, typesOf } = await filled()
    await clearFiles(w.commands, PLACE, [fileToClear(at('/a'), 'eve'), fileToClear(at('/b'), 'eve')], w.context())
    expect((await typesOf('FileDeleted')).map(({ data }) => data.creator)).to.deep.equal(['eve'])
  })

  it('records nothing where there is nothing to clear', async () => {
    const { w, at, typesOf } = await filled()
    expect(await clearFiles(w.commands, PLACE, [], w.context())).to.equal(null)
    expect(await typesOf('DeletionsBegun')).to.deep.equal([])
    expect(await clearFiles(w.commands, PLACE, [fileToClear(at('/none'))], w.context())).to.equal(null)
    expect(await typesOf('FilesFreed')).to.deep.equal([])
  })

  it('names each deletion by an id of its own, which is forgotten once it is freed', async () => {
    const { at } = await filled()
    const [one, two] = [fileToClear(at('/a')), fileToClear(at('/a'), 'ada')]
    expect(one.deletion.startsWith(CLEARED)).to.equal(true)
    expect([one.deletion === two.deletion, one.creator, two.creator]).to.deep.equal([false, null, 'ada'])
  })
})
