import type { Api, Leaderboard, RankedScore, ScoresPage, ScoresQuery } from '../api.ts'
import { NumberText } from '../components/number-text.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'
import { type RowActions, RowLink } from './board-table.tsx'
import { Moved } from './moved.tsx'

interface CompareTableProps {
  readonly api: Api
  readonly board: Leaderboard
  /** The instants that are compared, ISO 8601; null: now. */
  readonly shown: string | null
  readonly other: string | null
  /** The query of the table at an instant, without filters. */
  readonly query: (instant: string | null) => ScoresQuery
  readonly queryKey: string
  readonly offset: number
  readonly onOffset: (offset: number) => void
  readonly actions: RowActions
}

const LIMIT = 50
const LOOKUPS_AT_ONCE = 4
const ENTRIES_MAX = 100
const LIVE_MS = 5_000

interface Pair {
  readonly before: RankedScore | null
  readonly after: RankedScore | null
}

interface Compared {
  readonly page: Pick<ScoresPage, 'count' | 'offset' | 'limit' | 'next_offset'>
  readonly pairs: readonly Pair[]
}

/** A leaderboard at two instants in one table, in the order of the later one. */
export function CompareTable(props: CompareTableProps) {
  const { api, board, shown, other, query, queryKey, offset, onOffset, actions } = props
  const [earlier, later] = isEarlier(shown, other) ? [shown, other] : [other, shown]
  const key = `compare ${board.id} ${queryKey} ${earlier} ${later} ${offset}`
  const read = () => compared(api, board, { before: query(earlier), after: query(later), offset })
  const pairs = useLoad(key, read, {
    keeps: true,
    tags: [`board:${board.id}`, 'player'],
    ...(later === null ? { everyMs: LIVE_MS } : {}),
  })
  const { columns, compared: words } = texts.board
  return (
    <Shown of={pairs}>
      {({ page, pairs: rows }) => (
        <>
          <p class="soft">
            {words.from} <InstantText instant={earlier} /> {words.to} <InstantText instant={later} />
          </p>
          <PagedTable
            label={words.table}
            columns={[
              { head: words.rankAfter },
              { head: words.moved },
              { head: columns.player },
              { head: words.scoreAfter, isRight: true },
              { head: words.rankBefore },
              { head: words.scoreBefore, isRight: true },
            ]}
            page={page}
            onOffset={onOffset}
          >
            {rows.map(({ before, after }) => {
              const one = after ?? before
              if (one === null) return null
              return (
                <tr key={one.id}>
                  <td class="number" data-head={after === null ? undefined : words.rankAfter}>
                    {after === null ? <span class="soft">{words.gone}</span> : <NumberText value={after.rank} />}
                  </td>
                  <td>
                    {before === null ? (
                      <span class="moved up">{words.added}</span>
                    ) : (
                      <Moved before={before.rank} after={after?.rank ?? null} />
                    )}
                  </td>
                  <th scope="row">
                    <RowLink score={one} actions={actions} />
                  </th>
                  <td class="number long right" data-head={after === null ? undefined : words.scoreAfter}>
                    {after !== null && <NumberText value={after.score} />}
                  </td>
                  <td class="number" data-head={before === null ? undefined : words.rankBefore}>
                    {before !== null && <NumberText value={before.rank} />}
                  </td>
                  <td class="number long right" data-head={before === null ? undefined : words.scoreBefore}>
                    {before !== null && <NumberText value={before.score} />}
                  </td>
                </tr>
              )
            })}
          </PagedTable>
        </>
      )}
    </Shown>
  )
}

const InstantText = ({ instant }: { readonly instant: string | null }) =>
  instant === null ? <span>{texts.board.now}</span> : <Time at={instant} />

const isEarlier = (a: string | null, b: string | null): boolean => a !== null && (b === null || a <= b)

interface ComparedQueries {
  readonly before: ScoresQuery
  readonly after: ScoresQuery
  readonly offset: number
}

/** A page of the later state with the entries' ranks in the earlier one; on the first page also who left the top. */
async function compared(api: Api, board: Leaderboard, { before, after, offset }: ComparedQueries): Promise<Compared> {
  const [now, then] = await Promise.all([
    api.scores(board.id, { ...after, limit: LIMIT, offset }),
    api.scores(board.id, { ...before, limit: LIMIT, offset }),
  ])
  const idOf = (score: RankedScore) => (board.unique ? score.player : score.id)
  const other = async (score: RankedScore, page: ScoresPage, query: ScoresQuery) =>
    page.scores.find((one) => idOf(one) === idOf(score)) ?? entryIn(api, board, score, query)
  const pairs: Pair[] = await eachOf(now.scores, async (score) => ({
    before: await other(score, then, before),
    after: score,
  }))
  const listed = new Set(now.scores.map(idOf))
  const gone = await eachOf(
    then.scores.filter((score) => !listed.has(idOf(score))),
    async (score) => ({ before: score, after: await entryIn(api, board, score, after) }),
  )
  return { page: now, pairs: [...pairs, ...gone.filter((pair) => pair.after === null)] }
}

/** The entry in another state; null if it is not there. */
async function entryIn(api: Api, board: Leaderboard, score: RankedScore, query: ScoresQuery) {
  const limit = board.unique ? 1 : ENTRIES_MAX
  const { scores } = await api.scores(board.id, { ...query, player: score.player, limit })
  return scores.find(({ id }) => board.unique || id === score.id) ?? null
}

/** The results in order, of a few calls at a time. */
async function eachOf<Item, Result>(items: readonly Item[], call: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += LOOKUPS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + LOOKUPS_AT_ONCE).map(call))))
  return results
}
