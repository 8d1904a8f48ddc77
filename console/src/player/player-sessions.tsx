import type { Api } from '../api.ts'
import { PagedTable } from '../components/paged-table.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { wholeNumber } from '../parameters.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

interface PlayerSessionsProps {
  readonly api: Api
  readonly game: string
  readonly player: string
}

const LIMIT = 20
const SHOWN = { sessions: wholeNumber() }
const EVERY_MS = 10_000

/** A player's live sessions. */
export function PlayerSessions({ api, game, player }: PlayerSessionsProps) {
  const [{ sessions: offset }, setShown] = useAddress(SHOWN)
  const read = () => api.sessions(game, player, { limit: LIMIT, offset })
  const sessions = useLoad(`sessions ${player} ${offset}`, read, {
    everyMs: EVERY_MS,
    keeps: true,
    tags: [`session:${player}`, `player:${player}`],
  })
  return (
    <section class="stack" aria-label={texts.players.sessions}>
      <h2>{texts.players.sessions}</h2>
      <Shown of={sessions}>
        {(page) =>
          page.count === 0 ? (
            <p class="soft">{texts.players.noSessions}</p>
          ) : (
            <PagedTable
              label={texts.players.sessions}
              columns={[{ head: texts.common.id }, { head: texts.players.began }, { head: texts.players.lastUsed }]}
              page={page}
              onOffset={(next) => setShown({ sessions: next })}
            >
              {page.sessions.map((one) => (
                <tr key={one.id}>
                  <td class="mono">{one.id}</td>
                  <td data-head={texts.players.began}>
                    <Time at={one.created} />
                  </td>
                  <td data-head={texts.players.lastUsed}>
                    {one.last_used === null ? texts.players.never : <LastUsed at={one.last_used} />}
                  </td>
                </tr>
              ))}
            </PagedTable>
          )
        }
      </Shown>
    </section>
  )
}

/** A day, or an instant. */
const LastUsed = ({ at }: { readonly at: string }) =>
  at.length === 10 ? <time dateTime={at}>{at}</time> : <Time at={at} />
