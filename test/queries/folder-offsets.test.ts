// Lists of large folders by offset: the same as a walk from the beginning, but without one if nothing has changed.

import { expect } from 'chai'
import type { JsonObject } from '../../domain/event.ts'
import { ROOT_RULES } from '../../domain/folder-rules.ts'
import { partitionOf } from '../../domain/partition.ts'
import { listFolder } from '../../queries/files/list.ts'
import type { FolderDocument } from '../../queries/files/path-lookup.ts'
import type { Find, Write } from '../../stores/contract/views.ts'
import { createMemoryViews } from '../memory/views.ts'
import { Random } from '../random.ts'

const GAME = 'g'
const ADMIN = { isAdmin: true, player: null }
const FILES = 1_450

describe('listing a large folder by offset', () => {
  async function world() {
    const views = createMemoryViews()
    const name = ['parent', 'sort']
    await views.prepare({
      key: 'files',
      collections: [
        { name: 'folders', indexes: { name } },
        { name: 'files', indexes: { name: ['folder', 'sort'], own: ['folder', 'creator', 'sort'] } },
      ],
    })
    let position = 0
    const names = new Set<string>()
    const skips: number[] = []
    const root = () => ({ bucket: 'b', key: 'root', id: 'b', rules: ROOT_RULES, files: names.size, folders: 0 })
    const commit = async (files: readonly Omit<Write, 'pos'>[], isChecked = true) => {
      const pos = String(++position).padStart(9, '0')
      const folder = { collection: 'folders', id: 'b.root', body: root() as unknown as JsonObject }
      const writes = [...files, folder].map((write) => ({ ...write, pos }))
      const checkpoints = new Map(isChecked ? [[partitionOf(GAME), { position: pos, eventId: pos }]] : [])
      await views.commit([{ view: 'files', writes, checkpoints }])
    }
    const file = (sort: string) => ({ id: `b.${sort}`, folder: 'b', path: `/${sort}`, name: sort, sort, creator: null })
    const add = (...sorts: readonly string[]) => {
      for (const sort of sorts) names.add(sort)
      return commit(sorts.map((sort) => ({ collection: 'files', id: `b.${sort}`, body: file(sort) })))
    }
    const remove = (sort: string) => {
      names.delete(sort)
      return commit([{ collection: 'files', id: `b.${sort}`, body: null }])
    }
    const find = async (params: Find) => {
      if (params.collection === 'files') skips.push(params.skip ?? 0)
      return views.find(params)
    }
    // One store object for all reads: cursors are cached per store.
    const deps = { views: { ...views, find }, viewKey: () => 'files' }
    const listed = async (offset: number, limit = 20) => {
      const folder = root() as unknown as FolderDocument
      const { files } = await listFolder(deps, { folder, visitor: ADMIN }, { offset, limit }, { game: GAME })
      return files?.rows.map((row) => row.name)
    }
    return { add, remove, commit, names, skips, listed }
  }
  const nameOf = (n: number) => `f${String(n).padStart(5, '0')}`

  it('returns the same page as a walk from the beginning, while files are added and removed', async () => {
    const { add, remove, listed, names } = await world()
    const random = new Random(11)
    await add(...Array.from({ length: FILES }, (_, n) => nameOf(n * 10)))
    for (let round = 0; round < 60; round++) {
      const offset = random.below(FILES + 100)
      const due = [...names].sort()
      expect([offset, await listed(offset)]).to.deep.equal([offset, due.slice(offset, offset + 20)])
      if (round % 3 === 0) await add(nameOf(random.below(FILES * 10)))
      if (round % 4 === 0) await remove(due[random.below(due.length)] ?? '')
    }
  })

  it('skips fewer than a hundred files if the folder is unchanged since it was listed up to there', async () => {
    const { add, listed, skips } = await world()
    await add(...Array.from({ length: FILES }, (_, n) => nameOf(n)))
    await listed(1_400)
    skips.length = 0
    for (const offset of [1_399, 700, 199, 20]) {
      expect(await listed(offset, 1)).to.deep.equal([nameOf(offset)])
    }
    expect(skips).to.deep.equal([99, 0, 99, 20])
  })

  it('caches no cursor of a folder whose documents may be written in part', async () => {
    const { add, listed, commit, skips } = await world()
    await add(...Array.from({ length: FILES }, (_, n) => nameOf(n)))
    await commit([], false)
    await listed(1_000)
    skips.length = 0
    expect(await listed(1_000, 1)).to.deep.equal([nameOf(1_000)])
    expect(skips).to.have.length(11)
  })
})
