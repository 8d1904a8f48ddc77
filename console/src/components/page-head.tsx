import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { session } from '../session.ts'
import { curlCommand, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { ActionButton } from './action-button.tsx'

interface PageHeadProps {
  /** The name of the page, for the window. */
  readonly title: string
  /** What the heading shows instead of the title. */
  readonly heading?: ComponentChildren
  readonly about?: ComponentChildren
  readonly call?: ShownCall | undefined
  readonly children?: ComponentChildren
}

/** The heading of a page, which gets the focus when the page opens, its actions, and the call that it shows. */
export function PageHead({ title, heading, about, call, children }: PageHeadProps) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) return
    if (!document.activeElement.matches('input, select, textarea')) ref.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <header class="stack">
      <div class="head">
        <div>
          <h1 ref={ref} tabIndex={-1} class="wrap">
            {heading ?? title}
          </h1>
          {about !== undefined && <p class="soft wrap">{about}</p>}
        </div>
        <div class="actions">{children}</div>
      </div>
      {call !== undefined && <CopyCalls call={call} />}
    </header>
  )
}

/** Copies the call that a page shows, as a command and as a program. */
function CopyCalls({ call }: { readonly call: ShownCall }) {
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text)
    toast(what)
  }
  const asCurl = async () => {
    const token = await session.value?.api.token()
    if (token !== undefined) await copy(curlCommand(location.origin, call, token), texts.copy.curlDone)
  }
  return (
    <div class="actions">
      <ActionButton look="minor" onAct={asCurl}>
        {texts.copy.curl}
      </ActionButton>
      <ActionButton look="minor" onAct={() => copy(call.typescript(location.origin), texts.copy.typescriptDone)}>
        {texts.copy.typescript}
      </ActionButton>
      <span class="soft small">{texts.copy.note}</span>
    </div>
  )
}
