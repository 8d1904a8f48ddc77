/** What a state is about. */
export type StateKind = 'empty' | 'offline' | 'failed' | 'locked' | 'ended'

/** Lines in a square of 24. */
const LINES: Readonly<Record<StateKind, string>> = {
  empty: 'M4 13h4l1.5 3h5L16 13h4M4 13v5a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-5M4 13l3-8h10l3 8',
  offline: 'M3 3l18 18M5 10a11 11 0 0 1 4-2.4M19 10a11 11 0 0 0-6-2.9M8 14a6 6 0 0 1 4-1.5M12 18.5h.01',
  failed: 'M12 3.5l9.5 16.5h-19zM12 10v4.5M12 17.2h.01',
  locked: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2.5',
  ended: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5V12l3 2',
}

/** Beside the heading of a state, so that states differ at a glance. The heading says the same in words. */
export function StateIcon({ kind }: { readonly kind: StateKind }) {
  return (
    <svg class={`state-icon ${kind}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={LINES[kind]} />
    </svg>
  )
}
