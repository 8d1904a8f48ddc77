// Folders through the front door: made, listed, deleted, and buckets with them.

import { expect } from 'chai'
import { told } from '../tenant.ts'
import { must } from '../world.ts'
import { type Cabinet, eventually, OPEN_RULES, openCabinet } from './cabinet.ts'

const SWEPT_AFTER_MS = 11 * 60_000
const NOTHING = { status: 404, code: 'not_found' }

describe('buckets and folders', () => {
  let cabinet: Cabinet

  // Another one for each: tests set the clock forward, beyond their tokens' end.
  beforeEach(async () => {
    cabinet = await openCabinet()
    await cabinet.freshBucket()
  })

  describe('a bucket', () => {
    it('is made in exactly these fields, with the defaults, and listed', async () => {
      const { game, get } = cabinet
      cabinet.world.clock.nowMs += 1
      const id = await cabinet.freshBucket({ name: 'Mine', max_files: 7 }, null)
      expect(await cabinet.details()).to.deep.equal({
        id,
        name: 'Mine',
        game: game.id,
        bytes_used: 0,
        files: 0,
        max_bytes: 1_073_741_824,
        max_files: 7,
        player_max_bytes: 16_777_216,
        player_max_files: 100,
        max_file_bytes: 8_388_608,
        monthly_download_bytes: 10_737_418_240,
        downloaded_this_month: 0,
      })
      const { buckets } = must(await get(`/api/gm/${game.id}/buckets/`, cabinet.client), 200)
      expect(buckets.at(-1)).to.deep.equal({ id, name: 'Mine' })
    })

    it('begins with the rules that the contract names, and no child rules', async () => {
      await cabinet.freshBucket({}, null)
      const root = must(await cabinet.get(cabinet.at('dir/rules/?path=/')), 200)
      expect(root).to.deep.equal({
        path: '/',
        name: '',
        creator: null,
        created: root.created,
        rules: {
          list_folders: 'anyone',
          list_files: 'creator',
          mkdir: 'nobody',
          create: 'nobody',
          read: 'anyone',
          overwrite: 'creator',
          delete: 'creator',
        },
        child_rules: null,
      })
    })

    it('changes what is named; If-Match follows what the tenant sets, not the counters', async () => {
      const path = cabinet.at('')
      const { etag = '' } = (await cabinet.get(path)).headers
      must(await cabinet.upload('/a', 'abc', cabinet.ada.token), 200)
      const changed = await cabinet.put(path, { max_bytes: 5 }, { 'if-match': etag })
      expect(must(changed, 200)).to.deep.include({ max_bytes: 5, name: 'Saves', bytes_used: 3 })
      expect(told(await cabinet.put(path, { max_bytes: 6 }, { 'if-match': etag }))).to.deep.equal({
        status: 412,
        code: 'precondition_failed',
      })
      expect((await cabinet.put(path, { max_bytes: -1 })).status).to.equal(400)
      expect((await cabinet.put(path, { max_bytes: 1.5 })).status).to.equal(400)
    })

    it('that is deleted is gone everywhere, and its files are cleared away', async () => {
      const { ada, get, game, world } = cabinet
      must(await cabinet.mkdir('/d/', ada.token), 201)
      must(await cabinet.upload('/d/a', 'abc', ada.token), 200)
      const { length } = await world.files.blobs()
      expect(must(await cabinet.remove(cabinet.at('')), 200)).to.deep.equal({ deleted: cabinet.bucket })
      for (const answer of [await cabinet.ls('/'), await cabinet.file('/d/a'), await get(cabinet.at(''))]) {
        expect(told(answer)).to.deep.equal({ status: 404, code: 'bucket_not_found' })
      }
      const { buckets } = must(await get(`/api/gm/${game.id}/buckets/`), 200)
      expect(buckets.map(({ id }: { id: string }) => id)).to.not.include(cabinet.bucket)
      // When its files are cleared away nobody can see any more: the grace begins some time after.
      let tries = 0
      await eventually(async () => {
        if (tries++ % 50 === 0) world.clock.nowMs += SWEPT_AFTER_MS
        return (await world.files.blobs()).length < length
      })
    })
  })

  describe('a folder', () => {
    it('is made below one that is there, once, with the child rules laid down', async () => {
      const { ada } = cabinet
      const made = must(await cabinet.mkdir('/saves/', ada.token), 201)
      const fresh = { path: '/saves/', name: 'saves', creator: ada.id, created: cabinet.nowText() }
      expect(made).to.deep.equal(fresh)
      expect(told(await cabinet.mkdir('/saves/', ada.token))).to.deep.equal({ status: 409, code: 'already_exists' })
      expect(told(await cabinet.mkdir('/', ada.token))).to.deep.equal({ status: 409, code: 'already_exists' })
      expect(told(await cabinet.mkdir('/none/x/', ada.token))).to.deep.equal(NOTHING)
      const child = { ...OPEN_RULES, mkdir: 'nobody', read: 'creator' }
      must(await cabinet.setRules('/', OPEN_RULES, child), 200)
      must(await cabinet.mkdir('/two/', ada.token), 201)
      const { rules, child_rules } = must(await cabinet.get(cabinet.at('dir/rules/?path=/two/')), 200)
      expect([rules, child_rules]).to.deep.equal([child, null])
      expect(must(await cabinet.ls('/', ada.token), 200)).to.deep.equal({
        path: '/',
        folders: [fresh, { ...fresh, path: '/two/', name: 'two' }],
        folder_count: 2,
        files: [],
        file_count: 0,
        offset: 0,
        limit: 20,
      })
    })

    it('is listed by name, folders and files each by the same limit and offset', async () => {
      const { game } = cabinet
      const names = ['a', 'B', '10', '9', 'é', '\u{1F600}', '\uFF5E', 'b']
      for (const name of names) must(await cabinet.mkdir(`/${name}/`), 201)
      for (const name of names.slice(0, 3)) must(await cabinet.upload(`/${name}`, name, game.token), 200)
      const page = must(await cabinet.ls('/', game.token, '&limit=3&offset=2'), 200)
      const inOrder = [...names].sort()
      expect(page.folders.map(({ name }: { name: string }) => name)).to.deep.equal(inOrder.slice(2, 5))
      expect([page.folder_count, page.file_count, page.files.map(({ name }: { name: string }) => name)]).to.deep.equal([
        8,
        3,
        ['a'],
      ])
      const all = must(await cabinet.ls('/', game.token, '&limit=100'), 200)
      expect(all.folders.map(({ name }: { name: string }) => name)).to.deep.equal(inOrder)
    })

    it('that is not empty is deleted only with recursive=1, and then with all that is in it', async () => {
      const { ada, world } = cabinet
      for (const path of ['/a/', '/a/b/', '/a/b/c/']) must(await cabinet.mkdir(path, ada.token), 201)
      must(await cabinet.upload('/a/b/c/f', 'abc', ada.token), 200)
      must(await cabinet.upload('/a/g', 'de', ada.token), 200)
      expect(told(await cabinet.rmdir('/a/'))).to.deep.equal({ status: 409, code: 'folder_not_empty' })
      expect(told(await cabinet.rmdir('/', '&recursive=1'))).to.deep.equal({ status: 422, code: 'root_folder' })
      expect(told(await cabinet.rmdir('/none/'))).to.deep.equal(NOTHING)
      expect(must(await cabinet.rmdir('/a/', '&recursive=1'), 200)).to.deep.equal({ deleted: '/a/' })
      for (const path of ['/a/', '/a/b/', '/a/b/c/']) expect(told(await cabinet.ls(path))).to.deep.equal(NOTHING)
      for (const path of ['/a/g', '/a/b/c/f']) expect(told(await cabinet.file(path))).to.deep.equal(NOTHING)
      expect(must(await cabinet.ls('/'), 200).folder_count).to.equal(0)
      await eventually(async () => (await cabinet.details()).files === 0)
      expect(await cabinet.details()).to.include({ bytes_used: 0, files: 0 })
      must(await cabinet.mkdir('/a/', ada.token), 201)
      expect(must(await cabinet.ls('/a/'), 200)).to.include({ folder_count: 0, file_count: 0 })
      must(await cabinet.mkdir('/a/b/', ada.token), 201)
      must(await cabinet.upload('/a/g', 'new', ada.token), 200)
      expect(must(await cabinet.ls('/a/'), 200)).to.include({ folder_count: 1, file_count: 1 })
      expect(must(await cabinet.rmdir('/a/b/'), 200)).to.deep.equal({ deleted: '/a/b/' })
      const before = (await world.files.blobs()).length
      world.clock.nowMs += SWEPT_AFTER_MS
      await eventually(async () => (await world.files.blobs()).length <= before - 2)
    })

    it('made and filled again at once is a new one: what lay there is freed all the same', async () => {
      const { ada } = cabinet
      must(await cabinet.mkdir('/a/', ada.token), 201)
      for (let n = 0; n < 5; n++) must(await cabinet.upload(`/a/${n}`, 'old', ada.token), 200)
      must(await cabinet.rmdir('/a/', '&recursive=1'), 200)
      must(await cabinet.mkdir('/a/', ada.token), 201)
      const again = must(await cabinet.upload('/a/0', 'newer', ada.token), 200)
      expect(must(await cabinet.ls('/a/', ada.token), 200).files).to.deep.equal([again])
      await eventually(async () => (await cabinet.details()).files === 1)
      expect(await cabinet.details()).to.include({ bytes_used: 5, files: 1 })
      expect(must(await cabinet.file('/a/0', ada.token), 200)).to.deep.equal(again)
      must(await cabinet.put(cabinet.at(''), { player_max_bytes: 10 }), 200)
      const left = async (size: number) => (await cabinet.begin('/fill', size, ada.token)).status
      await eventually(async () => (await left(5)) === 201)
      expect(await left(1)).to.equal(422)
    })
  })
})
