import { useEffect, useState } from 'preact/hooks'
import { currentRoute } from './navigation.ts'
import { RoutedPage } from './routed-page.tsx'
import { type PageName, type Route, to } from './routes.ts'
import { type Session, signOut } from './session.ts'
import { texts } from './texts.ts'

type Linked = Exclude<PageName, 'leaderboard' | 'player'>

const TENANT_PAGES: readonly Linked[] = ['leaderboards', 'players', 'files', 'rooms', 'keys', 'history']
const OPERATOR_PAGES: readonly Linked[] = ['games', 'system']

/** The page under whose link a route belongs. */
function linkOf(route: Route, isOperator: boolean): Linked | null {
  if (route.page === 'start') return isOperator ? 'games' : 'leaderboards'
  if (route.page === 'leaderboard') return 'leaderboards'
  if (route.page === 'player') return 'players'
  return route.page === 'unknown' ? null : route.page
}

/** Navigation, who is signed in, and the page. */
export function Frame({ session }: { readonly session: Session }) {
  const route = currentRoute()
  const current = linkOf(route, session.isOperator)
  const pages = session.isOperator ? OPERATOR_PAGES : TENANT_PAGES
  return (
    <div class="frame">
      <header class="side">
        <a class="skip" href="#main">
          {texts.common.skip}
        </a>
        <a class="brand" href={to.start()}>
          <img src="/console/favicon.svg" alt="" />
          {texts.product}
        </a>
        <nav aria-label={texts.common.navigation}>
          <ul>
            {pages.map((page) => (
              <li key={page}>
                <a href={to.page(page)} aria-current={page === current ? 'page' : undefined}>
                  {texts.pages[page]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <span class="mono who-key" title={session.prefix ?? undefined}>
            {session.prefix ?? texts.signIn.byLink}
          </span>
          <button type="button" onClick={() => signOut()}>
            {texts.signIn.signOut}
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ConnectionNotice />
        <RoutedPage key={`${route.page} ${'id' in route ? route.id : ''}`} session={session} route={route} />
      </main>
    </div>
  )
}

/** Says that the browser has no network. What was read stays on the page. */
function ConnectionNotice() {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const check = () => setOnline(navigator.onLine)
    addEventListener('online', check)
    addEventListener('offline', check)
    return () => {
      removeEventListener('online', check)
      removeEventListener('offline', check)
    }
  }, [])
  return isOnline ? null : (
    <p class="message bad" role="alert">
      {texts.states.noNetwork}
    </p>
  )
}
