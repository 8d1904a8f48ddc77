// Uploads over HTTP: complete or absent, exact, and within every limit.

import { expect } from 'chai'
import { sha256 } from '../../bytes.ts'
import type { MemoryFiles } from '../../memory/files.ts'
import { ON_SERVERS } from '../../servers/store-urls.ts'
import { pause } from '../../until.ts'
import { answerCode } from '../tenant.ts'
import { must } from '../world.ts'
import { type FilesFixture, OPEN_RULES, openFilesFixture } from './files-fixture.ts'

const TOO_LATE_MS = 900_000

describe('uploads of files', () => {
  let fixture: FilesFixture

  // A new one for each test: tests set the clock forward past the lifetime of tokens.
  beforeEach(async () => {
    fixture = await openFilesFixture()
    await fixture.freshBucket()
  })

  const nothing = '404 not_found'

  it('begins an upload with a link, takes its bytes, and completes it into a file', async () => {
    const { world, ada } = fixture
    const bytes = Buffer.from('hello')
    const newUpload = must(await fixture.begin('/a.txt', bytes, ada.token, { content_type: 'text/plain' }), 201)
    expect(newUpload).to.deep.equal({
      upload_id: newUpload.upload_id,
      method: 'PUT',
      url: newUpload.url,
      headers: { ...newUpload.headers, 'Content-Type': 'text/plain' },
      expires_in: 900,
    })
    if (!ON_SERVERS) expect(Object.keys(newUpload.headers)).to.deep.equal(['Content-Type'])
    expect(answerCode(await fixture.file('/a.txt'))).to.equal(nothing)
    expect(answerCode(await fixture.complete(newUpload.upload_id, ada.token))).to.equal('409 upload_incomplete')
    expect(await world.files.send(newUpload, bytes)).to.equal('stored')
    expect(await world.files.send(newUpload, bytes)).to.equal('dead')
    expect(answerCode(await fixture.file('/a.txt'))).to.equal(nothing)
    const file = must(await fixture.complete(newUpload.upload_id, ada.token), 200)
    expect(file).to.deep.equal({
      id: file.id,
      path: '/a.txt',
      name: 'a.txt',
      size: 5,
      content_type: 'text/plain',
      sha256: null,
      creator: ada.id,
      created: fixture.nowText(),
      updated: fixture.nowText(),
    })
    expect(must(await fixture.file('/a.txt'), 200)).to.deep.equal(file)
    expect(must(await fixture.complete(newUpload.upload_id, ada.token), 200)).to.deep.equal(file)
    expect(await fixture.details()).to.include({ bytes_used: 5, files: 1 })
  })

  it('overwrites a file and keeps its id, created and creator', async () => {
    const { world, ada } = fixture
    const first = must(await fixture.upload('/a', 'one', ada.token), 200)
    world.clock.nowMs += 1_000
    const second = must(await fixture.upload('/a', 'three', fixture.game.token), 200)
    expect(second).to.deep.equal({ ...first, size: 5, sha256: sha256('three'), updated: fixture.nowText() })
    expect(await fixture.details()).to.include({ bytes_used: 5, files: 1 })
    expect(answerCode(await fixture.begin('/a', 1, fixture.bob.token))).to.equal(nothing)
  })

  it('treats the second of two completed uploads to a new path as an overwrite', async () => {
    const { world, ada, bob } = fixture
    const [one, two] = [
      must(await fixture.begin('/a', 3, ada.token), 201),
      must(await fixture.begin('/a', 4, bob.token), 201),
    ]
    await world.files.send(one, Buffer.from('one'))
    await world.files.send(two, Buffer.from('four'))
    const file = must(await fixture.complete(one.upload_id, ada.token), 200)
    expect(answerCode(await fixture.complete(two.upload_id, bob.token))).to.equal(nothing)
    must(await fixture.setRules('/', { ...OPEN_RULES, overwrite: 'player' }), 200)
    const over = must(await fixture.complete(two.upload_id, bob.token), 200)
    expect(over).to.deep.include({ id: file.id, creator: ada.id, size: 4 })
    expect(must(await fixture.complete(one.upload_id, ada.token), 200)).to.deep.equal(file)
    expect(await fixture.details()).to.include({ bytes_used: 4, files: 1 })
  })

  it('lets only the player who began an upload complete it, in its own bucket', async () => {
    const { world, ada, bob, game } = fixture
    const newUpload = must(await fixture.begin('/a', 1, ada.token), 201)
    await world.files.send(newUpload, Buffer.from('x'))
    expect(answerCode(await fixture.complete(newUpload.upload_id, bob.token))).to.equal(nothing)
    expect(answerCode(await fixture.complete(newUpload.upload_id, game.token))).to.equal(nothing)
    expect(answerCode(await fixture.complete('a'.repeat(24), ada.token))).to.equal(nothing)
    const own = fixture.bucket
    await fixture.freshBucket()
    expect(answerCode(await fixture.complete(newUpload.upload_id, ada.token))).to.equal(nothing)
    fixture.bucket = own
    expect((await fixture.complete(newUpload.upload_id, ada.token)).status).to.equal(200)
  })

  it('takes no bytes and no completion after the end of an upload, and releases its reservation', async () => {
    const { world, ada } = fixture
    must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { max_bytes: 10 }), 200)
    const newUpload = must(await fixture.begin('/a', 10, ada.token), 201)
    const late = must(await fixture.begin('/b', 0, ada.token), 201)
    expect(answerCode(await fixture.begin('/c', 1, ada.token))).to.equal('422 quota_exceeded')
    await world.files.send(late, Buffer.alloc(0))
    world.clock.nowMs += TOO_LATE_MS
    expect(await world.files.send(newUpload, Buffer.alloc(10))).to.equal('dead')
    expect(answerCode(await fixture.complete(late.upload_id, ada.token))).to.equal(nothing)
    const status = async () => (await fixture.begin('/c', 10, ada.token)).status
    for (let tries = 0; (await status()) !== 201; tries++) {
      if (tries === 500) throw new Error('the reservation was never released')
      await pause(10)
    }
  })

  it('names the limit that an upload exceeds', async () => {
    const { ada } = fixture
    const limits = { max_bytes: 100, max_files: 3, player_max_bytes: 50, player_max_files: 2, max_file_bytes: 40 }
    must(await fixture.put(`/api/bkt/${fixture.bucket}/`, limits), 200)
    const refusedBy = async (size: number, path: string, token?: string) => {
      const { status, body } = await fixture.begin(path, size, token)
      return status === 201 ? 'begun' : [status, body.code, body.limit]
    }
    expect(await refusedBy(41, '/a', ada.token)).to.deep.equal([422, 'file_too_large', 'max_file_bytes'])
    expect(await refusedBy(40, '/a', ada.token)).to.equal('begun')
    expect(await refusedBy(11, '/b', ada.token)).to.deep.equal([422, 'quota_exceeded', 'player_max_bytes'])
    expect(await refusedBy(10, '/b', ada.token)).to.equal('begun')
    expect(await refusedBy(0, '/c', ada.token)).to.deep.equal([422, 'quota_exceeded', 'player_max_files'])
    expect(await refusedBy(40, '/c')).to.equal('begun')
    expect(await refusedBy(0, '/d')).to.deep.equal([422, 'quota_exceeded', 'max_files'])
    must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { max_files: 9 }), 200)
    expect(await refusedBy(11, '/d')).to.deep.equal([422, 'quota_exceeded', 'max_bytes'])
    expect(await refusedBy(10, '/d')).to.equal('begun')
  })

  it('applies the limits of the moment of completion, and completes the upload once there is room', async () => {
    const { world, ada, bob } = fixture
    const newUpload = must(await fixture.begin('/a', 10, ada.token), 201)
    await world.files.send(newUpload, Buffer.alloc(10))
    const limit = async (limits: object) => must(await fixture.put(fixture.at(''), limits), 200)
    const refused = async () => {
      const { status, body } = await fixture.complete(newUpload.upload_id, ada.token)
      return [status, body.code, body.limit]
    }
    await limit({ player_max_bytes: 9 })
    expect(await refused()).to.deep.equal([422, 'quota_exceeded', 'player_max_bytes'])
    await limit({ player_max_bytes: 100, max_file_bytes: 9 })
    expect(await refused()).to.deep.equal([422, 'file_too_large', 'max_file_bytes'])
    await limit({ max_file_bytes: 100 })
    must(await fixture.setRules('/', { ...OPEN_RULES, overwrite: 'anyone' }), 200)
    must(await fixture.upload('/a', 'x', bob.token), 200)
    await limit({ player_max_bytes: 5 })
    // By now it would make bob's file larger than bob may have.
    expect(await refused()).to.deep.equal([422, 'quota_exceeded', 'player_max_bytes'])
    await limit({ player_max_bytes: 10 })
    expect((await fixture.complete(newUpload.upload_id, ada.token)).body.creator).to.equal(bob.id)
  })

  it('admits exactly as many of 200 simultaneous uploads as fit, to the byte', async () => {
    const { ada } = fixture
    must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { player_max_bytes: 1_000, player_max_files: 1_000 }), 200)
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => fixture.begin(`/${i}`, 9, ada.token)))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(Math.floor(1_000 / 9))
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => body.limit)
    expect([...new Set(refused)]).to.deep.equal(['player_max_bytes'])
  })

  it('frees the bytes of a deleted file, and those that an overwrite no longer needs', async () => {
    const { ada } = fixture
    must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { player_max_bytes: 10, player_max_files: 1 }), 200)
    must(await fixture.upload('/a', '0123456789', ada.token), 200)
    expect((await fixture.begin('/b', 0, ada.token)).body.limit).to.equal('player_max_files')
    must(await fixture.upload('/a', '0', ada.token), 200)
    must(await fixture.upload('/a', '0123456789', ada.token), 200)
    expect(must(await fixture.unlink('/a', ada.token), 200)).to.deep.equal({ deleted: '/a' })
    must(await fixture.upload('/b', '0123456789', ada.token), 200)
    expect(await fixture.details()).to.include({ bytes_used: 10, files: 1 })
  })

  it('replays an upload from its Idempotency-Key, also after it became a file', async () => {
    const { world, ada } = fixture
    must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { max_bytes: 3 }), 200)
    const call = () =>
      world.call('POST', fixture.at('upload/'), {
        token: ada.token,
        body: { path: '/a', size: 3 },
        headers: { 'idempotency-key': `up ${fixture.bucket}` },
      })
    const first = must(await call(), 201)
    const again = await call()
    expect([again.status, again.body, again.headers['idempotent-replay']]).to.deep.equal([201, first, 'true'])
    await world.files.send(first, Buffer.from('abc'))
    const complete = () =>
      world.call('POST', fixture.at(`upload/${first.upload_id}/complete/`), {
        token: ada.token,
        headers: { 'idempotency-key': `done ${fixture.bucket}` },
      })
    const file = must(await complete(), 200)
    const repeated = await complete()
    expect([repeated.status, repeated.body, repeated.headers['idempotent-replay']]).to.deep.equal([200, file, 'true'])
    expect(must(await call(), 201)).to.deep.equal(first)
    expect(await fixture.details()).to.include({ bytes_used: 3, files: 1 })
    must(await fixture.unlink('/a', ada.token), 200)
    expect((await fixture.begin('/b', 3, ada.token)).status).to.equal(201)
  })

  it('refuses an upload larger than the bucket takes with 422, before it checks folders, quotas and the file store', async () => {
    const { ada, client } = fixture
    const tooLarge = '422 file_too_large'
    await fixture.freshBucket({ max_file_bytes: 10, max_bytes: 5 })
    const newUpload = async (path: string, size: unknown, token?: string) =>
      answerCode(await fixture.post(fixture.at('upload/'), { path, size }, token))
    for (const size of [11, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
      expect(await newUpload('/a', size, ada.token)).to.deep.equal(tooLarge)
      expect(await newUpload('/no/such/folder', size, ada.token)).to.deep.equal(tooLarge)
      expect(await newUpload('/not-admitted', size, client)).to.deep.equal(tooLarge)
    }
    expect(await newUpload('/a', 11, 'garbage')).to.equal('401 token_rejected')
    expect(await newUpload('no path', 11, ada.token)).to.equal('400 malformed')
    const elsewhere = await fixture.post('/api/bkt/nowhere/upload/', { path: '/a', size: 11 }, ada.token)
    expect(answerCode(elsewhere)).to.equal('404 bucket_not_found')
    expect(await newUpload('/a', 10, ada.token)).to.equal('422 quota_exceeded')
    expect(await newUpload('/no/such/folder', 10, ada.token)).to.deep.equal(nothing)
  })

  // S3 has no known capacity, and does not report the bytes that it receives.
  if (!ON_SERVERS) {
    it('refuses an upload larger than the file store takes with 422, and reserves nothing', async () => {
      const { world, ada } = fixture
      const files = world.memoryFiles as MemoryFiles
      files.largestBytes = 10
      const refused = await fixture.begin('/too-large', 11, ada.token)
      expect([answerCode(refused), refused.body.limit]).to.deep.equal(['422 file_too_large', 'file_store'])
      expect((await fixture.begin('/no/such/folder', 11, ada.token)).body.limit, 'before folders').to.equal(
        'file_store',
      )
      expect((await fixture.begin('/not-too-large', 10, ada.token)).status).to.equal(201)
      delete files.largestBytes
    })

    it('refuses an upload for which the file store has no room, and reserves nothing', async () => {
      const { world, ada } = fixture
      const files = world.memoryFiles as MemoryFiles
      must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { max_files: 1 }), 200)
      files.room = 10
      const full = await fixture.begin('/a', 11, ada.token)
      expect(answerCode(full)).to.equal('503 store_full')
      expect(full.headers['retry-after']).to.equal('30')
      must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { player_max_bytes: 10 }), 200)
      const noQuota = '422 quota_exceeded'
      expect(answerCode(await fixture.begin('/a', 11, ada.token)), 'whatever room there is').to.equal(noQuota)
      must(await fixture.put(`/api/bkt/${fixture.bucket}/`, { player_max_bytes: 11 }), 200)
      must(await fixture.setRules('/', { ...OPEN_RULES, create: 'nobody' }), 200)
      expect(answerCode(await fixture.begin('/a', 11, ada.token)), 'for a folder that is closed to them').to.deep.equal(
        nothing,
      )
      must(await fixture.setRules('/', OPEN_RULES), 200)
      files.room = Number.MAX_SAFE_INTEGER
      expect((await fixture.begin('/a', 11, ada.token)).status).to.equal(201)
    })

    it('completes an upload whose bytes are stored without a confirmation', async () => {
      const { world, ada } = fixture
      const files = world.memoryFiles as MemoryFiles
      const newUpload = must(await fixture.begin('/a', 3, ada.token, { sha256: sha256('abc').toUpperCase() }), 201)
      const hooks = files.hooks
      files.hooks = null
      await files.send(newUpload, Buffer.from('abc'))
      files.hooks = hooks
      expect(must(await fixture.complete(newUpload.upload_id, ada.token), 200).sha256).to.equal(sha256('abc'))
    })
  }
})
