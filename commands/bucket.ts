// Commands that create, change and delete buckets.

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

/** A bucket and its game. */
export interface BucketRef {
  readonly bucket: string
  readonly game: string
}

const about = ({ bucket: id, game }: BucketRef) => ({ stream: bucketStream(id), game })

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

/** `expect` throws if the bucket has changed since the caller read it. */
export function setBucket(
  deps: CommandDeps,
  ref: BucketRef,
  { change, expect }: { readonly change: BucketChange; readonly expect: (state: Bucket) => void },
  context: CommandContext,
) {
  return deps.handler.handle(bucket, about(ref), context, changeBucket(change, expect))
}

/** Its files and folders are gone at once; a reaction deletes their data. */
export async function removeBucket(deps: CommandDeps, ref: BucketRef, context: CommandContext) {
  const handled = await deps.handler.handle(bucket, about(ref), context, deleteBucket)
  await slots.release(deps, ref.game, { kind: 'buckets', id: ref.bucket, isGone: slots.isEnding(handled) }, context)
  return handled
}
