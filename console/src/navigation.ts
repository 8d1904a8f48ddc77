// The current address as a signal. Links inside the console are followed without loading the page again.

import { signal } from '@preact/signals'
import { BASE, gameIn, isOfInstallation, linkedGame, type Route, routeOf } from './routes.ts'

const address = () => ({ path: location.pathname, search: location.search })

/** Until `followLinks`, the start page. */
const here = signal({ path: BASE, search: '' })

export const currentRoute = (): Route => routeOf(here.value.path)
export const currentSearch = (): URLSearchParams => new URLSearchParams(here.value.search)
/** The game that the address names, for the operator. */
export const currentGame = (): string | null => gameIn(currentSearch())

/** The game whose page the address names, for the operator; null on the pages of the installation. */
export const shownGame = (): string | null => (isOfInstallation(currentRoute(), currentGame()) ? null : currentGame())

function move(to: ReturnType<typeof address>): void {
  linkedGame.value = gameIn(new URLSearchParams(to.search))
  here.value = to
}

/** Browsers refuse more than 100 to 200 changes of the address in 30 seconds. */
const REPLACED_EVERY_MS = 300

/** The href that the browser shows late, while a slider moves. */
let waiting: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let replacedMs = Number.NEGATIVE_INFINITY

/** `replace`: Back does not return to the address before. */
export function go(href: string, { replace = false } = {}): void {
  if (replace) replaceSoon(href)
  else {
    flush()
    history.pushState(null, '', href)
  }
  const { pathname, search } = new URL(href, location.origin)
  move({ path: pathname, search })
}

function replaceSoon(href: string): void {
  waiting = href
  const leftMs = replacedMs + REPLACED_EVERY_MS - performance.now()
  if (leftMs <= 0) flush()
  else timer ??= setTimeout(flush, leftMs)
}

/** Shows in the browser what is in `here`. */
function flush(): void {
  clearTimeout(timer)
  timer = undefined
  if (waiting === null) return
  history.replaceState(null, '', waiting)
  waiting = null
  replacedMs = performance.now()
}

/** Takes the address from the browser, from now on. Call it once. */
export function followLinks(): void {
  move(address())
  addEventListener('popstate', () => {
    // What was not written yet belonged to the step that was left.
    waiting = null
    move(address())
  })
  addEventListener('pagehide', flush)
  addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = (event.target as Element | null)?.closest('a')
    if (link?.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!link.pathname.startsWith(BASE) || link.getAttribute('href')?.startsWith('#') === true) return
    event.preventDefault()
    go(link.pathname + link.search)
    scrollTo(0, 0)
  })
}
