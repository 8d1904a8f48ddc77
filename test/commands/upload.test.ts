// Uploads: what one reserves, where it is found, and what a store without a door of ours is asked about its bytes.

import { expect } from 'chai'
import { complete, expire } from '../../commands/finish-upload.ts'
import { loadState } from '../../commands/load-state.ts'
import { begin, bytesStored, findBytes, findUpload, linkState, quotaShare } from '../../commands/upload.ts'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import type { FileVersion } from '../../domain/file.ts'
import { UPLOAD_LIFETIME_MS, type Upload, upload, uploadStream } from '../../domain/upload.ts'
import { FilesFull } from '../../stores/contract/files.ts'
import { PLACE, ROOT, world } from '../reactions/files-world.ts'
import { refusalCodeOf } from '../refusal-of.ts'

const FRESH = { path: '/a', folder: 'k1', size: 3, contentType: 'x/y', sha256: null, player: 'ada' }
const SHA256 = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'
const admit = () => {}
const wanted = { fresh: FRESH, limits: NEW_BUCKET, admit }

describe('an upload', () => {
  let w: Awaited<ReturnType<typeof world>>
  beforeEach(async () => {
    w = await world()
  })
  const beginUpload = async (more: Partial<typeof FRESH> | { sha256: string } = {}) =>
    begin(w.commands, PLACE, { ...wanted, fresh: { ...FRESH, ...more } }, w.context())
  const stateOf = async (id: string) => (await loadState(w.commands, upload, uploadStream(id))) as Upload
  const typesOf = async (prefix: string) =>
    (await w.log.readAll(null, 1_000)).filter(({ stream }) => stream.startsWith(prefix)).map(({ type }) => type)

  it('reserves room, is open for a quarter of an hour, and links to its blob', async () => {
    const { id, link, expiresMs, written, replayed } = await beginUpload()
    expect([expiresMs, replayed, written?.game]).to.deep.equal([w.clock.nowMs + UPLOAD_LIFETIME_MS, false, 'g1'])
    expect(link.method).to.equal('PUT')
    const { blob, ...state } = await stateOf(id)
    expect(blob)
      .to.match(/^[a-z2-7]{24}$/)
      .and.not.equal(id)
    const { folder: _, ...data } = FRESH
    const none = { isStored: false, refused: null, completed: null }
    expect(state).to.deep.equal({ bucket: 'k1', ...data, expires: new Date(expiresMs).toISOString(), ...none })
    expect(await typesOf('quota-')).to.deep.equal(['UploadBegun'])
    const last = expiresMs - 1
    expect([await linkState(w.commands, id, last), await linkState(w.commands, id, expiresMs)]).to.deep.equal([
      'open',
      'gone',
    ])
  })

  it('reserves nothing where it is not admitted', async () => {
    const refuse = () => {
      throw new Error('not admitted')
    }
    expect(await refusalCodeOf(begin(w.commands, PLACE, { ...wanted, admit: refuse }, w.context()))).to.equal(
      'Error: not admitted',
    )
    expect(await typesOf('quota-')).to.deep.equal([])
  })

  it('is refused for the bucket’s own limit where store and bucket are both full', async () => {
    const uploadLink = () => Promise.reject(new FilesFull())
    const full = { ...w.commands, files: { ...w.store, uploadLink } }
    const limits = { ...NEW_BUCKET, maxFileBytes: 2 }
    expect(await refusalCodeOf(begin(full, PLACE, { ...wanted, limits }, w.context()))).to.equal('file_too_large')
    const error = await begin(full, PLACE, wanted, w.context()).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(FilesFull)
    expect(await typesOf('quota-')).to.deep.equal([])
  })

  it('leaves another failure of the store as it is, whatever the limits', async () => {
    const uploadLink = () => Promise.reject(new Error('away'))
    const away = { ...w.commands, files: { ...w.store, uploadLink } }
    const limits = { ...NEW_BUCKET, maxFileBytes: 2 }
    expect(await refusalCodeOf(begin(away, PLACE, { ...wanted, limits }, w.context()))).to.equal('Error: away')
  })

  it('is found in its bucket while it lives', async () => {
    const { id, expiresMs } = await beginUpload()
    const found = await findUpload(w.commands, 'k1', id, expiresMs - 1)
    expect([found.path, found.contentType]).to.deep.equal(['/a', 'x/y'])
    for (const finding of [
      findUpload(w.commands, 'k2', id, expiresMs - 1),
      findUpload(w.commands, 'k1', id, expiresMs),
      findUpload(w.commands, 'k1', 'none', expiresMs - 1),
    ]) {
      expect(await refusalCodeOf(finding)).to.equal('not_found')
    }
  })

  it('takes exactly its bytes, once', async () => {
    const { id } = await beginUpload()
    const stored = { blob: 'b', size: 3, sha256: null, storedMs: 0 }
    expect(await refusalCodeOf(bytesStored(w.commands, id, { ...stored, size: 4 }, w.context()))).to.equal(
      'size_mismatch',
    )
    await bytesStored(w.commands, id, stored, w.context())
    expect(await refusalCodeOf(bytesStored(w.commands, id, stored, w.context()))).to.equal('not_found')
    expect(await refusalCodeOf(bytesStored(w.commands, 'none', stored, w.context()))).to.equal('not_found')
    const events = await w.log.readStream(uploadStream(id), 0, 10)
    expect(events.map(({ type, meta }) => [type, meta.game])).to.deep.equal([
      ['UploadOpened', 'g1'],
      ['BytesStored', 'g1'],
    ])
  })

  describe('to a store without a door of ours', () => {
    /** Looks for the bytes, and says how often the store was asked, and whether for the checksum. */
    async function look(id: string) {
      const asked: (boolean | undefined)[] = []
      const stored: typeof w.store.stored = (blob, needsSha256) => {
        asked.push(needsSha256)
        return w.store.stored(blob, needsSha256)
      }
      const files = { ...w.store, stored }
      const code = await refusalCodeOf(findBytes({ ...w.commands, files }, id, await stateOf(id), w.context()))
      return [code, asked]
    }
    const plant = async (id: string, text: string) =>
      w.store.plant((await stateOf(id)).blob, Buffer.from(text), w.clock.nowMs)

    it('is incomplete until the bytes are there', async () => {
      const { id } = await beginUpload()
      expect(await look(id)).to.deep.equal(['upload_incomplete', [false]])
      await plant(id, 'foo')
      expect(await look(id)).to.deep.equal(['not refused', [false]])
      expect(await look(id)).to.deep.equal(['not refused', []])
      expect(await typesOf('upload-')).to.deep.equal(['UploadOpened', 'BytesStored'])
    })

    it('asks for the checksum where the upload names one', async () => {
      const { id } = await beginUpload({ sha256: SHA256 })
      await plant(id, 'foo')
      expect(await look(id)).to.deep.equal(['not refused', [true]])
    })

    it('remembers what was refused, and asks the store no more', async () => {
      const [wrong, large] = [await beginUpload({ sha256: SHA256 }), await beginUpload({ path: '/b' })]
      await plant(wrong.id, 'bar')
      await plant(large.id, 'long')
      expect(await look(wrong.id)).to.deep.equal(['checksum_mismatch', [true]])
      expect(await look(wrong.id)).to.deep.equal(['checksum_mismatch', []])
      expect(await look(large.id)).to.deep.equal(['size_mismatch', [false]])
      expect(await look(large.id)).to.deep.equal(['size_mismatch', []])
      expect((await stateOf(large.id)).refused?.size).to.equal(4)
      const [, refused] = await w.log.readStream(uploadStream(large.id), 0, 10)
      expect([refused?.type, refused?.meta.game]).to.deep.equal(['BytesRefused', 'g1'])
    })
  })

  describe('that is completed', () => {
    async function completed(path = '/a') {
      const { id } = await beginUpload({ path })
      await bytesStored(w.commands, id, { blob: 'b', size: 3, sha256: null, storedMs: 0 }, w.context())
      const found = await findUpload(w.commands, 'k1', id, w.clock.nowMs)
      const into = { ...ROOT, limits: NEW_BUCKET, admit }
      const { after } = await complete(w.commands, PLACE, { id, wanted: found, into }, w.context())
      return { id, after: after as Upload }
    }

    it('is the file that it names, and answers the same each time', async () => {
      const { id, after } = await completed()
      const time = new Date(w.clock.nowMs).toISOString()
      const { file, ...rest } = after.completed ?? { file: '' }
      expect(file).to.match(/^[a-z2-7]{24}$/)
      expect(rest).to.deep.equal({ creator: 'ada', created: time, updated: time })
      expect(await typesOf('quota-')).to.deep.equal(['UploadBegun', 'UploadSettled'])
      expect((await stateOf(id)).completed).to.deep.equal(after.completed)
    })

    it('is not ended by a reaction that comes later', async () => {
      const { id } = await completed()
      await expire(w.commands, PLACE, id, { ...w.context(), nowMs: w.clock.nowMs + UPLOAD_LIFETIME_MS })
      expect((await stateOf(id)).completed).not.to.equal(null)
      expect(await typesOf('quota-')).to.deep.equal(['UploadBegun', 'UploadSettled'])
    })
  })

  it('that nobody completes gives its room back when its time is over, and not before', async () => {
    const { id, expiresMs } = await beginUpload()
    await expire(w.commands, PLACE, id, { ...w.context(), nowMs: expiresMs - 1 })
    expect(await typesOf('quota-')).to.deep.equal(['UploadBegun'])
    await expire(w.commands, PLACE, id, { ...w.context(), nowMs: expiresMs })
    expect(await typesOf('quota-')).to.deep.equal(['UploadBegun', 'UploadReleased'])
    expect(await stateOf(id)).to.equal('gone')
    expect(await typesOf('file-')).to.deep.equal(['UploadAbandoned'])
  })
})

describe('the share of a quota that an upload takes', () => {
  const present = { creator: 'eve', size: 10 } as FileVersion

  it('is all of a new file, for the player who uploads it', () => {
    expect(quotaShare(7, 'ada', null)).to.deep.equal({ owner: 'ada', bytes: 7, files: 1 })
    expect(quotaShare(7, null, null)).to.deep.equal({ owner: null, bytes: 7, files: 1 })
  })

  it('is what a new version has more than the file, for the creator of the file', () => {
    expect(quotaShare(17, 'ada', present)).to.deep.equal({ owner: 'eve', bytes: 7, files: 0 })
    expect(quotaShare(10, 'ada', present)).to.deep.equal({ owner: 'eve', bytes: 0, files: 0 })
    expect(quotaShare(3, 'ada', present)).to.deep.equal({ owner: 'eve', bytes: 0, files: 0 })
  })
})
