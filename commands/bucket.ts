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
import type { CommandDeps } from './command-deps.ts'
import type { Intent } from './intent.ts'
import * as slots from './slots.ts'

/** A bucket, and the game it is of. */
export interface BucketPlace {
  readonly bucket: string
  readonly game: string
}

const about = ({ bucket: id, game }: BucketPlace) => ({ stream: bucketStream(id), game })

/** 422 `too_many_buckets`. */
export async function makeBucket(
  deps: CommandDeps,
  game: string,
  data: { readonly name: string; readonly limits: BucketLimits },
  intent: Intent,
) {
  const id = intent.mint.id('bucket')
  await slots.take(deps, game, { kind: 'buckets', id }, intent)
  return { id, handled: await deps.handler.handle(bucket, about({ bucket: id, game }), intent, createBucket(data)) }
}

/** `expect` refuses when the bucket is not as the caller last saw it. */
export function setBucket(
  deps: CommandDeps,
  place: BucketPlace,
  { change, expect }: { readonly change: BucketChange; readonly expect: (state: Bucket) => void },
  intent: Intent,
) {
  return deps.handler.handle(bucket, about(place), intent, changeBucket(change, expect))
}

/** What is in it is gone with this; a process clears it away. */
export async function removeBucket(deps: CommandDeps, place: BucketPlace, intent: Intent) {
  const handled = await deps.handler.handle(bucket, about(place), intent, deleteBucket)
  await slots.release(deps, place.game, { kind: 'buckets', id: place.bucket, isGone: slots.isEnding(handled) }, intent)
  return handled
}
