import type { Api } from '../api.ts'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { wholeNumber } from '../parameters.ts'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { useAddress } from '../use-address.ts'
import { useLoad } from '../use-load.ts'

interface PlayerPartProps {
  readonly api: Api
  readonly game: string
  readonly player: string
}

const LIMIT = 20
const SHOWN = { entries: wholeNumber() }

/** A player's entries on all leaderboards. */
export function PlayerEntries({ api, game, player }: PlayerPartProps) {
  const [{ entries: offset }, setShown] = useAddress(SHOWN)
  const entries = useLoad(`entries ${player} ${offset}`, () => api.entries(game, player, { limit: LIMIT, offset }), {
    keeps: true,
    tags: [`player:${player}`, 'board'],
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
            <PagedTable
              label={texts.players.entries}
              columns={[
                { head: texts.pages.leaderboard },
                { head: columns.rank },
                { head: columns.score, isRight: true },
                { head: columns.secondary, isRight: true },
                { head: columns.when },
              ]}
              page={page}
              onOffset={(next) => setShown({ entries: next })}
            >
              {page.entries.map((score) => (
                <tr key={score.id}>
                  <th scope="row">
                    <a href={to.leaderboard(score.leaderboard)}>
                      <Name name={score.leaderboard_name} id={score.leaderboard} />
                    </a>
                  </th>
                  <td class="number" data-head={columns.rank}>
                    <NumberText value={score.rank} />
                  </td>
                  <td class="number long right" data-head={columns.score}>
                    <NumberText value={score.score} />
                  </td>
                  <td
                    class="number long right"
                    data-head={score.secondary_score === null ? undefined : columns.secondary}
                  >
                    {score.secondary_score !== null && <NumberText value={score.secondary_score} />}
                  </td>
                  <td>
                    <Time at={score.updated} />
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
