import { useEffect, useRef, useState } from 'preact/hooks'
import { Failed, Loading } from './components/states.tsx'
import { GameNavigation } from './game-navigation.tsx'
import { currentGame, currentRoute, go, shownGame } from './navigation.ts'
import { OtherGame, RoutedPage } from './routed-page.tsx'
import { GAME_PAGES, isOfInstallation, type LinkedPage, OPERATOR_PAGES, type Route, to } from './routes.ts'
import { SearchButton } from './search/search-button.tsx'
import { endsSession, enterGame, lastGame, login, type Session, session, signOut } from './session.ts'
import { texts } from './texts.ts'
import { ThemeField } from './theme-field.tsx'
import { ToastList } from './toasts.tsx'

/** The page under whose link a route belongs. */
function linkOf(route: Route, isInGame: boolean): LinkedPage | null {
  if (route.page === 'start') return isInGame ? 'start' : 'games'
  if (route.page === 'leaderboard') return 'leaderboards'
  if (route.page === 'player') return 'players'
  return route.page === 'unknown' ? null : route.page
}

/** Navigation, who is signed in, and the page. */
export function Frame() {
  const who = login.value
  const route = currentRoute()
  const main = useRef<HTMLElement>(null)
  useEffect(() => main.current?.scrollTo(0, 0), [route.page, 'id' in route ? route.id : ''])
  if (who === null) return null
  const game = who.isOperator ? shownGame() : who.game
  const isInGame = game !== null || !who.isOperator
  const current = linkOf(route, isInGame)
  return (
    <div class="frame">
      <header class="side">
        <a class="skip" href="#main">
          {texts.common.skip}
        </a>
        <a class="brand" href={to.start()}>
          <img src="/console/favicon.svg" alt="" />
          <span class={game === null ? '' : 'wide-only'}>{texts.product}</span>
        </a>
        {game !== null && <GameNavigation key={game} game={game} isOperator={who.isOperator} />}
        <SearchButton />
        <div class="strip">
          <nav aria-label={texts.common.navigation}>
            {isInGame && <Links pages={GAME_PAGES} current={current} />}
            {who.isOperator && <Links pages={OPERATOR_PAGES} current={current} />}
          </nav>
          <div class="who">
            <span class="mono who-key" title={who.prefix ?? undefined}>
              {who.prefix ?? texts.signIn.byLink}
            </span>
            <ThemeField />
            <button type="button" onClick={() => signOut()}>
              {texts.signIn.signOut}
            </button>
          </div>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <ConnectionNotice />
        <Place route={route} />
      </main>
      <ToastList />
    </div>
  )
}

interface LinksProps {
  readonly pages: readonly LinkedPage[]
  readonly current: LinkedPage | null
}

function Links({ pages, current }: LinksProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (current !== null)
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <ul ref={list}>
      {pages.map((page) => (
        <li key={page}>
          <a href={to.page(page)} aria-current={page === current ? 'page' : undefined}>
            {texts.pages[page]}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The page, once the operator has a token of its game. */
function Place({ route }: { readonly route: Route }) {
  const who = login.value
  const here = session.value
  const game = currentGame()
  const isOutside =
    who?.isOperator === true && game === null && !isOfInstallation(route, game) && route.page !== 'unknown'
  useEffect(() => {
    const last = lastGame()
    // An address without a game, of somebody who signs in with a key of it.
    if (isOutside && last !== null) go(withGame(last), { replace: true })
  }, [isOutside])
  if (who === null) return null
  if (!who.isOperator && game !== null && who.game !== null && game !== who.game) return <OtherGame game={game} />
  if (isOutside) return here === null ? null : <RoutedPage key="games" session={here} route={{ page: 'games' }} />
  if (here === null) return game === null ? null : <Entering key={game} game={game} />
  return <RoutedPage key={keyOf(route, here)} session={here} route={route} />
}

/** State of a page is not kept over a change of the page, the game or the id. */
const keyOf = (route: Route, { game }: Session): string => `${game} ${route.page} ${'id' in route ? route.id : ''}`

function withGame(game: string): string {
  const search = new URLSearchParams(location.search)
  search.set('game', game)
  return `${location.pathname}?${search}`
}

/** Gets a token of the game for the operator. */
function Entering({ game }: { readonly game: string }) {
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    setError(null)
    enterGame(game).catch((failure: unknown) => {
      if (!endsSession(failure)) setError(failure)
    })
  }, [game, tries])
  return error === null ? <Loading /> : <Failed error={error} onRetry={() => setTries(tries + 1)} />
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
