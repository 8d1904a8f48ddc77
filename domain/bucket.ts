// A bucket: its name and its limits on stored files and downloads.

import type { Aggregate, Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { streamName } from './streams.ts'

export const bucketStream = (bucket: string): string => streamName('bucket-', bucket)

/** Numbers of bytes and files, integers from 0. A type, not an interface, so that it is assignable to JSON. */
export type BucketLimits = {
  readonly maxBytes: number
  readonly maxFiles: number
  /** Limits of each player. */
  readonly playerMaxBytes: number
  readonly playerMaxFiles: number
  readonly maxFileBytes: number
  /** In a calendar month, UTC. */
  readonly monthlyDownloadBytes: number
}

const MIB = 1024 ** 2

export const NEW_BUCKET: BucketLimits = {
  maxBytes: 1024 * MIB,
  maxFiles: 10_000,
  playerMaxBytes: 16 * MIB,
  playerMaxFiles: 100,
  maxFileBytes: 8 * MIB,
  monthlyDownloadBytes: 10 * 1024 * MIB,
}

interface BucketData {
  readonly name: string
  readonly limits: BucketLimits
}

export type BucketEvent =
  | { readonly type: 'BucketCreated'; readonly data: BucketData }
  | { readonly type: 'BucketConfigured'; readonly data: BucketData }
  | { readonly type: 'BucketDeleted'; readonly data: Readonly<Record<string, never>> }

export interface Bucket extends BucketData {
  readonly created: string
  readonly deleted: boolean
}

export const bucket: Aggregate<Bucket | null, BucketEvent> = {
  name: 'bucket',
  initial: null,
  evolve(state, event, at) {
    if (event.type === 'BucketCreated') return { ...event.data, created: at.time, deleted: false }
    if (state === null) return null
    switch (event.type) {
      case 'BucketConfigured':
        return { ...state, ...event.data }
      case 'BucketDeleted':
        return { ...state, deleted: true }
      default:
        return state
    }
  },
}

export function createBucket(data: BucketData): Decision<Bucket | null, BucketEvent> {
  return (state) => (state === null ? [{ type: 'BucketCreated', data }] : [])
}

export interface BucketChange {
  readonly name?: string | undefined
  readonly limits?: { readonly [L in keyof BucketLimits]?: number | undefined }
}

/** Changes the given fields only. Lower limits delete nothing; they only refuse new files and downloads. */
export function changeBucket(
  change: BucketChange,
  expect: (state: Bucket) => void,
): Decision<Bucket | null, BucketEvent> {
  return (state) => {
    const present = existing(state)
    expect(present)
    const limits = mergeLimits(present.limits, change.limits ?? {})
    const name = change.name ?? present.name
    const isSame = name === present.name && JSON.stringify(limits) === JSON.stringify(present.limits)
    return isSame ? [] : [{ type: 'BucketConfigured', data: { name, limits } }]
  }
}

export const deleteBucket: Decision<Bucket | null, BucketEvent> = (state) => {
  existing(state)
  return [{ type: 'BucketDeleted', data: {} }]
}

/** Keeps the key order of `base`. */
export function mergeLimits(base: BucketLimits, over: NonNullable<BucketChange['limits']>): BucketLimits {
  const { maxBytes, maxFiles, playerMaxBytes, playerMaxFiles, maxFileBytes, monthlyDownloadBytes } = base
  return {
    maxBytes: over.maxBytes ?? maxBytes,
    maxFiles: over.maxFiles ?? maxFiles,
    playerMaxBytes: over.playerMaxBytes ?? playerMaxBytes,
    playerMaxFiles: over.playerMaxFiles ?? playerMaxFiles,
    maxFileBytes: over.maxFileBytes ?? maxFileBytes,
    monthlyDownloadBytes: over.monthlyDownloadBytes ?? monthlyDownloadBytes,
  }
}

export function bucketNotFound(): Refusal {
  return new Refusal('not_found', 'bucket_not_found', 'There is no such bucket.')
}

function existing(state: Bucket | null): Bucket {
  if (state === null || state.deleted) throw bucketNotFound()
  return state
}
