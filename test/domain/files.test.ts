// Given events of a path, when a file or folder is created, changed or deleted, then these events follow.

import { expect } from 'chai'
import { Refusal } from '../../domain/decider.ts'
import {
  abandonUpload,
  deleteFile,
  FileChanged,
  type FileEvent,
  type FileStoredData,
  file,
  storeFile,
} from '../../domain/file.ts'
import { createFolder, deleteFolder, type FolderEvent, folder, setRules } from '../../domain/folder.ts'
import { ROOT_RULES } from '../../domain/folder-rules.ts'
import { given, timeAt } from './given.ts'

const admit = () => {}
const forbid = () => {
  throw new Refusal('not_found', 'not_found', 'Nothing.')
}

describe('a file', () => {
  const content = { size: 3, contentType: 'text/plain', sha256: null, blob: 'b1', upload: 'u1' }
  const place = { path: '/a/f', folder: 'fo1', folderKey: 'aa' }
  const fresh = { ...content, ...place, id: 'fi1', creator: 'p1' }
  const stored: FileEvent = { type: 'FileStored', data: { ...fresh, replaced: null } }
  const other = { ...fresh, blob: 'b2', upload: 'u2', size: 5, creator: 'p2', id: 'fi2' }
  const replaced = { upload: 'u1', blob: 'b1', size: 3, creator: 'p1' }
  const overwritten: FileEvent = {
    type: 'FileOverwritten',
    data: { size: 5, contentType: 'text/plain', sha256: null, blob: 'b2', upload: 'u2', replaced },
  }
  const deleted: FileEvent = {
    type: 'FileDeleted',
    data: { ...replaced, id: 'fi1', folder: 'fo1', folderKey: 'aa', deletion: 'd1' },
  }

  it('is stored once for each upload, and then overwritten', () => {
    given(file)
      .when(storeFile(fresh, null, admit))
      .then(stored)
    given(file, stored)
      .when(storeFile(other, 'u1', admit))
      .then(overwritten)
    given(file, stored, overwritten)
      .when(storeFile(fresh, 'u2', admit))
      .then()
    const { current } = given(file, stored, overwritten).state()
    expect(current).to.deep.include({ id: 'fi1', creator: 'p1', size: 5, created: timeAt(0), updated: timeAt(1) })
  })

  it('is checked as a new file or as a new version', () => {
    const asked: (string | null)[] = []
    const ask = (present: { readonly id: string } | null) => asked.push(present?.id ?? null)
    given(file)
      .when(storeFile(fresh, null, ask))
      .then(stored)
    given(file, stored)
      .when(storeFile(other, 'u1', ask))
      .then(overwritten)
    expect([...new Set(asked)]).to.deep.equal([null, 'fi1'])
    given(file)
      .when(storeFile(fresh, null, forbid))
      .refused('not_found', 'not_found')
  })

  it('of a deleted folder does not exist: the next file is new and replaces its blob and quota', () => {
    const next = { ...other, folder: 'fo2' }
    const again: FileStoredData = { ...next, replaced }
    given(file, stored)
      .when(storeFile(next, 'u1', admit))
      .then({ type: 'FileStored', data: again })
    given(file, stored)
      .when(deleteFile('fo2', 'd1', admit))
      .refused('not_found', 'not_found')
  })

  it('throws FileChanged if another version is at the path', () => {
    const storeOver = (past: FileEvent[], expectedUpload: string | null) => () =>
      storeFile(other, expectedUpload, admit)(given(file, ...past).state(), past.length - 1)
    expect(storeOver([stored], null)).to.throw(FileChanged)
    expect(storeOver([], 'u1')).to.throw(FileChanged)
    expect(storeOver([stored, deleted], null)).to.not.throw()
  })

  it('is deleted once', () => {
    given(file, stored)
      .when(deleteFile('fo1', 'd1', admit))
      .thenOnce('not_found', deleted)
    given(file)
      .when(deleteFile('fo1', 'd1', admit))
      .refused('not_found', 'not_found')
    given(file, stored)
      .when(deleteFile('fo1', 'd1', forbid))
      .refused('not_found', 'not_found')
  })

  it('never stores an abandoned upload, and never abandons a stored one', () => {
    const abandoned: FileEvent = { type: 'UploadAbandoned', data: { upload: 'u1' } }
    given(file).when(abandonUpload('u1')).then(abandoned)
    given(file, abandoned)
      .when(storeFile(fresh, null, admit))
      .refused('not_found', 'not_found')
    given(file, stored).when(abandonUpload('u1')).then()
    given(file, stored, overwritten, deleted).when(abandonUpload('u2')).then()
  })
})

describe('domain: a folder', () => {
  const data = { id: 'fo1', path: '/a/', parent: 'k1', parentKey: 'root', creator: 'p1', rules: ROOT_RULES }
  const created: FolderEvent = { type: 'FolderCreated', data }
  const deleted: FolderEvent = { type: 'FolderDeleted', data: { id: 'fo1', parent: 'k1', parentKey: 'root' } }
  const set = {
    folder: 'fo1',
    rules: { ...ROOT_RULES, mkdir: 'anyone' as const },
    childRules: null,
    applyToExisting: false,
  }
  const rulesSet: FolderEvent = { type: 'FolderRulesSet', data: set }

  it('is created once under one parent, and again under another', () => {
    given(folder).when(createFolder(data)).thenOnce('already_exists', created)
    given(folder, created)
      .when(createFolder({ ...data, id: 'fo2', parent: 'k2' }))
      .thenOnce('already_exists', { type: 'FolderCreated', data: { ...data, id: 'fo2', parent: 'k2' } })
    given(folder, created, deleted).when(createFolder(data)).thenOnce('already_exists', created)
  })

  it('gets rules if it is unchanged since the caller read it; a root even before its first rules', () => {
    given(folder, created)
      .when(setRules(set, false, admit))
      .thenEachTime(rulesSet)
    given(folder)
      .when(setRules(set, false, admit))
      .refused('not_found', 'not_found')
    given(folder)
      .when(setRules(set, true, admit))
      .thenEachTime(rulesSet)
    given(folder, created)
      .when(setRules({ ...set, folder: 'fo2' }, false, admit))
      .refused('not_found', 'not_found')
    const seen: number[] = []
    setRules(set, false, (revision) => seen.push(revision))(given(folder, created, rulesSet).state(), 1)
    setRules(set, true, (revision) => seen.push(revision))(null, -1)
    expect(seen).to.deep.equal([1, -1])
  })

  it('is deleted once, except for a root', () => {
    given(folder, created).when(deleteFolder('fo1')).thenOnce('not_found', deleted)
    given(folder, created).when(deleteFolder('fo2')).refused('not_found', 'not_found')
    given(folder, rulesSet).when(deleteFolder('fo1')).refused('not_found', 'not_found')
  })
})
