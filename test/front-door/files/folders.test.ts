// Folders through the front door: made, listed, deleted, and buckets with them.

import { expect } from 'chai'
import { told } from '../tenant.ts'
import { must } from '../world.ts'
import { type Cabinet, OPEN_RULES, openCabinet } from './cabinet.ts'

const SWEPT_AFTER_MS = 11 * 60_000
const NOTHING = { status: 404, code: 'not_found' }

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check()); tries++) {
    if (tries === 1_000) throw new Error('it never came to be')
    await new Promise((wake) => setTimeout(wake, 10))
  }
}

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
      const { length } = world.files.blobs()
      expect(must(await cabinet.remove(cabinet.at('')), 200)).to.deep.equal({ deleted: cabinet.bucket })
      for (const answer of [await cabinet.ls('/'), await cabinet.file('/d/a'), await get(cabinet.at(''))]) {
        expect(told(answer)).to.deep.equal({ status: 404, code: 'bucket_not_found' })
      }
      const { buckets } = must(await get(`/api/gm/${game.id}/buckets/`), 200)
      expect(buckets.map(({ id }: { id: string }) => id)).to.not.include(cabinet.bucket)
      world.clock.nowMs += SWEPT_AFTER_MS
      await eventually(async () => world.files.blobs().length < length)
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
      const before = world.files.blobs().length
      world.clock.nowMs += SWEPT_AFTER_MS
      await eventually(async () => world.files.blobs().length <= before - 2)
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

  describe('rules', () => {
    const strict = { ...OPEN_RULES, create: 'nobody', mkdir: 'creator' }

    it('are set whole, read back with an ETag, and kept by If-Match', async () => {
      const set = await cabinet.setRules('/', strict, OPEN_RULES)
      const read = await cabinet.get(cabinet.at('dir/rules/?path=/'))
      expect(read.body).to.deep.equal(set.body)
      expect([set.body.rules, set.body.child_rules]).to.deep.equal([strict, OPEN_RULES])
      expect(read.headers.etag).to.equal(set.headers.etag)
      const body = { path: '/', rules: OPEN_RULES, child_rules: null }
      const put = (tag: string) => cabinet.put(cabinet.at('dir/rules/'), body, { 'if-match': tag })
      must(await put(`"other", ${read.headers.etag}`), 200)
      expect(told(await put(read.headers.etag ?? ''))).to.deep.equal({ status: 412, code: 'precondition_failed' })
      must(await put('*'), 200)
    })

    it('of two that saw the same ETag, one sets them', async () => {
      const { etag = '' } = (await cabinet.get(cabinet.at('dir/rules/?path=/'))).headers
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          cabinet.put(cabinet.at('dir/rules/'), { path: '/', rules: strict, child_rules: null }, { 'if-match': etag }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412, 412, 412, 412])
    })

    it('name all seven and the child rules, else 400', async () => {
      const { create: _, ...six } = OPEN_RULES
      const put = (body: object) => cabinet.put(cabinet.at('dir/rules/'), { path: '/', ...body })
      for (const body of [
        { rules: six, child_rules: null },
        { rules: OPEN_RULES },
        { rules: { ...OPEN_RULES, other: 'nobody' }, child_rules: null },
        { rules: { ...OPEN_RULES, read: 'all' }, child_rules: null },
        { rules: OPEN_RULES, child_rules: six },
        { rules: OPEN_RULES, child_rules: null, apply_to_existing: 1 },
      ]) {
        expect(told(await put(body)), JSON.stringify(body)).to.deep.equal({ status: 400, code: 'malformed' })
      }
    })

    it('with apply_to_existing reset every folder below, and none made or set since', async () => {
      const { ada } = cabinet
      for (const path of ['/a/', '/a/b/', '/a/b/c/', '/z/']) must(await cabinet.mkdir(path, ada.token), 201)
      must(await cabinet.setRules('/a/b/', strict, OPEN_RULES), 200)
      const of = async (path: string) => {
        const { rules, child_rules } = must(await cabinet.get(`${cabinet.at('dir/rules/')}?path=${path}`), 200)
        return [rules, child_rules]
      }
      const child = { ...OPEN_RULES, read: 'player' }
      must(await cabinet.setRules('/a/', OPEN_RULES, child, true), 200)
      expect(await of('/a/')).to.deep.equal([OPEN_RULES, child])
      expect(await of('/a/b/')).to.deep.equal([child, null])
      expect(await of('/a/b/c/')).to.deep.equal([child, null])
      expect(await of('/z/')).to.deep.equal([OPEN_RULES, null])
      must(await cabinet.mkdir('/a/b/d/', ada.token), 201)
      expect(await of('/a/b/d/')).to.deep.equal([child, null])
      must(await cabinet.setRules('/a/b/', strict), 200)
      expect([await of('/a/b/'), await of('/a/b/c/')]).to.deep.equal([
        [strict, null],
        [child, null],
      ])
      must(await cabinet.setRules('/', strict, null, true), 200)
      for (const path of ['/a/', '/a/b/', '/a/b/c/', '/a/b/d/', '/z/']) {
        expect(await of(path), path).to.deep.equal([strict, null])
      }
    })
  })

  it('downloads are metered, promised when the link is made, and begin anew with the month', async () => {
    const { ada, bob, world } = cabinet
    must(await cabinet.upload('/a', '0123456789', ada.token), 200)
    must(await cabinet.put(cabinet.at(''), { monthly_download_bytes: 35 }), 200)
    const first = must(await cabinet.download('/a', bob.token), 200)
    const { url, expires_in, ...file } = first
    expect([file, expires_in]).to.deep.equal([must(await cabinet.file('/a'), 200), 60])
    expect(await cabinet.details()).to.include({ downloaded_this_month: 0 })
    expect(String(await world.files.fetch(url))).to.equal('0123456789')
    expect(String(await world.files.fetch(url, 6))).to.equal('6789')
    expect((await cabinet.details()).downloaded_this_month).to.equal(14)
    must(await cabinet.download('/a', bob.token), 200)
    must(await cabinet.download('/a', bob.token), 200)
    const refused = await cabinet.download('/a', bob.token)
    expect([told(refused), refused.body.limit]).to.deep.equal([
      { status: 422, code: 'download_quota_exceeded' },
      'monthly_download_bytes',
    ])
    world.clock.nowMs += 61_000
    expect(await world.files.fetch(url)).to.equal(null)
    expect((await cabinet.download('/a', bob.token)).status).to.equal(422)
    world.clock.nowMs += 5 * 60_000
    must(await cabinet.download('/a', bob.token), 200)
    expect((await cabinet.details()).downloaded_this_month).to.equal(14)
  })
})
