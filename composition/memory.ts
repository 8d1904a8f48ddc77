// One budget of memory for all that grows with how large leaderboards are, and each consumer's share of it. What one
// bound is for is not for another: so a process stays within its container, whatever is asked of it at the same time.

import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { Role } from '../config.ts'
import { PAGE_CACHE_KIB } from '../stores/embedded/exclusive-database.ts'

/** In bytes. */
interface Limits {
  /** Of the container, or else of the machine. */
  readonly process: number
  /** Of V8's heap: a part of the former, or what `--max-old-space-size` says. */
  readonly heap: number
}

/** Bytes, each for all of its consumer together. 0 where a process has no such consumer. */
export interface Shares {
  /** Indexes of windows (`queries/windows/`). */
  readonly windows: number
  /** Boards of instants that are kept (`queries/past/`). */
  readonly pastKept: number
  /** Boards of instants that are being computed. */
  readonly pastFolds: number
  /** Previews of rule changes (`queries/preview.ts`). */
  readonly previews: number
  /** Histories folded for boards whose rules change (`projections/folds.ts`). */
  readonly ruleFolds: number
  /** Documents held while views are brought along (`projections/memory-budget.ts`). */
  readonly documents: number
  /** Pages of embedded views (`stores/embedded/views.ts`), beside those that any process has. */
  readonly pages: number
}

/** Of the budget, in parts of the sum of those that a process has; who has it; and whether it lies on V8's heap. */
const CONSUMERS: { readonly [Name in keyof Shares]: readonly [parts: number, role: Role, isOnHeap: boolean] } = {
  windows: [4, 'api', false],
  pastKept: [3, 'api', false],
  pastFolds: [2, 'api', false],
  previews: [3, 'api', true],
  ruleFolds: [2, 'projector', true],
  documents: [2, 'projector', true],
  pages: [1, 'projector', false],
}

/** What a process may take: a container's limit, where it has one. */
export function limitsHere(): Limits {
  // Without a limit it is 0, or more than any machine has.
  const constrained = process.constrainedMemory()
  const machine = totalmem()
  const own = constrained > 0 ? Math.min(constrained, machine) : machine
  return { process: own, heap: getHeapStatistics().heap_size_limit }
}

/** Of pages of views: with more than these a write of all that is held would take too long. */
const PAGES_MOST = 64 * 2 ** 20

/** Kibibytes of pages of embedded views: what any process has, and the share. */
export const viewPagesKib = ({ pages }: Shares): number =>
  PAGE_CACHE_KIB + Math.floor(Math.min(pages, PAGES_MOST) / 1_024)

/** The other half is for all else: the program, its caches that are bounded by number, the collector, buffers. */
export const budgetOf = ({ process, heap }: Limits): number => Math.floor(Math.min(process / 2, heap))

/** What the budget comes to for a process of these roles. What lies on the heap is at most half of that. */
export function sharesOf(limits: Limits, roles: ReadonlySet<Role>): Shares {
  const all = Object.entries(CONSUMERS).filter(([, [, role]]) => roles.has(role))
  const sum = (some: typeof all) => some.reduce((parts, [, [own]]) => parts + own, 0)
  const part = budgetOf(limits) / Math.max(1, sum(all))
  const onHeap = sum(all.filter(([, [, , isOnHeap]]) => isOnHeap))
  const partOnHeap = Math.min(part, limits.heap / 2 / Math.max(1, onHeap))
  const shares = all.map(([name, [own, , isOnHeap]]) => [name, Math.floor(own * (isOnHeap ? partOnHeap : part))])
  const none = { windows: 0, pastKept: 0, pastFolds: 0, previews: 0, ruleFolds: 0, documents: 0, pages: 0 }
  return { ...none, ...Object.fromEntries(shares) }
}
