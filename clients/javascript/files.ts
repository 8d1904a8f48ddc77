// Lists, uploads, downloads and deletes files, for a game's client or a signed-in player. The bytes themselves are sent
// to and fetched from links by transfers.ts.

import { type Calls, pathTo } from './caller.ts'
import type { BegunUpload, Bucket, Download, Folder, Listing, NewUpload, StoredFile } from './file-shapes.ts'
import type { Paging } from './shapes.ts'
import { type TransferCalls, transferCalls } from './transfers.ts'

export interface FileCalls extends TransferCalls {
  buckets(game: string): Promise<{ readonly buckets: readonly Pick<Bucket, 'id' | 'name'>[] }>
  bucket(id: string): Promise<Bucket>
  /** The contents of a folder, by name. */
  list(bucket: string, path: string, paging?: Paging): Promise<Listing>
  makeFolder(bucket: string, path: string): Promise<Folder>
  /** `key`: the Idempotency-Key; repeating it returns the same upload with a link. */
  beginUpload(bucket: string, upload: NewUpload, key?: string): Promise<BegunUpload>
  /** Call it after the bytes were sent to the link. Idempotent. */
  completeUpload(bucket: string, upload: string): Promise<StoredFile>
  file(bucket: string, path: string): Promise<StoredFile>
  download(bucket: string, path: string): Promise<Download>
  deleteFile(bucket: string, path: string): Promise<{ readonly deleted: string }>
}

export function fileCalls({ call }: Pick<Calls, 'call'>): FileCalls {
  const calls: Omit<FileCalls, keyof TransferCalls> = {
    buckets: (game) => call('GET', pathTo(['gm', game, 'buckets'])),
    bucket: (id) => call('GET', pathTo(['bkt', id])),
    list: (bucket, path, paging = {}) => call('GET', pathTo(['bkt', bucket, 'ls'], { path, ...paging })),
    makeFolder: (bucket, path) => call('POST', pathTo(['bkt', bucket, 'dir']), { path }),
    beginUpload: (bucket, upload, key) => call('POST', pathTo(['bkt', bucket, 'upload']), upload, { key }),
    completeUpload: (bucket, upload) => call('POST', pathTo(['bkt', bucket, 'upload', upload, 'complete'])),
    file: (bucket, path) => call('GET', pathTo(['bkt', bucket, 'file'], { path })),
    download: (bucket, path) => call('GET', pathTo(['bkt', bucket, 'download'], { path })),
    deleteFile: (bucket, path) => call('DELETE', pathTo(['bkt', bucket, 'file'], { path })),
  }
  return { ...calls, ...transferCalls(calls) }
}
