// The operator's builds of whole views.

import { type Caller, pathTo } from './caller.ts'
import type { VerifyResult } from './history.ts'

/** How the views stand: which builds are shown, and what is being built. */
export interface Builds {
  readonly state: 'idle' | 'building' | 'comparing'
  readonly views: readonly string[]
  readonly asked: string | null
  /** About, from 0 to 1; null where nothing is being built. */
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
  /** Left out: all views. */
  rebuildViews(views?: readonly string[]): Promise<Builds>
  cancelViews(): Promise<Builds>
  /** Shows again what was shown before the last switch. */
  viewsBack(): Promise<Builds>
  /** Ends the way back. */
  letGoOfViews(): Promise<Builds>
}

export function viewsCalls(caller: Caller): ViewsCalls {
  const [path, back] = [pathTo(['sys', 'rebuild']), pathTo(['sys', 'rebuild', 'back'])]
  return {
    builds: () => caller.call('GET', path),
    rebuildViews: (views) => caller.call('POST', path, views === undefined ? {} : { views }),
    cancelViews: () => caller.call('DELETE', path),
    viewsBack: () => caller.call('POST', back),
    letGoOfViews: () => caller.call('DELETE', back),
  }
}
