import type { ComponentChildren } from 'preact'
import { Unreachable } from '../api.ts'
import { neededOf, problemText } from '../problem-text.ts'
import { texts } from '../texts.ts'
import type { Loaded } from '../use-load.ts'

/** While nothing was read yet. */
export function Loading() {
  return (
    <div class="stack" role="status" aria-label={texts.states.loading}>
      <div class="skeleton" />
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** There is nothing yet: what that means, and what to do first. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="state">
      <StateIcon kind="empty" />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** The key lacks a permission. */
export function NoPermission({ needed }: { readonly needed: string }) {
  return (
    <div class="state locked">
      <StateIcon kind="locked" />
      <h2>{texts.states.noPermission}</h2>
      <p>{texts.states.needsPermission(needed)}</p>
      <p class="soft">{texts.states.askForPermission}</p>
    </div>
  )
}

/** A read failed, and there is nothing older to show. */
export function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const needed = neededOf(error)
  if (needed !== null) return <NoPermission needed={needed} />
  const isOffline = error instanceof Unreachable
  return (
    <div class={`state ${isOffline ? 'offline' : 'bad'}`} role="alert">
      <StateIcon kind={isOffline ? 'offline' : 'failed'} />
      <h2>{isOffline ? texts.states.offlineTitle : texts.states.failed}</h2>
      <p>{problemText(error)}</p>
      <button type="button" onClick={onRetry}>
        {texts.common.retry}
      </button>
    </div>
  )
}

interface ShownProps<Value> {
  readonly of: Loaded<Value>
  readonly children: (value: Value) => ComponentChildren
}

/** What was read; or that it is being read, or why that failed. What was read before stays, with a warning. */
export function Shown<Value>({ of, children }: ShownProps<Value>) {
  if (of.value === null) {
    return of.error === null ? <Loading /> : <Failed error={of.error} onRetry={of.reload} />
  }
  return (
    <>
      {of.error !== null && (
        <div class="message bad" role="alert">
          <span>{texts.states.stale(problemText(of.error))}</span>
          <button type="button" class="quiet" onClick={of.reload}>
            {texts.common.retry}
          </button>
        </div>
      )}
      {children(of.value)}
    </>
  )
}

/** What a state is about. */
type StateKind = 'empty' | 'offline' | 'failed' | 'locked' | 'ended'

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

/** Why an action failed, in words; nothing where it did not. */
export function Problem({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p class="message bad wrap" role="alert">
      {text}
    </p>
  )
}
