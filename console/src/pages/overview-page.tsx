import { PageHead } from '../components/page-head.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { Actions } from '../overview/actions.tsx'
import { Activity } from '../overview/activity.tsx'
import { Entries } from '../overview/entries.tsx'
import { Pulse } from '../pulse.tsx'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const EVERY_MS = 15_000

/** The start page of a game: how the service is doing, and what happens in the game. */
export function OverviewPage({ session: { api, game } }: { readonly session: Session }) {
  const needed = `gm:${game ?? '<game>'}:history`
  const isPermitted = game !== null && may(needed)
  const overview = useLoad(isPermitted ? `overview ${game}` : null, () => api.overview(game ?? ''), {
    everyMs: EVERY_MS,
    keeps: true,
    tags: ['game', 'board', 'player', 'key', 'bucket', 'view'],
  })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/overview/`,
    typescript: program('overview', [game]),
  }
  const { value } = overview
  return (
    <>
      <PageHead
        title={texts.pages.start}
        about={value === null ? undefined : <AsOf at={value.at} />}
        call={isPermitted ? call : undefined}
      />
      <Pulse api={api} game={game} verified={value === null ? undefined : value.verified} />
      {isPermitted ? (
        <Shown of={overview}>
          {(shown) => (
            <>
              <Activity overview={shown} />
              <div class="overview-lists">
                <Entries title={texts.overview.firsts} entries={shown.firsts} none={texts.overview.noFirsts} />
                <div class="overview-column">
                  <Entries title={texts.overview.unusual} entries={shown.unusual} none={texts.overview.noUnusual} />
                  <Actions actions={shown.actions} />
                </div>
              </div>
            </>
          )}
        </Shown>
      ) : (
        <NoPermission needed={needed} />
      )}
    </>
  )
}

function AsOf({ at }: { readonly at: string }) {
  return (
    <>
      {texts.overview.asOf} <Time at={at} />
    </>
  )
}
