// Folders over HTTP: created, listed, deleted, alone and with their bucket.

import { expect } from 'chai'
import { eventually } from '../../until.ts'
import { answerCode } from '../tenant.ts'
import { must } from '../world.ts'
import { type FilesFixture, OPEN_RULES, openFilesFixture } from './files-fixture.ts'

const SWEPT_AFTER_MS = 11 * 60_000
const NOTHING = '404 not_found'

describe('buckets and folders', () => {
  let fixture: FilesFixture

  // A new one for each test: tests set the clock forward past the lifetime of tokens.
  beforeEach(async () => {
    fixture = await openFilesFixture()
    await fixture.freshBucket()
  })

  describe('buckets', () => {
    it('creates a bucket with exactly these fields and the defaults, and lists it', async () => {
      const { game, get } = fixture
      fixture.world.clock.nowMs += 1
      const id = await fixture.freshBucket({ name: 'Mine', max_files: 7 }, null)
      expect(await fixture.details()).to.deep.equal({
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
      const { buckets } = must(await get(`/api/gm/${game.id}/buckets/`, fixture.client), 200)
      expect(buckets.at(-1)).to.deep.equal({ id, name: 'Mine' })
    })

    it('creates a bucket with the rules of the contract, and no child rules', async () => {
      await fixture.freshBucket({}, null)
      const root = must(await fixture.get(fixture.at('dir/rules/?path=/')), 200)
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

    it('changes only the named fields of a bucket; its ETag follows the settings, not the counters', async () => {
      const path = fixture.at('')
      const { etag = '' } = (await fixture.get(path)).headers
      must(await fixture.upload('/a', 'abc', fixture.ada.token), 200)
      const changed = await fixture.put(path, { max_bytes: 5 }, { 'if-match': etag })
      expect(must(changed, 200)).to.deep.include({ max_bytes: 5, name: 'Saves', bytes_used: 3 })
      expect(answerCode(await fixture.put(path, { max_bytes: 6 }, { 'if-match': etag }))).to.equal(
        '412 precondition_failed',
      )
      expect((await fixture.put(path, { max_bytes: -1 })).status).to.equal(400)
      expect((await fixture.put(path, { max_bytes: 1.5 })).status).to.equal(400)
    })

    it('answers 404 everywhere for a deleted bucket, and removes its files', async () => {
      const { ada, get, game, world } = fixture
      must(await fixture.mkdir('/d/', ada.token), 201)
      must(await fixture.upload('/d/a', 'abc', ada.token), 200)
      const { length } = await world.files.blobs()
      expect(must(await fixture.remove(fixture.at('')), 200)).to.deep.equal({ deleted: fixture.bucket })
      for (const answer of [await fixture.ls('/'), await fixture.file('/d/a'), await get(fixture.at(''))]) {
        expect(answerCode(answer)).to.equal('404 bucket_not_found')
      }
      const { buckets } = must(await get(`/api/gm/${game.id}/buckets/`), 200)
      expect(buckets.map(({ id }: { id: string }) => id)).to.not.include(fixture.bucket)
      // Nobody can see when its files are removed: the grace period begins some time later.
      let tries = 0
      await eventually(async () => {
        if (tries++ % 50 === 0) world.clock.nowMs += SWEPT_AFTER_MS
        return (await world.files.blobs()).length < length
      })
    })
  })

  describe('folders', () => {
    it('creates a folder once, below an existing one, with its child rules', async () => {
      const { ada } = fixture
      const made = must(await fixture.mkdir('/saves/', ada.token), 201)
      const fresh = { path: '/saves/', name: 'saves', creator: ada.id, created: fixture.nowText() }
      expect(made).to.deep.equal(fresh)
      expect(answerCode(await fixture.mkdir('/saves/', ada.token))).to.equal('409 already_exists')
      expect(answerCode(await fixture.mkdir('/', ada.token))).to.equal('409 already_exists')
      expect(answerCode(await fixture.mkdir('/none/x/', ada.token))).to.equal(NOTHING)
      const child = { ...OPEN_RULES, mkdir: 'nobody', read: 'creator' }
      must(await fixture.setRules('/', OPEN_RULES, child), 200)
      must(await fixture.mkdir('/two/', ada.token), 201)
      const { rules, child_rules } = must(await fixture.get(fixture.at('dir/rules/?path=/two/')), 200)
      expect([rules, child_rules]).to.deep.equal([child, null])
      expect(must(await fixture.ls('/', ada.token), 200)).to.deep.equal({
        path: '/',
        folders: [fresh, { ...fresh, path: '/two/', name: 'two' }],
        folder_count: 2,
        files: [],
        file_count: 0,
        offset: 0,
        limit: 20,
      })
    })

    it('lists folders and files by name, each by the same limit and offset', async () => {
      const { game } = fixture
      const names = ['a', 'B', '10', '9', 'é', '\u{1F600}', '\uFF5E', 'b']
      for (const name of names) must(await fixture.mkdir(`/${name}/`), 201)
      for (const name of names.slice(0, 3)) must(await fixture.upload(`/${name}`, name, game.token), 200)
      const page = must(await fixture.ls('/', game.token, '&limit=3&offset=2'), 200)
      const inOrder = [...names].sort()
      expect(page.folders.map(({ name }: { name: string }) => name)).to.deep.equal(inOrder.slice(2, 5))
      expect([page.folder_count, page.file_count, page.files.map(({ name }: { name: string }) => name)]).to.deep.equal([
        8,
        3,
        ['a'],
      ])
      const all = must(await fixture.ls('/', game.token, '&limit=100'), 200)
      expect(all.folders.map(({ name }: { name: string }) => name)).to.deep.equal(inOrder)
    })

    it('deletes a folder that is not empty with recursive=1 only, and then all of its content', async () => {
      const { ada, world } = fixture
      for (const path of ['/a/', '/a/b/', '/a/b/c/']) must(await fixture.mkdir(path, ada.token), 201)
      must(await fixture.upload('/a/b/c/f', 'abc', ada.token), 200)
      must(await fixture.upload('/a/g', 'de', ada.token), 200)
      expect(answerCode(await fixture.rmdir('/a/'))).to.equal('409 folder_not_empty')
      expect(answerCode(await fixture.rmdir('/', '&recursive=1'))).to.equal('422 root_folder')
      expect(answerCode(await fixture.rmdir('/none/'))).to.equal(NOTHING)
      expect(must(await fixture.rmdir('/a/', '&recursive=1'), 200)).to.deep.equal({ deleted: '/a/' })
      for (const path of ['/a/', '/a/b/', '/a/b/c/']) expect(answerCode(await fixture.ls(path))).to.equal(NOTHING)
      for (const path of ['/a/g', '/a/b/c/f']) expect(answerCode(await fixture.file(path))).to.equal(NOTHING)
      expect(must(await fixture.ls('/'), 200).folder_count).to.equal(0)
      await eventually(async () => (await fixture.details()).files === 0)
      expect(await fixture.details()).to.include({ bytes_used: 0, files: 0 })
      must(await fixture.mkdir('/a/', ada.token), 201)
      expect(must(await fixture.ls('/a/'), 200)).to.include({ folder_count: 0, file_count: 0 })
      must(await fixture.mkdir('/a/b/', ada.token), 201)
      must(await fixture.upload('/a/g', 'new', ada.token), 200)
      expect(must(await fixture.ls('/a/'), 200)).to.include({ folder_count: 1, file_count: 1 })
      expect(must(await fixture.rmdir('/a/b/'), 200)).to.deep.equal({ deleted: '/a/b/' })
      const before = (await world.files.blobs()).length
      world.clock.nowMs += SWEPT_AFTER_MS
      await eventually(async () => (await world.files.blobs()).length <= before - 2)
    })

    it('treats a folder that is created again at once as a new one, and frees the old content', async () => {
      const { ada } = fixture
      must(await fixture.mkdir('/a/', ada.token), 201)
      for (let n = 0; n < 5; n++) must(await fixture.upload(`/a/${n}`, 'old', ada.token), 200)
      must(await fixture.rmdir('/a/', '&recursive=1'), 200)
      must(await fixture.mkdir('/a/', ada.token), 201)
      const again = must(await fixture.upload('/a/0', 'newer', ada.token), 200)
      expect(must(await fixture.ls('/a/', ada.token), 200).files).to.deep.equal([again])
      await eventually(async () => (await fixture.details()).files === 1)
      expect(await fixture.details()).to.include({ bytes_used: 5, files: 1 })
      expect(must(await fixture.file('/a/0', ada.token), 200)).to.deep.equal(again)
      must(await fixture.put(fixture.at(''), { player_max_bytes: 10 }), 200)
      const left = async (size: number) => (await fixture.begin('/fill', size, ada.token)).status
      await eventually(async () => (await left(5)) === 201)
      expect(await left(1)).to.equal(422)
    })
  })
})
