import { PageHead } from './components/page-head.tsx'
import { LeaderboardPage } from './pages/leaderboard-page.tsx'
import { LeaderboardsPage } from './pages/leaderboards-page.tsx'
import { type Route, to } from './routes.ts'
import type { Session } from './session.ts'
import { texts } from './texts.ts'

/** The page of a route. */
export function RoutedPage({ session, route }: { readonly session: Session; readonly route: Route }) {
  switch (route.page) {
    case 'start':
    case 'leaderboards':
      return <LeaderboardsPage session={session} />
    case 'leaderboard':
      return <LeaderboardPage session={session} id={route.id} />
    default:
      return (
        <>
          <PageHead title={texts.pages.unknown} about={texts.pages.unknownAbout} />
          <p>
            <a href={to.start()}>{texts.pages.toStart}</a>
          </p>
        </>
      )
  }
}
