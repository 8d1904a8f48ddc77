import { useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { Name } from '../components/name.tsx'
import { Pager } from '../components/pager.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

interface PlayerPartProps {
  readonly api: Api
  readonly game: string
  readonly player: string
}

const LIMIT = 20

/** A player's entries on all leaderboards. */
export function PlayerEntries({ api, game, player }: PlayerPartProps) {
  const [offset, setOffset] = useState(0)
  const entries = useLoad(`entries ${player} ${offset}`, () => api.entries(game, player, { limit: LIMIT, offset }), {
    keeps: true,
  })
  const { columns } = texts.board
  return (
    <section class="stack" aria-label={texts.players.entries}>
      <h2>{texts.players.entries}</h2>
      <Shown of={entries}>
        {(page) =>
          page.count === 0 ? (
            <p class="soft">{texts.players.noEntries}</p>
          ) : (
            <>
              <ScrollRegion label={texts.players.entries}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{texts.pages.leaderboard}</th>
                      <th scope="col">{columns.rank}</th>
                      <th scope="col" class="right">
                        {columns.score}
                      </th>
                      <th scope="col" class="right">
                        {columns.secondary}
                      </th>
                      <th scope="col">{columns.when}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {page.entries.map((score) => (
                      <tr key={score.id}>
                        <th scope="row">
                          <a href={to.leaderboard(score.leaderboard)}>
                            <Name name={score.leaderboard_name} id={score.leaderboard} />
                          </a>
                        </th>
                        <td class="number">{score.rank}</td>
                        <td class="number right">{score.score}</td>
                        <td class="number right">{score.secondary_score ?? ''}</td>
                        <td>
                          <Time at={score.updated} />
                        </td>
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
