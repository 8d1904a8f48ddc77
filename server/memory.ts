// The memory budget for everything that grows with leaderboard size, divided into one fixed share per consumer. Shares
// are not lent to each other, so a process stays within its container under any mix of requests. Beside it, the sizes
// of the largest caches, by the heap limit.

import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { MAX_CACHED_STATUSES } from '../access/statuses.ts'
import { MAX_CACHED_STREAMS } from '../commands/writer-cache.ts'
import { MAX_CACHED_TOKEN_BYTES } from '../credentials/tokens.ts'
import { CONNECTIONS_PER_PROCESS } from '../http/connections/limits.ts'
import { MAX_CACHED_PAGE_CHARACTERS } from '../queries/scores/text-pages.ts'
import { MAX_CACHED_CHARACTERS } from '../stores/embedded/view-documents.ts'
import type { Role } from './config.ts'

/** In bytes. */
interface Limits {
  /** The setting MEMORY, or else the memory limit of the container, or else the machine's memory. */
  readonly process: number
  /** V8's heap limit: a part of `process`, or the value of `--max-old-space-size`. With MEMORY at most half of it. */
  readonly heap: number
}

/** Bytes per consumer, for all of its instances together. 0 if the process does not run the consumer. */
export interface Shares {
  /** Indexes of windows (`queries/windows/`). */
  readonly windows: number
  /** Cache of leaderboards at past instants (`queries/past/`). */
  readonly pastKept: number
  /** Leaderboards at past instants that are being computed. */
  readonly pastFolds: number
  /** Previews of rule changes (`queries/rule-effect.ts`). */
  readonly previews: number
  /** Histories folded for boards whose rules change (`projections/folds.ts`). */
  readonly ruleFolds: number
  /** Documents held while views are updated (`projections/memory-budget.ts`). */
  readonly documents: number
}

/** Per consumer: its weight, relative to the sum over the process's consumers; its role; whether it uses V8's heap. */
const CONSUMERS: { readonly [Name in keyof Shares]: readonly [parts: number, role: Role, isOnHeap: boolean] } = {
  windows: [4, 'api', false],
  pastKept: [3, 'api', false],
  pastFolds: [2, 'api', false],
  previews: [3, 'api', true],
  ruleFolds: [2, 'projector', true],
  documents: [2, 'projector', true],
}

export interface Memory {
  readonly shares: Shares
  readonly cacheSizes: CacheSizes
  readonly maxConnections: number
  readonly storeSizes: StoreSizes
}

/** `memory`: bytes that the process may use, of what it has; null: all. */
export function memoryHere(roles: ReadonlySet<Role>, memory: number | null): Memory {
  const limits = limitsHere(memory)
  return {
    shares: sharesOf(limits, roles),
    cacheSizes: cacheSizesOf(limits),
    maxConnections: maxConnectionsOf(limits),
    storeSizes: storeSizesOf(limits),
  }
}

/** The limits of this process: the container's, if there is one. `memory`: as for `memoryHere`. */
export function limitsHere(memory: number | null): Limits {
  // Without a limit, constrainedMemory() is 0 or larger than the machine's memory.
  const constrained = process.constrainedMemory()
  const machine = totalmem()
  const own = constrained > 0 ? Math.min(constrained, machine) : machine
  const heap = getHeapStatistics().heap_size_limit
  if (memory === null || memory > own) return { process: own, heap }
  return { process: memory, heap: Math.min(heap, memory / 2) }
}

/** Sizes of the largest caches that grow with the number of callers, in V8's heap. */
export interface CacheSizes {
  readonly tokenBytes: number
  readonly statuses: number
  readonly streams: number
  /** Of cached documents of embedded views, as for `DocumentCaches`. */
  readonly documentCharacters: number
  /** Of pages of scores as texts, as for `createListScores`. */
  readonly pageCharacters: number
}

const FULL_CACHES: CacheSizes = {
  tokenBytes: MAX_CACHED_TOKEN_BYTES,
  statuses: MAX_CACHED_STATUSES,
  streams: MAX_CACHED_STREAMS,
  documentCharacters: MAX_CACHED_CHARACTERS,
  pageCharacters: MAX_CACHED_PAGE_CHARACTERS,
}
/**
 * The heap limit in bytes from which on caches have their full sizes: with 100,000 players on one board they take some
 * 512 MiB, beside the program and the shares on the heap.
 */
const FULL_CACHES_FROM = 1.25 * 2 ** 30
/** What the program needs of the heap itself. */
const PROGRAM_BYTES = 192 * 2 ** 20
/** Of the full sizes, in the smallest heap. */
const MIN_CACHES = 1 / 32

/**
 * In a smaller heap they are smaller by one factor, so that callers leave room for the program and for what is not
 * collected yet: in 512 MiB they have room for 5,900 callers.
 */
export function cacheSizesOf({ heap }: Pick<Limits, 'heap'>): CacheSizes {
  const share = (heap - PROGRAM_BYTES) / (FULL_CACHES_FROM - PROGRAM_BYTES)
  const factor = Math.min(1, Math.max(MIN_CACHES, share))
  const sizes = Object.entries(FULL_CACHES).map(([name, size]) => [name, Math.floor(size * factor)])
  return Object.fromEntries(sizes)
}

/** Heap of a connection with the head of a request that is arriving. */
const CONNECTION_BYTES = 16 * 2 ** 10

/** Connections to a process: they take a third of the heap at most. */
export const maxConnectionsOf = ({ heap }: Pick<Limits, 'heap'>): number =>
  Math.min(CONNECTIONS_PER_PROCESS, Math.floor(heap / 3 / CONNECTION_BYTES))

interface StoreSizes {
  readonly documentCharacters: number
  readonly mappableBytes: number
}

/**
 * Files are mapped up to a third of the memory: the system can cache so much, also while the process uses its budget.
 */
export function storeSizesOf(limits: Limits): StoreSizes {
  const { documentCharacters } = cacheSizesOf(limits)
  return { documentCharacters, mappableBytes: Math.floor(limits.process / 3) }
}

/** Half of the memory. The rest is for the program, caches, the garbage collector and buffers. */
export const budgetOf = ({ process, heap }: Limits): number => Math.floor(Math.min(process / 2, heap))

/** Divides the budget for a process with these roles. Consumers on V8's heap get at most half of the heap limit. */
export function sharesOf(limits: Limits, roles: ReadonlySet<Role>): Shares {
  const all = Object.entries(CONSUMERS).filter(([, [, role]]) => roles.has(role))
  const sum = (some: typeof all) => some.reduce((parts, [, [own]]) => parts + own, 0)
  const part = budgetOf(limits) / Math.max(1, sum(all))
  const onHeap = sum(all.filter(([, [, , isOnHeap]]) => isOnHeap))
  const partOnHeap = Math.min(part, limits.heap / 2 / Math.max(1, onHeap))
  const shares = all.map(([name, [own, , isOnHeap]]) => [name, Math.floor(own * (isOnHeap ? partOnHeap : part))])
  const none = { windows: 0, pastKept: 0, pastFolds: 0, previews: 0, ruleFolds: 0, documents: 0 }
  return { ...none, ...Object.fromEntries(shares) }
}
