import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'

interface Tab {
  readonly name: string
  readonly content: ComponentChildren
}

interface TabsProps {
  /** What the tabs are about. */
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The name of the tab that is shown; without it the tabs keep it. */
  readonly shown?: string
  readonly onShown?: (name: string) => void
}

const MOVES: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** One of several contents at a time. The arrow keys move between the tabs. */
export function Tabs({ label, tabs, shown, onShown }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [own, setOwn] = useState(tabs[0]?.name ?? '')
  const at = Math.max(
    0,
    tabs.findIndex(({ name }) => name === (shown ?? own)),
  )
  const show = (name: string) => {
    setOwn(name)
    onShown?.(name)
  }
  const onKey = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = (at + move + tabs.length) % tabs.length
    show(tabs[next]?.name ?? '')
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <div class="stack">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => show(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${at}`}>
        {tabs[at]?.content}
      </div>
    </div>
  )
}
