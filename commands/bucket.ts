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
import type { CommandContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
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
  context: CommandContext,
) {
  const id = context.generator.id('bucket')
  await slots.take(deps, game, { kind: 'buckets', id }, context)
  return { id, handled: await deps.handler.handle(bucket, about({ bucket: id, game }), context, createBucket(data)) }
}

/** `expect` refuses when the bucket is not as the caller last saw it. */
export function setBucket(
  deps: CommandDeps,
  place: BucketPlace,
  { change, expect }: { readonly change: BucketChange; readonly expect: (state: Bucket) => void },
  context: CommandContext,
) {
  return deps.handler.handle(bucket, about(place), context, changeBucket(change, expect))
}

/** What is in it is gone with this; a process clears it away. */
export async function removeBucket(deps: CommandDeps, place: BucketPlace, context: CommandContext) {
  const handled = await deps.handler.handle(bucket, about(place), context, deleteBucket)
  await slots.release(deps, place.game, { kind: 'buckets', id: place.bucket, isGone: slots.isEnding(handled) }, context)
  return handled
}
