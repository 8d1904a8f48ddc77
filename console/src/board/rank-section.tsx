import type { Api, Leaderboard, Movement } from '../api.ts'
import { Later } from '../components/later.tsx'
import { NumberText } from '../components/number-text.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import type { Mark } from './moment-marks.ts'

interface RankSectionProps {
  readonly api: Api
  readonly board: Leaderboard
  readonly player: string
  /** Of the leaderboard. */
  readonly marks: readonly Mark[]
}

const POINTS = 200

/** A player's rank on a leaderboard over time: as a line, and as a table. */
export function RankSection({ api, board, player, marks }: RankSectionProps) {
  const movement = useLoad(`rank ${board.id} ${player}`, () => api.movement(board.id, player, POINTS), {
    tags: [`board:${board.id}`, `player:${player}`],
  })
  // What happened to other players is not in their line.
  const own = marks.filter((mark) => mark.player === null || mark.player === player)
  return (
    <Shown of={movement}>
      {({ points }) =>
        points.length === 0 ? (
          <p class="soft">{texts.rank.none}</p>
        ) : (
          <>
            <Later name="rank chart" load={() => import('./rank-chart.tsx')}>
              {({ RankChart }) => <RankChart points={points} marks={own} />}
            </Later>
            <details>
              <summary>{texts.rank.asTable}</summary>
              <PointsTable points={points} />
            </details>
          </>
        )
      }
    </Shown>
  )
}

function PointsTable({ points }: Pick<Movement, 'points'>) {
  const { columns } = texts.board
  return (
    <ScrollRegion label={texts.rank.asTable} long stacks>
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.when}</th>
            <th scope="col">{columns.rank}</th>
            <th scope="col">{columns.score}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ time, rank, score }, at) => (
            <tr key={at}>
              <td>
                <Time at={time} />
              </td>
              <td class="number" data-head={columns.rank}>
                {rank === null ? texts.rank.notShown : <NumberText value={rank} />}
              </td>
              <td class="number long" data-head={score === null ? undefined : columns.score}>
                {score !== null && <NumberText value={score} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
