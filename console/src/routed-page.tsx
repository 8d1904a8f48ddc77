import type { ComponentChildren } from 'preact'
import { Later } from './components/later.tsx'
import { PageHead } from './components/page-head.tsx'
import { LeaderboardsPage } from './pages/leaderboards-page.tsx'
import { type Route, to } from './routes.ts'
import type { Session } from './session.ts'
import { texts } from './texts.ts'

interface RoutedPageProps {
  readonly session: Session
  readonly route: Route
}

/** The page of a route. All but the start page are loaded when they are first shown. */
export function RoutedPage({ session, route }: RoutedPageProps): ComponentChildren {
  switch (route.page) {
    case 'start':
      return session.isOperator ? (
        <RoutedPage session={session} route={{ page: 'games' }} />
      ) : (
        <LeaderboardsPage session={session} />
      )
    case 'leaderboards':
      return <LeaderboardsPage session={session} />
    case 'leaderboard':
      return (
        <Later name="leaderboard" load={() => import('./pages/leaderboard-page.tsx')}>
          {({ LeaderboardPage }) => <LeaderboardPage session={session} id={route.id} />}
        </Later>
      )
    case 'players':
      return (
        <Later name="players" load={() => import('./pages/players-page.tsx')}>
          {({ PlayersPage }) => <PlayersPage session={session} />}
        </Later>
      )
    case 'player':
      return (
        <Later name="player" load={() => import('./pages/player-page.tsx')}>
          {({ PlayerPage }) => <PlayerPage session={session} id={route.id} />}
        </Later>
      )
    case 'unknown':
      return <Unknown />
    default:
      return <SinglePage session={session} page={route.page} />
  }
}

type Single = 'games' | 'files' | 'rooms' | 'keys' | 'history' | 'system'

function SinglePage({ session, page }: { readonly session: Session; readonly page: Single }) {
  return (
    <Later name={page} load={() => LOAD[page]()}>
      {(Page) => <Page session={session} />}
    </Later>
  )
}

const LOAD = {
  games: async () => (await import('./pages/games-page.tsx')).GamesPage,
  files: async () => (await import('./pages/files-page.tsx')).FilesPage,
  rooms: async () => (await import('./pages/rooms-page.tsx')).RoomsPage,
  keys: async () => (await import('./pages/keys-page.tsx')).KeysPage,
  history: async () => (await import('./pages/history-page.tsx')).HistoryPage,
  system: async () => (await import('./pages/system-page.tsx')).SystemPage,
} as const

function Unknown() {
  return (
    <>
      <PageHead title={texts.pages.unknown} about={texts.pages.unknownAbout} />
      <p>
        <a href={to.start()}>{texts.pages.toStart}</a>
      </p>
    </>
  )
}
