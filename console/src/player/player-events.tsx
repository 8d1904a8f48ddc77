import { Empty, Shown } from '../components/states.tsx'
import { recentEvents } from '../history/event-feed.ts'
import { EventTable } from '../history/event-table.tsx'
import { useNames } from '../history/names.ts'
import { to } from '../routes.ts'
import { may, type Session } from '../session.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

/** The newest events about a player. */
export function PlayerEvents({
  session: { api, game },
  player,
}: {
  readonly session: Session
  readonly player: string
}) {
  const isPermitted = game !== null && may(`gm:${game}:history`)
  const names = useNames(isPermitted ? game : null)
  const read = () => recentEvents(api, game ?? '', { player }, new AbortController().signal)
  const events = useLoad(isPermitted ? `events ${player}` : null, read, {
    keeps: true,
    tags: [`player:${player}`, `session:${player}`, 'board'],
  })
  return (
    <section class="stack" aria-label={texts.players.events}>
      <div class="head">
        <h2>{texts.players.events}</h2>
        {isPermitted && <a href={to.history({ player })}>{texts.players.allEvents}</a>}
      </div>
      {isPermitted ? (
        <Shown of={events}>
          {(list) =>
            list.length === 0 ? <Empty title={texts.history.none} /> : <EventTable names={names} events={list} />
          }
        </Shown>
      ) : (
        <p class="soft">{texts.states.needsPermission(`gm:${game}:history`)}</p>
      )}
    </section>
  )
}
