// Clearing files without a caller: what is deleted, what is freed, and where the last deletion is recorded.

import { expect } from 'chai'
import { clearFiles, fileToClear } from '../../commands/file.ts'
import { pathKey } from '../../credentials/path-key.ts'
import { CLEARED } from '../../domain/quota.ts'
import { PLACE, world } from '../reactions/files-world.ts'

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
