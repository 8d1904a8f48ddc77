// Events of the quota of a bucket: reserved, used and freed space, and downloaded bytes.

import { z } from 'zod'
import type { QuotaEvent } from '../../domain/quota.ts'
import { bytes, count, idOf, maybeIdOf, text, time } from './fields.ts'
import { eventSchema, schemasOf } from './schema.ts'

const share = {
  owner: maybeIdOf('the player whose quota it is', 'the tenant'),
  bytes: bytes('Number of bytes.'),
  files: count.meta({ description: 'Number of files.' }),
}
const upload = idOf('the upload')
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
