// The current address as a signal. Links inside the console are followed without loading the page again.

import { signal } from '@preact/signals'
import { BASE, type Route, routeOf } from './routes.ts'

const address = () => ({ path: location.pathname, search: location.search })

const here = signal(address())

export const currentRoute = (): Route => routeOf(here.value.path)
export const currentSearch = (): URLSearchParams => new URLSearchParams(here.value.search)

export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  here.value = address()
}

/** Call it once. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    here.value = address()
  })
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
