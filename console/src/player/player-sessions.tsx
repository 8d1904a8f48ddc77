import { useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { Pager } from '../components/pager.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

interface PlayerSessionsProps {
  readonly api: Api
  readonly game: string
  readonly player: string
}

const LIMIT = 20
const EVERY_MS = 10_000

/** A player's live sessions. */
export function PlayerSessions({ api, game, player }: PlayerSessionsProps) {
  const [offset, setOffset] = useState(0)
  const read = () => api.sessions(game, player, { limit: LIMIT, offset })
  const sessions = useLoad(`sessions ${player} ${offset}`, read, { everyMs: EVERY_MS, keeps: true })
  return (
    <section class="stack" aria-label={texts.players.sessions}>
      <h2>{texts.players.sessions}</h2>
      <Shown of={sessions}>
        {(page) =>
          page.count === 0 ? (
            <p class="soft">{texts.players.noSessions}</p>
          ) : (
            <>
              <ScrollRegion label={texts.players.sessions}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{texts.common.id}</th>
                      <th scope="col">{texts.players.began}</th>
                      <th scope="col">{texts.players.lastUsed}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {page.sessions.map((one) => (
                      <tr key={one.id}>
                        <td class="mono">{one.id}</td>
                        <td>
                          <Time at={one.created} />
                        </td>
                        <td>{one.last_used === null ? texts.players.never : <LastUsed at={one.last_used} />}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
              <Pager page={page} onOffset={setOffset} />
            </>
          )
        }
      </Shown>
    </section>
  )
}

/** A day, or an instant. */
const LastUsed = ({ at }: { readonly at: string }) =>
  at.length === 10 ? <time dateTime={at}>{at}</time> : <Time at={at} />
