import type { Api, Leaderboard, LeaderboardRules, Mover, MoversPage } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { PlayerLink } from '../components/name.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { csvLine, fileName, saveFile } from '../csv.ts'
import { whole } from '../format.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'

export interface Previewed {
  readonly before: number
  readonly after: number
  readonly changed: number
  readonly movers: readonly Mover[]
  readonly nextOffset: number | null
}

interface RulesPreviewProps {
  readonly api: Api
  readonly board: Leaderboard
  readonly rules: LeaderboardRules
  readonly previewed: Previewed
  readonly onMore: (previewed: Previewed) => void
}

const MOVERS = 100

/** What other rules would change, with the biggest movers; or, after `so`, the next page of those who move. */
export async function readMovers(api: Api, board: string, rules: LeaderboardRules, so?: Previewed): Promise<Previewed> {
  if (so === undefined) {
    const { entries_before: before, entries_after: after, changed, top } = await api.previewRules(board, rules)
    return { before, after, changed, movers: top, nextOffset: top.length < changed ? top.length : null }
  }
  const page = await api.movers(board, rules, { limit: MOVERS, offset: so.nextOffset ?? so.movers.length })
  return {
    before: page.entries_before,
    after: page.entries_after,
    changed: page.changed,
    movers: [...so.movers, ...page.movers],
    nextOffset: page.next_offset,
  }
}

/** What other rules change, in words. */
export function RulesChanges({
  before,
  after,
}: {
  readonly before: LeaderboardRules
  readonly after: LeaderboardRules
}) {
  return (
    <section aria-label={texts.rules.changes}>
      <h3>{texts.rules.changes}</h3>
      <ul class="list">
        {texts.rules.differences(before, after).map((part) => (
          <li key={part.before}>
            <span class="soft">{part.before}</span> <span aria-hidden="true">→</span>{' '}
            <span class="hidden-text">{texts.rules.becomes}</span> <strong>{part.after}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who moves, enters and leaves under other rules. */
export function RulesPreview({ api, board, rules, previewed, onMore }: RulesPreviewProps) {
  const { before, after, changed, movers, nextOffset } = previewed
  const more = async (): Promise<Previewed> => readMovers(api, board.id, rules, previewed)
  const save = async () => {
    const { player, name, before: was, after: is } = texts.rules.csv
    const lines = [csvLine([player, name, was, is])]
    // From the first page on, which begins a new list: what is shown may be too old to be continued.
    for (let offset: number | null = 0; offset !== null; ) {
      const page: MoversPage = await api.movers(board.id, rules, { limit: MOVERS, offset })
      for (const one of page.movers) lines.push(csvLine([one.player, one.player_name, one.before, one.after]))
      offset = page.next_offset
    }
    saveFile(fileName(`${board.name} preview`, 'csv'), lines)
  }
  return (
    <div class="stack" role="status">
      <p>{texts.rules.summary(before, after, changed)}</p>
      {movers.length > 0 && (
        <>
          <MoversTable movers={movers} />
          <div class="actions">
            {nextOffset !== null && (
              <ActionButton onAct={() => runAction(async () => onMore(await more()))}>
                {texts.rules.more(whole(changed - movers.length))}
              </ActionButton>
            )}
            <ActionButton onAct={() => runAction(save)}>{texts.rules.save}</ActionButton>
          </div>
        </>
      )}
    </div>
  )
}

function MoversTable({ movers }: Pick<Previewed, 'movers'>) {
  return (
    <ScrollRegion label={texts.rules.movers} long stacks>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.board.columns.player}</th>
            <th scope="col" class="right">
              {texts.rules.before}
            </th>
            <th scope="col" class="right">
              {texts.rules.after}
            </th>
          </tr>
        </thead>
        <tbody>
          {movers.map((mover) => (
            <tr key={mover.player}>
              <td class="player">
                <PlayerLink id={mover.player} name={mover.player_name} />
              </td>
              <td class="number right" data-head={texts.rules.before}>
                {mover.before === null ? texts.rules.enters : mover.before}
              </td>
              <td class="number right" data-head={texts.rules.after}>
                {mover.after === null ? texts.rules.leaves : mover.after}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
