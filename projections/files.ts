// The view of folders and files, by bucket and path key. Existence is checked on the way down from the root: each
// document names the id of its parent folder. Folders count their children, so that no list has to.

import type { BucketEvent } from '../domain/bucket.ts'
import { type JsonObject, type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { FileDeletedData, FileOverwrittenData, FileStoredData } from '../domain/file.ts'
import type { FolderCreatedData, FolderReleasedData, FolderRulesSetData } from '../domain/folder.ts'
import { ROOT_RULES } from '../domain/folder-rules.ts'
import { collationKeyOf, nameOf, ROOT_KEY } from '../domain/paths.ts'
import { idIn, idsIn } from '../domain/streams.ts'
import type { Docs, Projection } from './projection.ts'

type FolderDeletedData = { readonly id: string; readonly parent: string; readonly parentKey: string }

export const files: Projection = {
  name: 'files',
  version: 1,
  collections: [
    { name: 'folders', indexes: { name: ['parent', 'sort'], creator: ['creator'] } },
    {
      name: 'files',
      indexes: { name: ['folder', 'sort'], own: ['folder', 'creator', 'sort'], creator: ['creator', 'bucket'] },
    },
  ],
  takes: [
    'BucketCreated',
    'BucketDeleted',
    'FolderCreated',
    'FolderRulesSet',
    'FolderReleased',
    'FolderDeleted',
    'FileStored',
    'FileOverwritten',
    'FileDeleted',
  ],

  needs(event) {
    const id = idOf(event)
    switch (event.type) {
      case 'BucketCreated':
      case 'BucketDeleted':
        return [['folders', id]]
      case 'FolderRulesSet':
      case 'FolderReleased':
        return [['folders', id]]
      case 'FolderCreated':
      case 'FolderDeleted':
        return [
          ['folders', id],
          ['folders', inBucket(event, unsafeCast<FolderDeletedData>(event.data).parentKey)],
        ]
      case 'FileOverwritten':
        return [['files', id]]
      default:
        return [
          ['files', id],
          ['folders', inBucket(event, unsafeCast<FileStoredData>(event.data).folderKey)],
        ]
    }
  },

  handle(event, docs) {
    const id = idOf(event)
    switch (event.type) {
      case 'BucketCreated':
        return docs.put('folders', id, rootOf(event))
      case 'BucketDeleted':
        return docs.remove('folders', id)
      case 'FolderCreated':
        return folderCreated(event, docs, id)
      case 'FolderRulesSet':
        return rulesSet(event, docs, id)
      case 'FolderReleased':
        return folderReleased(event, docs, id)
      case 'FolderDeleted':
        return folderDeleted(event, docs, id)
      case 'FileStored':
        return fileStored(event, docs, id)
      case 'FileOverwritten':
        return fileOverwritten(event, docs, id)
      case 'FileDeleted':
        return fileDeleted(event, docs, id)
    }
  },
}

/** A null path was erased with its deleted creator. */
const nameOfPath = (path: string | null): string => (path === null ? '' : nameOf(path))

/** `<bucket>.<path key>`, the suffix of the stream's name; a bucket's own stream maps to its root folder. */
function idOf({ type, stream }: StoredEvent): string {
  const isBuckets = (type as BucketEvent['type']) === 'BucketCreated' || type === 'BucketDeleted'
  return isBuckets ? `${idIn(stream)}.${ROOT_KEY}` : idIn(stream)
}

const inBucket = ({ stream }: StoredEvent, key: string): string => `${idsIn(stream)[0]}.${key}`

function rootOf(event: StoredEvent): JsonObject {
  const [bucket] = idsIn(event.stream)
  const root = { id: bucket, parent: null, path: '/', creator: null, rules: ROOT_RULES }
  return { ...newFolder(event, bucket, ROOT_KEY, root), revision: -1 }
}

type Made = Omit<FolderCreatedData, 'parent' | 'parentKey'> & { readonly parent: string | null }

function newFolder({ meta, position, revision }: StoredEvent, bucket: string, key: string, made: Made): JsonObject {
  const { id, parent, path, creator, rules } = made
  const name = nameOfPath(path)
  return {
    bucket,
    key,
    id,
    parent,
    path,
    name,
    sort: collationKeyOf(name),
    creator,
    created: meta.time,
    rules,
    childRules: null,
    /**
     * Position at which its rules were set last; the rules that it gave to everything below it, and at which position.
     */
    rulesAt: position,
    given: null,
    givenAt: null,
    /** Revision of the last event of its stream. */
    revision,
    files: 0,
    folders: 0,
  }
}

function folderCreated(event: StoredEvent, docs: Docs, id: string): void {
  const data = unsafeCast<FolderCreatedData>(event.data)
  docs.put('folders', id, newFolder(event, ...idsIn(event.stream), data))
  count(docs, inBucket(event, data.parentKey), data.parent, 'folders', 1)
}

function rulesSet({ data, position, revision }: StoredEvent, docs: Docs, id: string): void {
  const folder = docs.get('folders', id)
  const { folder: of, rules, childRules, applyToExisting } = unsafeCast<FolderRulesSetData>(data)
  if (folder === null || folder.id !== of) return
  const given = applyToExisting ? { given: childRules ?? rules, givenAt: position } : {}
  docs.put('folders', id, { ...folder, rules, childRules, rulesAt: position, revision, ...given })
}

function folderReleased({ data, revision }: StoredEvent, docs: Docs, id: string): void {
  const folder = docs.get('folders', id)
  const { id: of, path } = unsafeCast<FolderReleasedData>(data)
  if (folder === null || folder.id !== of) return
  const name = nameOf(path)
  docs.put('folders', id, { ...folder, path, name, sort: collationKeyOf(name), creator: null, revision })
}

function folderDeleted(event: StoredEvent, docs: Docs, id: string): void {
  const data = unsafeCast<FolderDeletedData>(event.data)
  if (docs.get('folders', id)?.id === data.id) docs.remove('folders', id)
  count(docs, inBucket(event, data.parentKey), data.parent, 'folders', -1)
}

function fileStored(event: StoredEvent, docs: Docs, id: string): void {
  const data = unsafeCast<FileStoredData>(event.data)
  const { id: file, path, folder, folderKey, size, contentType, sha256, blob, upload, creator } = data
  const name = nameOfPath(path)
  const { time } = event.meta
  const [bucket, key] = idsIn(event.stream)
  const own = { bucket, key, id: file, path, name, sort: collationKeyOf(name) }
  const content = { size, contentType, sha256, blob, upload }
  docs.put('files', id, { ...own, folder, folderKey, ...content, creator, created: time, updated: time })
  count(docs, inBucket(event, folderKey), folder, 'files', 1)
}

function fileOverwritten({ data, meta }: StoredEvent, docs: Docs, id: string): void {
  const file = docs.get('files', id)
  // The file was deleted by a later event that an interrupted write had already stored.
  if (file === null) return
  const { size, contentType, sha256, blob, upload } = unsafeCast<FileOverwrittenData>(data)
  docs.put('files', id, { ...file, size, contentType, sha256, blob, upload, updated: meta.time })
}

function fileDeleted(event: StoredEvent, docs: Docs, id: string): void {
  const { folder, folderKey } = unsafeCast<FileDeletedData>(event.data)
  docs.remove('files', id)
  count(docs, inBucket(event, folderKey), folder, 'files', -1)
}

/** Does not count if the folder is gone or was replaced by another one. */
function count(docs: Docs, at: string, folder: string, what: 'files' | 'folders', more: number): void {
  const document = docs.get('folders', at)
  if (document === null || document.id !== folder) return
  docs.put('folders', at, { ...document, [what]: Number(document[what]) + more })
}
