// Manages buckets and the rules of their folders. Needs a server key; with a client key each call fails with 403
// `tenant_only`.

import { type Caller, pathTo } from './caller.ts'
import type { Bucket, BucketChange, Explained, FolderRules, NewBucket, RuledFolder } from './file-shapes.ts'

export interface RulesChange {
  readonly path: string
  readonly rules: FolderRules
  readonly child_rules: FolderRules | null
  /** Also sets the rules of all existing folders below. */
  readonly apply_to_existing?: boolean
}

export interface BucketCalls {
  createBucket(game: string, bucket: NewBucket): Promise<Bucket>
  changeBucket(id: string, change: BucketChange, ifMatch?: string): Promise<Bucket>
  deleteBucket(id: string): Promise<{ readonly deleted: string }>
  folderRules(bucket: string, path: string): Promise<RuledFolder>
  setFolderRules(bucket: string, change: RulesChange, ifMatch?: string): Promise<RuledFolder>
  /** `recursive`: with its contents. */
  deleteFolder(bucket: string, path: string, recursive?: boolean): Promise<{ readonly deleted: string }>
  /** What each rule at a path lets a player do, or a caller without one. */
  explain(bucket: string, path: string, player?: string): Promise<Explained>
}

export function bucketCalls({ call }: Caller): BucketCalls {
  return {
    createBucket: (game, bucket) => call('POST', pathTo(['gm', game, 'buckets']), bucket),
    changeBucket: (id, change, ifMatch) => call('PUT', pathTo(['bkt', id]), change, { ifMatch }),
    deleteBucket: (id) => call('DELETE', pathTo(['bkt', id])),
    folderRules: (bucket, path) => call('GET', pathTo(['bkt', bucket, 'dir', 'rules'], { path })),
    setFolderRules: (bucket, change, ifMatch) =>
      call('PUT', pathTo(['bkt', bucket, 'dir', 'rules']), change, { ifMatch }),
    deleteFolder: (bucket, path, recursive = false) =>
      call('DELETE', pathTo(['bkt', bucket, 'dir'], { path, recursive: recursive ? '1' : undefined })),
    explain: (bucket, path, player) => call('GET', pathTo(['bkt', bucket, 'explain'], { path, player })),
  }
}
