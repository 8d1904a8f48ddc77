// Making, changing and deleting buckets.

import {
  type Bucket,
  type BucketChange,
  type BucketLimits,
  bucket,
  bucketStream,
  changeBucket,
  createBucket,
  deleteBucket,
} from '../domain/bucket.ts'
import type { CommandDeps } from './deps.ts'
import type { Intent } from './intent.ts'

/** A bucket, and the game it is of. */
export interface BucketPlace {
  readonly bucket: string
  readonly game: string
}

const about = ({ bucket: id, game }: BucketPlace) => ({ stream: bucketStream(id), game })

export async function makeBucket(
  deps: CommandDeps,
  game: string,
  data: { readonly name: string; readonly limits: BucketLimits },
  intent: Intent,
) {
  const id = intent.mint.id('bucket')
  return { id, handled: await deps.handler.handle(bucket, about({ bucket: id, game }), intent, createBucket(data)) }
}

/** `expect` refuses when the bucket is not as the caller last saw it. */
export function setBucket(
  deps: CommandDeps,
  place: BucketPlace,
  change: BucketChange,
  expect: (state: Bucket) => void,
  intent: Intent,
) {
  return deps.handler.handle(bucket, about(place), intent, changeBucket(change, expect))
}

/** What is in it is gone with this; a process clears it away. */
export function removeBucket(deps: CommandDeps, place: BucketPlace, intent: Intent) {
  return deps.handler.handle(bucket, about(place), intent, deleteBucket)
}
