import type { ComponentChildren } from 'preact'
import { Unreachable } from '../api.ts'
import { neededOf, problemText } from '../problem-text.ts'
import { texts } from '../texts.ts'
import type { Loaded } from '../use-load.ts'
import { StateIcon } from './state-icon.tsx'

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
