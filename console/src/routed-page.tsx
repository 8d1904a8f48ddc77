import type { ComponentChildren } from 'preact'
import { Later } from './components/later.tsx'
import { PageHead } from './components/page-head.tsx'
import { OverviewPage } from './pages/overview-page.tsx'
import { BASE, type LinkedPage, type Route, to } from './routes.ts'
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
      return session.isOperator && session.game === null ? (
        <RoutedPage session={session} route={{ page: 'games' }} />
      ) : (
        <OverviewPage session={session} />
      )
    case 'leaderboard':
      return (
        <Later name="leaderboard" load={() => LOAD.leaderboard()}>
          {(LeaderboardPage) => <LeaderboardPage session={session} id={route.id} />}
        </Later>
      )
    case 'player':
      return (
        <Later name="player" load={() => LOAD.player()}>
          {(PlayerPage) => <PlayerPage session={session} id={route.id} />}
        </Later>
      )
    case 'unknown':
      return <Unknown />
    default:
      return <SinglePage session={session} page={route.page} />
  }
}

/** Pages that need the session alone. */
type Single = Exclude<LinkedPage, 'start'>

function SinglePage({ session, page }: { readonly session: Session; readonly page: Single }) {
  return (
    <Later name={page} load={() => LOAD[page]()}>
      {(Page) => <Page session={session} />}
    </Later>
  )
}

const LOAD = {
  leaderboard: async () => (await import('./pages/leaderboard-page.tsx')).LeaderboardPage,
  players: async () => (await import('./pages/players-page.tsx')).PlayersPage,
  player: async () => (await import('./pages/player-page.tsx')).PlayerPage,
  leaderboards: async () => (await import('./pages/leaderboards-page.tsx')).LeaderboardsPage,
  games: async () => (await import('./pages/games-page.tsx')).GamesPage,
  files: async () => (await import('./pages/files-page.tsx')).FilesPage,
  rooms: async () => (await import('./pages/rooms-page.tsx')).RoomsPage,
  keys: async () => (await import('./pages/keys-page.tsx')).KeysPage,
  history: async () => (await import('./pages/history-page.tsx')).HistoryPage,
  system: async () => (await import('./pages/system-page.tsx')).SystemPage,
} as const

/** Begins to load the page of a route, while somebody is being signed in. */
export function preload({ page }: Route): void {
  if (page in LOAD) void LOAD[page as keyof typeof LOAD]().catch(() => {})
}

/** The address is of another game than the key. */
export function OtherGame({ game }: { readonly game: string }) {
  return (
    <>
      <PageHead title={texts.pages.otherGame} about={texts.pages.otherGameAbout(game)} />
      <p>
        <a href={BASE}>{texts.pages.toStart}</a>
      </p>
    </>
  )
}

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
