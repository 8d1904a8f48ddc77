// Events of buckets, folders, files and uploads, and of the quota of a bucket.

import { z } from 'zod'
import type { BucketEvent } from '../../domain/bucket.ts'
import type { FileEvent } from '../../domain/file.ts'
import type { FolderEvent } from '../../domain/folder.ts'
import type { QuotaEvent } from '../../domain/quota.ts'
import type { UploadEvent } from '../../domain/upload.ts'
import { count } from '../fields.ts'
import {
  bytes,
  eventSchema,
  folderRules,
  idOf,
  maybeIdOf,
  noData,
  personal,
  schemasOf,
  sha256,
  text,
  time,
} from './schema.ts'

const limits = z.strictObject({
  maxBytes: count,
  maxFiles: count,
  playerMaxBytes: count,
  playerMaxFiles: count,
  maxFileBytes: count,
  monthlyDownloadBytes: count,
})
const name = text('The name of the bucket.')

export const BUCKET_EVENTS = schemasOf<BucketEvent>()({
  BucketCreated: eventSchema('A bucket was created.', { name, limits }),
  BucketConfigured: eventSchema('The name or the limits of a bucket changed; all of them are here.', { name, limits }),
  BucketDeleted: noData('A bucket was deleted with its contents.'),
})

const id = idOf('the folder')
const parent = idOf('the folder above')
const parentKey = text('Keyed hash of the path of the folder above, or `root`.')
const path = personal('The path.')

export const FOLDER_EVENTS = schemasOf<FolderEvent>()({
  FolderCreated: eventSchema('A folder was created.', {
    id,
    path,
    parent,
    parentKey,
    creator: maybeIdOf('the player who created it', 'the tenant'),
    rules: folderRules,
  }),
  FolderRulesSet: eventSchema('The rules of a folder were set.', {
    folder: id,
    rules: folderRules,
    childRules: folderRules.nullable().meta({ description: 'Rules of new folders inside; null: the same.' }),
    applyToExisting: z.boolean().meta({ description: 'Whether every folder below got them too.' }),
  }),
  FolderReleased: eventSchema('The creator of a folder was deleted; the folder keeps files of others.', {
    id,
    path: text('The path.'),
  }),
  FolderDeleted: eventSchema('A folder was deleted with everything below it.', { id, parent, parentKey }),
})

const upload = idOf('the upload')
const size = bytes('Number of bytes.')
const creator = maybeIdOf('the player whose quota it uses', 'the tenant')
const blob = idOf('the stored bytes')
const replaced = z.strictObject({ upload, blob, size, creator })
const contentType = personal('The media type.')
const content = { size, contentType, sha256, blob, upload }
const folderKey = text('Keyed hash of the path of its folder, or `root`.')

export const FILE_EVENTS = schemasOf<FileEvent>()({
  FileStored: eventSchema('A new file was stored.', {
    ...content,
    path,
    folder: id,
    folderKey,
    id: idOf('the file'),
    creator,
    replaced: replaced.nullable().meta({ description: 'The file of a deleted folder at the same path.' }),
  }),
  FileOverwritten: eventSchema('A file got other bytes.', { ...content, replaced }),
  FileDeleted: eventSchema('A file was deleted.', {
    upload,
    blob,
    size,
    creator,
    id: idOf('the file'),
    folder: id,
    folderKey,
    deletion: idOf('the deletion, under which its quota is freed'),
  }),
  UploadAbandoned: eventSchema('An upload will never be stored at this path.', { upload }),
})

export const UPLOAD_EVENTS = schemasOf<UploadEvent>()({
  UploadOpened: eventSchema('An upload began.', {
    bucket: idOf('the bucket'),
    path,
    size,
    contentType,
    sha256,
    blob,
    player: maybeIdOf('the player who began it', 'a caller without a player'),
    expires: time('When it can no longer be completed.'),
  }),
  BytesStored: eventSchema('The bytes of an upload arrived.', { size, sha256 }),
  BytesRefused: eventSchema('Other bytes arrived than were announced.', { size, sha256 }),
  UploadCompleted: eventSchema('An upload became a file.', {
    file: idOf('the file'),
    creator,
    created: time('When the file was new.'),
    updated: time('When its bytes changed last.'),
  }),
  UploadExpired: eventSchema('An upload ended without a file.', {
    blob: maybeIdOf('the bytes to remove', 'none were stored'),
  }),
})

// The quota of a bucket: reserved, used and freed space, and downloaded bytes.

const share = {
  owner: maybeIdOf('the player whose quota it is', 'the tenant'),
  bytes: bytes('Number of bytes.'),
  files: count.meta({ description: 'Number of files.' }),
}
const download = idOf('the download')
const maybeDownload = maybeIdOf('the download', 'bytes that a node reserved in advance')
const sent = bytes('Number of bytes.')

export const QUOTA_EVENTS = schemasOf<QuotaEvent>()({
  UploadBegun: eventSchema('Space was reserved for an upload.', {
    ...share,
    upload,
    expires: time('When the reservation ends.'),
  }),
  UploadReassigned: eventSchema('An upload needs other space than was reserved.', { ...share, upload }),
  UploadSettled: eventSchema('An upload became a file, which uses the space.', {
    upload,
    held: z.strictObject(share),
    freed: z.strictObject(share).nullable().meta({ description: 'The space of the version that it replaced.' }),
  }),
  UploadReleased: eventSchema('The space of an upload without a file is free again.', { upload }),
  DeletionsBegun: eventSchema('Deleted files are being removed.', { deletions: z.array(z.string()) }),
  FilesFreed: eventSchema('The space of deleted files is free again.', {
    files: z.array(z.strictObject({ ...share, deletion: idOf('the deletion') })),
  }),
  DownloadBegun: eventSchema('A download link was answered, and its bytes reserved.', {
    download,
    bytes: sent,
    expires: time('When the link expires.'),
    by: text('Who requested the link.').exactOptional(),
  }),
  DownloadMetered: eventSchema('Bytes were counted before they were sent.', { download: maybeDownload, bytes: sent }),
  DownloadsSent: eventSchema('Downloads used bytes that a node had reserved.', {
    downloads: z.array(z.strictObject({ download, bytes: sent })),
  }),
  DownloadCut: eventSchema('Bytes that were counted were not sent.', {
    download: maybeDownload,
    bytes: sent,
    month: z.string().meta({ description: 'The month in which they were counted.', pattern: '^[0-9]{4}-[0-9]{2}$' }),
  }),
  PromisesDropped: eventSchema('Callers lost reserved bytes of links that they did not use.', {
    askers: z.array(z.string()),
  }),
})
