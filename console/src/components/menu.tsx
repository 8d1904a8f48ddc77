import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface MenuItem {
  readonly text: string
  readonly onAct?: () => unknown
  /** Of a link to a page, in place of the action. */
  readonly href?: string
  readonly isDanger?: boolean
}

interface MenuProps {
  /** What the button shows. */
  readonly label: ComponentChildren
  /** What the menu is about, shown on hover. */
  readonly about?: string
  /** Names the button, where what it shows does not. */
  readonly name?: string
  readonly items: readonly MenuItem[]
  readonly look?: string
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A button that opens a menu of actions. It is in the top layer, so that no scrolling part of the page cuts it. */
export function Menu({ label, about, name, items, look = 'quiet' }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  useClosing(button, menu)
  const toggle = () => {
    const [opener, list] = [button.current, menu.current]
    if (opener === null || list === null || list.togglePopover() === false) return
    place(list, opener)
    // At once: the next key is for the menu.
    list.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }
  const act = (item: MenuItem) => {
    menu.current?.hidePopover()
    button.current?.focus()
    item.onAct?.()
  }
  return (
    <>
      <button
        type="button"
        class={look}
        ref={button}
        title={about ?? name}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded="false"
        aria-controls={id}
        onClick={toggle}
      >
        {label}
      </button>
      <div class="menu" id={id} ref={menu} popover="auto" role="menu" tabIndex={-1} onKeyDown={moveInMenu}>
        {items.map((item) => (
          <Item key={item.text} item={item} onAct={act} />
        ))}
      </div>
    </>
  )
}

interface ItemProps {
  readonly item: MenuItem
  readonly onAct: (item: MenuItem) => void
}

function Item({ item, onAct }: ItemProps) {
  const { text, href, isDanger = false } = item
  if (href !== undefined) {
    return (
      <a href={href} role="menuitem" tabIndex={-1}>
        {text}
      </a>
    )
  }
  return (
    <button type="button" role="menuitem" class={isDanger ? 'danger' : ''} tabIndex={-1} onClick={() => onAct(item)}>
      {text}
    </button>
  )
}

/** Moves the focus between the items of an open menu; Tab closes it. */
function moveInMenu(event: TargetedKeyboardEvent<HTMLElement>): void {
  const menu = event.currentTarget
  const all = [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const move = MOVES[event.key]
  if (event.key === 'Tab') menu.hidePopover()
  if (move === undefined || all.length === 0) return
  event.preventDefault()
  // Rows of tables move by the same keys.
  event.stopPropagation()
  all[move(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus()
}

/** Says whether the menu is open, and closes it when the window changes its size. */
function useClosing(button: RefObject<HTMLElement | null>, menu: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const [opener, list] = [button.current, menu.current]
    if (opener === null || list === null) return
    const onToggle = (event: Event) => {
      opener.setAttribute('aria-expanded', String((event as ToggleEvent).newState === 'open'))
    }
    const close = () => list.matches(':popover-open') && list.hidePopover()
    list.addEventListener('toggle', onToggle)
    addEventListener('resize', close)
    return () => {
      list.removeEventListener('toggle', onToggle)
      removeEventListener('resize', close)
    }
  }, [button, menu])
}

const GAP_PX = 4

/** Below the button, or above it where the window ends; within the window. */
function place(menu: HTMLElement, opener: HTMLElement): void {
  const at = opener.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = at.bottom + GAP_PX
  const top = below + height > innerHeight ? Math.max(GAP_PX, at.top - GAP_PX - height) : below
  const left = Math.max(GAP_PX, Math.min(at.right - width, innerWidth - width - GAP_PX))
  menu.style.top = `${top}px`
  menu.style.left = `${left}px`
}
