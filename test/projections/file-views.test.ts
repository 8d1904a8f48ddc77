// The documents of the views of buckets, folders, files, uploads and blobs after each event that changes them.

import { expect } from 'chai'
import { NEW_BUCKET } from '../../domain/bucket.ts'
import type { JsonObject, StoredEvent } from '../../domain/event.ts'
import { ROOT_RULES } from '../../domain/folder-rules.ts'
import { blobs } from '../../projections/blobs.ts'
import { buckets } from '../../projections/buckets.ts'
import { files } from '../../projections/files.ts'
import { uploads } from '../../projections/uploads.ts'
import { viewInMemory } from './view-in-memory.ts'

const [TIME, LATER, NEXT_MONTH] = ['2026-11-21T07:05:01.123Z', '2026-11-22T00:00:00.000Z', '2026-12-01T00:00:00.000Z']

let count = 0

function event(stream: string, type: string, data: JsonObject, time = TIME): StoredEvent {
  count++
  const position = String(count).padStart(8, '0')
  const meta = { v: 1, game: 'g', command: 'c', actor: null, request: null, time }
  return { id: `e${count}`, type, data, meta, stream, revision: count, position }
}

const replaced = (size: number) => ({ upload: 'u0', blob: 'b0', size, creator: null })
const content = { size: 30, contentType: 'text/plain', sha256: 'ff', blob: 'b1', upload: 'u1' }
const stored = {
  ...content,
  id: 'f1',
  path: '/saves/one',
  folder: 'd1',
  folderKey: 'dk',
  creator: 'ada',
  replaced: null,
}
const fileDeleted = { ...replaced(30), id: 'f1', folder: 'd1', folderKey: 'dk', deletion: 'x' }
const bucketMade = () => event('bucket-b', 'BucketCreated', { name: 'Saves', limits: NEW_BUCKET })
const fileMade = () => event('file-b.fk', 'FileStored', stored)

describe('the view of buckets', () => {
  const documentsAfter = (...events: StoredEvent[]) => {
    const view = viewInMemory(buckets)
    view.apply(bucketMade(), ...events)
    return view.documents('buckets').b ?? {}
  }
  const counters = (...events: StoredEvent[]) => {
    const { bytes, files, month, downloaded } = documentsAfter(...events)
    return [bytes, files, month, downloaded]
  }
  const metered = (bytes: number, time: string) => event('quota-b', 'DownloadMetered', { bytes }, time)

  it('lists a new bucket in its game, with every counter at 0', () => {
    const state = { name: 'Saves', limits: NEW_BUCKET, created: TIME, deleted: false }
    const none = { bytes: 0, files: 0, month: '', downloaded: 0 }
    expect(documentsAfter()).to.deep.equal({ ...none, id: 'b', game: 'g', state, created: TIME, listedIn: 'g' })
  })

  it('keeps the counters of a bucket that is configured', () => {
    const configured = event('bucket-b', 'BucketConfigured', { name: 'Other', limits: NEW_BUCKET })
    expect(documentsAfter(fileMade(), configured)).to.deep.include({ bytes: 30, files: 1, listedIn: 'g' })
    expect(documentsAfter(configured).state).to.deep.include({ name: 'Other' })
  })

  it('no longer lists a deleted bucket, and keeps its document', () => {
    const document = documentsAfter(event('bucket-b', 'BucketDeleted', {}))
    expect(document.listedIn).to.equal(null)
    expect(document.state).to.deep.include({ name: 'Saves', deleted: true })
  })

  it('counts the bytes and the number of stored files', () => {
    expect(counters(fileMade())).to.deep.equal([30, 1, '', 0])
  })

  it('counts a stored file that replaces another one instead of it', () => {
    const again = event('file-b.fk', 'FileStored', { ...stored, size: 50, replaced: replaced(30) })
    expect(counters(fileMade(), again)).to.deep.equal([50, 1, '', 0])
  })

  it('counts an overwritten file by the difference in bytes', () => {
    const over = event('file-b.fk', 'FileOverwritten', { ...content, size: 12, replaced: replaced(30) })
    expect(counters(fileMade(), over)).to.deep.equal([12, 1, '', 0])
  })

  it('takes a deleted file off both counters', () => {
    const other = event('file-b.fk2', 'FileStored', { ...stored, id: 'f2', size: 7 })
    expect(counters(fileMade(), other, event('file-b.fk', 'FileDeleted', fileDeleted))).to.deep.equal([7, 1, '', 0])
  })

  it('adds up downloads within a month, and begins at 0 in the next', () => {
    const first = [metered(100, TIME), metered(20, LATER)]
    expect(counters(...first)).to.deep.equal([0, 0, '2026-11', 120])
    expect(counters(...first, metered(5, NEXT_MONTH))).to.deep.equal([0, 0, '2026-12', 5])
  })

  it('gives back what a cut download did not send, in the month that it was counted in', () => {
    const cut = (month: string) => event('quota-b', 'DownloadCut', { month, bytes: 40 })
    expect(counters(metered(100, TIME), cut('2026-11'))).to.deep.equal([0, 0, '2026-11', 60])
    expect(counters(metered(100, NEXT_MONTH), cut('2026-11'))).to.deep.equal([0, 0, '2026-12', 100])
  })

  it('cannot apply an event of a bucket that was never created', () => {
    expect(() => viewInMemory(buckets).apply(fileMade())).to.throw('FileStored in bucket b, which was never created')
  })

  it('ignores other events of a bucket that was never created', () => {
    const view = viewInMemory(buckets)
    view.apply(event('bucket-b', 'BucketDeleted', {}))
    expect(view.documents('buckets')).to.deep.equal({})
  })
})

describe('the view of folders', () => {
  const made = { id: 'd1', path: '/saves/', parent: 'b', parentKey: 'root', creator: 'ada', rules: ROOT_RULES }
  const folderMade = (data: JsonObject = made, stream = 'folder-b.dk') => event(stream, 'FolderCreated', data)
  const documentsAfter = (...events: StoredEvent[]) => {
    const view = viewInMemory(files)
    view.apply(bucketMade(), ...events)
    return view.documents('folders')
  }
  const OTHER_RULES = { ...ROOT_RULES, read: 'nobody' }
  const rules = { folder: 'd1', rules: OTHER_RULES, childRules: null, applyToExisting: false }

  it('has the root of a bucket from its creation to its deletion', () => {
    const { rulesAt, ...root } = documentsAfter()['b.root'] ?? {}
    expect(root).to.deep.equal({
      bucket: 'b',
      key: 'root',
      id: 'b',
      parent: null,
      path: '/',
      name: '',
      sort: '',
      creator: null,
      created: TIME,
      rules: ROOT_RULES,
      childRules: null,
      given: null,
      givenAt: null,
      revision: -1,
      files: 0,
      folders: 0,
    })
    expect(rulesAt).to.be.a('string')
    expect(documentsAfter(event('bucket-b', 'BucketDeleted', {}))).to.deep.equal({})
  })

  it('has a new folder under its name, and its parent counts it', () => {
    const creation = folderMade()
    const documents = documentsAfter(creation)
    expect(documents['b.dk']).to.deep.equal({
      bucket: 'b',
      key: 'dk',
      id: 'd1',
      parent: 'b',
      path: '/saves/',
      name: 'saves',
      sort: 'saves',
      creator: 'ada',
      created: TIME,
      rules: ROOT_RULES,
      childRules: null,
      rulesAt: creation.position,
      given: null,
      givenAt: null,
      revision: creation.revision,
      files: 0,
      folders: 0,
    })
    expect(documents['b.root']).to.deep.include({ folders: 1, files: 0 })
  })

  it('has an empty name for a folder whose path was erased', () => {
    expect(documentsAfter(folderMade({ ...made, path: null }))['b.dk']).to.deep.include({
      path: null,
      name: '',
      sort: '',
    })
  })

  it('does not count a folder in a parent that was replaced by another one', () => {
    expect(documentsAfter(folderMade({ ...made, parent: 'gone' }))['b.root']).to.deep.include({ folders: 0 })
  })

  it('changes the rules of a folder, and remembers at which position', () => {
    const change = event('folder-b.dk', 'FolderRulesSet', rules)
    const { position, revision } = change
    const expected = { rules: OTHER_RULES, childRules: null, rulesAt: position, given: null, givenAt: null, revision }
    expect(documentsAfter(folderMade(), change)['b.dk']).to.deep.include(expected)
  })

  it('remembers the rules that a folder gave to everything below it', () => {
    const own = event('folder-b.dk', 'FolderRulesSet', { ...rules, applyToExisting: true })
    expect(documentsAfter(folderMade(), own)['b.dk']).to.deep.include({ given: OTHER_RULES, givenAt: own.position })
    const data = { ...rules, childRules: ROOT_RULES, applyToExisting: true }
    const childs = event('folder-b.dk', 'FolderRulesSet', data)
    expect(documentsAfter(folderMade(), childs)['b.dk']).to.deep.include({
      rules: OTHER_RULES,
      childRules: ROOT_RULES,
      given: ROOT_RULES,
      givenAt: childs.position,
    })
  })

  it('ignores rules and a release of a folder that another one replaced', () => {
    const before = folderMade()
    const setOther = event('folder-b.dk', 'FolderRulesSet', { ...rules, folder: 'd2' })
    const releasedOther = event('folder-b.dk', 'FolderReleased', { id: 'd2', path: '/other/' })
    expect(documentsAfter(before, setOther, releasedOther)).to.deep.include({ 'b.dk': documentsAfter(before)['b.dk'] })
    expect(Object.keys(documentsAfter(setOther, releasedOther))).to.deep.equal(['b.root'])
  })

  it('has a released folder under its path in clear, without a creator', () => {
    const release = event('folder-b.dk', 'FolderReleased', { id: 'd1', path: '/kept/' })
    expect(documentsAfter(folderMade({ ...made, path: null }), release)['b.dk']).to.deep.include({
      path: '/kept/',
      name: 'kept',
      sort: 'kept',
      creator: null,
      revision: release.revision,
    })
  })

  it('no longer has a deleted folder, and its parent no longer counts it', () => {
    const gone = event('folder-b.dk', 'FolderDeleted', { id: 'd1', parent: 'b', parentKey: 'root' })
    const documents = documentsAfter(folderMade(), gone)
    expect(Object.keys(documents)).to.deep.equal(['b.root'])
    expect(documents['b.root']).to.deep.include({ folders: 0 })
  })

  it('keeps the folder at the path of a deleted one that it replaced', () => {
    const gone = event('folder-b.dk', 'FolderDeleted', { id: 'd0', parent: 'b0', parentKey: 'root' })
    expect(documentsAfter(folderMade(), gone)['b.dk']).to.deep.include({ id: 'd1' })
  })

  it('counts the files of a folder', () => {
    const [one, two] = [fileMade(), event('file-b.fk2', 'FileStored', { ...stored, id: 'f2' })]
    expect(documentsAfter(folderMade(), one, two)['b.dk']).to.deep.include({ files: 2, folders: 0 })
    const gone = event('file-b.fk', 'FileDeleted', fileDeleted)
    expect(documentsAfter(folderMade(), one, two, gone)['b.dk']).to.deep.include({ files: 1 })
    expect(documentsAfter(fileMade())['b.root']).to.deep.include({ files: 0 })
  })
})

describe('the view of files', () => {
  const documentsAfter = (...events: StoredEvent[]) => {
    const view = viewInMemory(files)
    view.apply(...events)
    return view.documents('files')
  }
  const document = {
    bucket: 'b',
    key: 'fk',
    id: 'f1',
    path: '/saves/one',
    name: 'one',
    sort: 'one',
    folder: 'd1',
    folderKey: 'dk',
    ...content,
    creator: 'ada',
    created: TIME,
    updated: TIME,
  }

  it('has a stored file under its name', () => expect(documentsAfter(fileMade())).to.deep.equal({ 'b.fk': document }))

  it('has an empty name for a file whose path was erased', () => {
    const erased = event('file-b.fk', 'FileStored', { ...stored, path: null })
    expect(documentsAfter(erased)['b.fk']).to.deep.equal({ ...document, path: null, name: '', sort: '' })
  })

  it('has the new content of an overwritten file, and when that came', () => {
    const fresh = { size: 1, contentType: 'image/png', sha256: null, blob: 'b2', upload: 'u2' }
    const over = event('file-b.fk', 'FileOverwritten', { ...fresh, replaced: replaced(30) }, LATER)
    expect(documentsAfter(fileMade(), over)['b.fk']).to.deep.equal({ ...document, ...fresh, updated: LATER })
    expect(documentsAfter(over)).to.deep.equal({})
  })

  it('no longer has a deleted file', () => {
    expect(documentsAfter(fileMade(), event('file-b.fk', 'FileDeleted', fileDeleted))).to.deep.equal({})
  })
})

describe('the view of uploads', () => {
  const uploadBegun = (data: JsonObject) => event('quota-b', 'UploadBegun', { upload: 'u1', ...data })
  const documentsAfter = (...events: StoredEvent[]) => {
    const view = viewInMemory(uploads)
    view.apply(...events)
    return view.documents('uploads')
  }

  it('has an upload from its beginning on, by its end', () => {
    const expected = { id: 'u1', bucket: 'b', game: 'g' }
    expect(documentsAfter(uploadBegun({ expires: LATER }))).to.deep.equal({ u1: { ...expected, expires: LATER } })
    expect(documentsAfter(uploadBegun({}))).to.deep.equal({ u1: { ...expected, expires: null } })
  })

  for (const type of ['UploadSettled', 'UploadReleased']) {
    it(`no longer has an upload after ${type}`, () => {
      expect(documentsAfter(uploadBegun({}), event('quota-b', type, { upload: 'u1' }))).to.deep.equal({})
    })
  }
})

describe('the view of blobs', () => {
  const documentsAfter = (...events: StoredEvent[]) => {
    const view = viewInMemory(blobs)
    view.apply(...events)
    return view.documents('blobs')
  }
  const opened = event('upload-u1', 'UploadOpened', { bucket: 'b', blob: 'b1' })
  const ofUpload = { blob: 'b1', game: 'g', bucket: 'b', isFiles: false }

  it('has the blob of an open upload, and of the file that it becomes', () => {
    expect(documentsAfter(opened)).to.deep.equal({ b1: ofUpload })
    expect(documentsAfter(opened, fileMade())).to.deep.equal({ b1: { ...ofUpload, isFiles: true } })
  })

  it('no longer has the blob of an expired upload', () => {
    expect(documentsAfter(opened, event('upload-u1', 'UploadExpired', { blob: 'b1' }))).to.deep.equal({})
    expect(documentsAfter(opened, event('upload-u2', 'UploadExpired', { blob: null }))).to.deep.equal({ b1: ofUpload })
  })

  it('has the new blob of an overwritten file in place of the one before', () => {
    const over = { ...content, blob: 'b2', replaced: { ...replaced(30), blob: 'b1' } }
    const expected = { b2: { ...ofUpload, blob: 'b2', isFiles: true } }
    expect(documentsAfter(fileMade(), event('file-b.fk', 'FileOverwritten', over))).to.deep.equal(expected)
    expect(documentsAfter(fileMade(), event('file-b.fk', 'FileStored', { ...stored, ...over }))).to.deep.equal(expected)
  })

  it('no longer has the blob of a deleted file', () => {
    const gone = { ...fileDeleted, blob: 'b1' }
    expect(documentsAfter(fileMade(), event('file-b.fk', 'FileDeleted', gone))).to.deep.equal({})
  })
})
