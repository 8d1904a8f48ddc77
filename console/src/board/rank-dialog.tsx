import type { Api, Movement, RankedScore } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { Later } from '../components/later.tsx'
import { Name } from '../components/name.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Empty, Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

interface RankDialogProps {
  readonly api: Api
  readonly board: string
  readonly score: RankedScore
  readonly onClose: () => void
}

const POINTS = 200

/** A player's rank on a leaderboard over time: as a line, and as a table. */
export function RankDialog({ api, board, score, onClose }: RankDialogProps) {
  const movement = useLoad(`rank ${board} ${score.player}`, () => api.movement(board, score.player, POINTS))
  const title = (
    <>
      {texts.rank.title} <Name name={score.player_name} id={score.player} whole />
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} wide>
      <Shown of={movement}>
        {({ points }) =>
          points.length === 0 ? (
            <Empty title={texts.rank.none} />
          ) : (
            <>
              <Later name="rank chart" load={() => import('./rank-chart.tsx')}>
                {({ RankChart }) => <RankChart points={points} />}
              </Later>
              <details>
                <summary>{texts.rank.asTable}</summary>
                <PointsTable points={points} />
              </details>
            </>
          )
        }
      </Shown>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  )
}

function PointsTable({ points }: Pick<Movement, 'points'>) {
  return (
    <ScrollRegion label={texts.rank.asTable} long stacks>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.board.columns.when}</th>
            <th scope="col">{texts.board.columns.rank}</th>
            <th scope="col">{texts.board.columns.score}</th>
          </tr>
        </thead>
        <tbody>
          {points.map((point, at) => (
            <tr key={at}>
              <td>
                <Time at={point.time} />
              </td>
              <td class="number" data-head={texts.board.columns.rank}>
                {point.rank ?? texts.rank.notShown}
              </td>
              <td class="number long" data-head={point.score === null ? undefined : texts.board.columns.score}>
                {point.score}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
