import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { CopyCalls } from './copy-calls.tsx'

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
    if (document.activeElement?.matches('input, select, textarea') !== true) ref.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <header class="head">
      <div>
        <h1 ref={ref} tabIndex={-1} class="wrap">
          {heading ?? title}
        </h1>
        {about !== undefined && <p class="soft wrap">{about}</p>}
      </div>
      <div class="actions">
        {children !== undefined && (
          <div class="actions" data-page-actions="">
            {children}
          </div>
        )}
        {call !== undefined && <CopyCalls call={call} />}
      </div>
    </header>
  )
}
