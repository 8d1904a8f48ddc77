// Routes to create, list, read, change and delete buckets.

import { z } from 'zod'
import { makeBucket, removeBucket, setBucket } from '../../commands/bucket.ts'
import { type Bucket, type BucketLimits, mergeLimits, NEW_BUCKET } from '../../domain/bucket.ts'
import { bucketAnswer, type FoundBucket, listBuckets } from '../../queries/bucket.ts'
import { fields, name, nullAsLeftOut } from '../fields.ts'
import { checkIfMatch, etagOf } from '../pipeline/etag.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownBucket } from './file-access.ts'
import { bucketShape, bucketsShape } from './file-shapes.ts'
import { ownGame } from './own.ts'
import { deletedShape } from './shapes.ts'

/** 1 PiB: sums of many limits stay exact as doubles. */
const LIMIT_MAX = 2 ** 50

const WRONG_LIMIT = `must be a whole number from 0 to ${LIMIT_MAX}`
const limit = z.int(WRONG_LIMIT).min(0, WRONG_LIMIT).max(LIMIT_MAX, WRONG_LIMIT)
const limits = <Field extends z.ZodType>(field: Field) => ({
  max_bytes: field,
  max_files: field,
  player_max_bytes: field,
  player_max_files: field,
  max_file_bytes: field,
  monthly_download_bytes: field,
})
const newBucket = fields({ name, ...limits(nullAsLeftOut(limit)) })
const change = fields({ name: name.optional(), ...limits(limit.optional()) })

type Deps = Pick<RouteDeps, 'commands' | 'queries'>

export function bucketRoutes(deps: Deps): Route[] {
  return [
    listBucketsRoute(deps),
    createBucketRoute(deps),
    getBucketRoute(deps),
    updateBucketRoute(deps),
    deleteBucketRoute(deps),
  ]
}

const listBucketsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/gm/:game/buckets/',
    summary: 'List a game’s buckets',
    needs: { permission: 'gm:{game}:buckets' },
    tenantOnly: false,
    records: false,
    answers: { 200: bucketsShape },
    async handle({ caller, params }) {
      const { id } = await ownGame(deps, caller, params.game ?? '')
      return { status: 200, body: { buckets: await listBuckets(deps.queries, id) } }
    },
  })

const createBucketRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/api/gm/:game/buckets/',
    summary: 'Create a bucket',
    needs: { permission: 'gm:{game}:configure' },
    tenantOnly: true,
    records: true,
    body: newBucket,
    answers: { 201: bucketShape },
    refusals: ['too_many_buckets'],
    async handle({ caller, params, body, context }) {
      const { id: game } = await ownGame(deps, caller, params.game ?? '')
      const data = { name: body.name, limits: mergeLimits(NEW_BUCKET, limitsOf(body)) }
      const { id, handled } = await makeBucket(deps.commands, game, data, context)
      const state = handled.after as Bucket
      const fresh = { id, game, state, bytes: 0, files: 0, month: '', downloaded: 0 }
      const { written, replayed } = handled
      return { status: 201, body: bucketAnswer(fresh, context.nowMs), written, replayed }
    },
  })

const getBucketRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/api/bkt/:bucket/',
    summary: 'Read a bucket',
    needs: { permission: 'bkt:{bucket}:details' },
    tenantOnly: false,
    records: false,
    answers: { 200: bucketShape },
    async handle({ caller, params, context }) {
      const bucket = await ownBucket(deps, caller, params.bucket ?? '')
      return { status: 200, body: bucketAnswer(bucket, context.nowMs), headers: { ETag: bucketTag(bucket.state) } }
    },
  })

const updateBucketRoute = (deps: Deps) =>
  route({
    method: 'PUT',
    path: '/api/bkt/:bucket/',
    summary: 'Change the name and the limits of a bucket',
    needs: { permission: 'bkt:{bucket}:configure' },
    tenantOnly: true,
    records: true,
    body: change,
    answers: { 200: bucketShape },
    refusals: ['precondition_failed'],
    async handle({ caller, params, body, ifMatch, context }) {
      const found = await ownBucket(deps, caller, params.bucket ?? '', context.repeated)
      const expect = (state: Bucket) => checkIfMatch(ifMatch, bucketTag(state))
      const wanted = { name: body.name, limits: limitsOf(body) }
      const ref = { bucket: found.id, game: found.game }
      const { after, written, replayed } = await setBucket(deps.commands, ref, { change: wanted, expect }, context)
      const state = after as Bucket
      const changed: FoundBucket = { ...found, state }
      const headers = { ETag: bucketTag(state) }
      return { status: 200, body: bucketAnswer(changed, context.nowMs), headers, written, replayed }
    },
  })

const deleteBucketRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/api/bkt/:bucket/',
    summary: 'Delete a bucket with all its folders and files',
    needs: { permission: 'bkt:{bucket}:configure' },
    tenantOnly: true,
    records: true,
    answers: { 200: deletedShape },
    async handle({ caller, params, context }) {
      if (context.repeated) return { status: 200, body: { deleted: params.bucket }, replayed: true }
      const { id, game } = await ownBucket(deps, caller, params.bucket ?? '')
      const { written, replayed } = await removeBucket(deps.commands, { bucket: id, game }, context)
      return { status: 200, body: { deleted: id }, written, replayed }
    },
  })

function limitsOf(body: z.output<typeof change>): { readonly [L in keyof BucketLimits]: number | undefined } {
  return {
    maxBytes: body.max_bytes,
    maxFiles: body.max_files,
    playerMaxBytes: body.player_max_bytes,
    playerMaxFiles: body.player_max_files,
    maxFileBytes: body.max_file_bytes,
    monthlyDownloadBytes: body.monthly_download_bytes,
  }
}

/** ETag of the fields that a tenant sets, without the usage counters. */
function bucketTag({ name: shown, limits: all }: Bucket): string {
  return etagOf({ name: shown, limits: all })
}
