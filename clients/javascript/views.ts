// Rebuilds of views, for the operator.

import { type Caller, pathTo } from './caller.ts'
import type { VerifyResult } from './verify-shapes.ts'

/** The active builds of the views, and the running rebuild. */
export interface Builds {
  readonly state: 'idle' | 'building' | 'comparing'
  readonly views: readonly string[]
  readonly asked: string | null
  /** Approximate share from 0 to 1; null if nothing is being built. */
  readonly share: number | null
  readonly shown: readonly { readonly view: string; readonly build: number }[]
  readonly way_back: { readonly views: readonly string[]; readonly until: string } | null
  readonly last: {
    readonly views: readonly string[]
    readonly outcome: 'switched' | 'cancelled' | 'failed' | 'taken_back'
    readonly finished: string
    readonly reason: string | null
    readonly documents: number | null
    readonly found: number | null
    readonly differences: VerifyResult['differences']
  } | null
}

/** Operator only. */
export interface ViewsCalls {
  builds(): Promise<Builds>
  /** Default: all views. */
  rebuildViews(views?: readonly string[]): Promise<Builds>
  cancelViews(): Promise<Builds>
  /** Switches back to the builds before the last switch. */
  viewsBack(): Promise<Builds>
  /** Deletes the previous builds; they cannot be restored afterwards. */
  discardPreviousViews(): Promise<Builds>
}

export function viewsCalls(caller: Caller): ViewsCalls {
  const [path, back] = [pathTo(['sys', 'rebuild']), pathTo(['sys', 'rebuild', 'back'])]
  return {
    builds: () => caller.call('GET', path),
    rebuildViews: (views) => caller.call('POST', path, views === undefined ? {} : { views }),
    cancelViews: () => caller.call('DELETE', path),
    viewsBack: () => caller.call('POST', back),
    discardPreviousViews: () => caller.call('DELETE', back),
  }
}
