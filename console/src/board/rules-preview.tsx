import type {
  Api,
  Leaderboard,
  LeaderboardChange,
  LeaderboardRules,
  Mover,
  MoversPage,
  PodiumPlace,
  PreviewSummary,
  SeasonSchedule,
} from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Name, PlayerLink } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { csvLine, fileName, saveFile } from '../csv.ts'
import { whole } from '../format.ts'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { Moved } from './moved.tsx'
import { sameSchedule } from './season-fields.tsx'
import { sameRules } from './use-rules.ts'

/** What the form of the rules can change. */
export interface RulesTarget {
  readonly rules: LeaderboardRules
  readonly seasons: SeasonSchedule | null
}

export interface Previewed {
  /** The change: from what was in force then to this. */
  readonly own: RulesTarget
  readonly target: RulesTarget
  readonly before: number
  readonly after: number
  readonly changed: number
  readonly summary: PreviewSummary
  readonly movers: readonly Mover[]
  readonly nextOffset: number | null
}

interface RulesPreviewProps {
  readonly api: Api
  readonly board: Leaderboard
  readonly previewed: Previewed
  readonly onMore: (previewed: Previewed) => void
}

const MOVERS = 100
/** Movers shown at first. */
const FIRST = 20

/** What other rules would change, with the biggest movers. */
export async function readPreview(
  api: Pick<Api, 'movers'>,
  board: string,
  { own, target }: Pick<Previewed, 'own' | 'target'>,
): Promise<Previewed> {
  const page = await api.movers(board, changeOf({ own, target }), { limit: FIRST, offset: 0, summary: true })
  const { entries_before: before, entries_after: after, changed, summary, movers, next_offset: nextOffset } = page
  if (summary === undefined) throw new Error(texts.rules.noSummary)
  return { own, target, before, after, changed, summary, movers, nextOffset }
}

/** Sends the rules or the schedule, never both: a call with both is refused with `recut_needed`. */
const changeOf = ({ own, target }: Pick<Previewed, 'own' | 'target'>): LeaderboardChange =>
  sameRules(own.rules, target.rules) ? { seasons: target.seasons } : target.rules

/** The same preview with the next page of those who move. */
async function withMore(api: Pick<Api, 'movers'>, board: string, so: Previewed): Promise<Previewed> {
  const page = await api.movers(board, changeOf(so), { limit: MOVERS, offset: so.nextOffset ?? so.movers.length })
  return { ...so, movers: [...so.movers, ...page.movers], changed: page.changed, nextOffset: page.next_offset }
}

interface RulesChangesProps {
  readonly parts: readonly { readonly before: string; readonly after: string }[]
}

/** What other rules change, in words. */
export function RulesChanges({ parts }: RulesChangesProps) {
  return (
    <section aria-label={texts.rules.changes}>
      <h3>{texts.rules.changes}</h3>
      <ul class="list">
        {parts.map(({ before, after }) => (
          <li key={before}>
            <span class="soft">{before}</span> <span aria-hidden="true">→</span>{' '}
            <span class="hidden-text">{texts.rules.becomes}</span> <strong>{after}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who moves, enters and leaves under other rules. */
export function RulesPreview({ api, board, previewed, onMore }: RulesPreviewProps) {
  const { own, target, before, after, changed, summary, movers, nextOffset } = previewed
  const more = () => runAction(async () => onMore(await withMore(api, board.id, previewed)))
  const save = async () => {
    const { player, name, before: was, after: is } = texts.rules.csv
    const lines = [csvLine([player, name, was, is])]
    // From the first page on, which begins a new list: what is shown may be too old to be continued.
    for (let offset: number | null = 0; offset !== null; ) {
      const page: MoversPage = await api.movers(board.id, changeOf(previewed), { limit: MOVERS, offset })
      for (const one of page.movers) lines.push(csvLine([one.player, one.player_name, one.before, one.after]))
      offset = page.next_offset
    }
    saveFile(fileName(`${board.name} preview`, 'csv'), lines)
  }
  return (
    <div class="stack" role="status">
      <p>{texts.rules.summary(before, after, changed)}</p>
      {!sameSchedule(own.seasons, target.seasons) && (
        <p>
          {[
            ...(own.seasons === null ? [] : [texts.seasons.ends]),
            ...(target.seasons === null ? [] : [texts.seasons.begins]),
          ].join(' ')}
        </p>
      )}
      {!sameRules(own.rules, target.rules) && (
        <>
          <dl class="tiles">
            {(['moved', 'entered', 'left'] as const).map((kind) => (
              <div key={kind} class="tile">
                <dt>{texts.rules.tiles[kind]}</dt>
                <dd class="big">
                  <NumberText value={summary[kind]} />
                </dd>
              </div>
            ))}
          </dl>
          <div class="podiums">
            <Podium title={texts.rules.podium.before} places={summary.podium.before} />
            <span class="podium-arrow" aria-hidden="true">
              →
            </span>
            <Podium title={texts.rules.podium.after} places={summary.podium.after} />
          </div>
        </>
      )}
      {movers.length > 0 && (
        <>
          <MoversTable movers={movers} />
          <div class="actions">
            {nextOffset !== null && (
              <ActionButton onAct={more}>{texts.rules.more(whole(changed - movers.length))}</ActionButton>
            )}
            <ActionButton onAct={() => runAction(save)}>{texts.rules.save}</ActionButton>
          </div>
        </>
      )}
    </div>
  )
}

/** The first three. */
function Podium({ title, places }: { readonly title: string; readonly places: readonly PodiumPlace[] }) {
  return (
    <section class="podium" aria-label={title}>
      <h3>{title}</h3>
      {places.length === 0 ? (
        <p class="soft">{texts.rules.podium.nobody}</p>
      ) : (
        <ol>
          {places.map(({ player, player_name: name, score }, at) => (
            <li key={`${player} ${at}`}>
              <Name name={name} id={player} /> <NumberText value={score} />
            </li>
          ))}
        </ol>
      )}
    </section>
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
            <th scope="col">{texts.rules.move}</th>
          </tr>
        </thead>
        <tbody>
          {movers.map(({ player, player_name: name, before, after }) => (
            <tr key={player}>
              <td class="player">
                <PlayerLink id={player} name={name} />
              </td>
              <td class="right" data-head={texts.rules.before}>
                {before === null ? texts.rules.enters : <NumberText value={before} />}
              </td>
              <td class="right" data-head={texts.rules.after}>
                {after === null ? texts.rules.leaves : <NumberText value={after} />}
              </td>
              <td>
                <Moved before={before} after={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
