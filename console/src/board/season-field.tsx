import { useEffect, useState } from 'preact/hooks'
import type { Season } from '../api.ts'
import { SelectField } from '../components/fields.tsx'
import { Time } from '../components/time.tsx'
import { localDays } from '../format.ts'
import { texts } from '../texts.ts'
import { seasonOf } from './board-query.ts'

interface SeasonFieldProps {
  /** Newest first. */
  readonly seasons: readonly Season[]
  /** As in the address: empty for all time. */
  readonly season: string
  readonly onSeason: (season: string) => void
}

type ListedSeason = Pick<Season, 'season' | 'state' | 'starts' | 'ends'>

/**
 * The options for seasons, newest first. After the end of the open season n, until it is closed, `current` is n + 1 for
 * the server, which does not list it yet.
 */
export function seasonOptions(seasons: readonly ListedSeason[], isOpenOver: boolean) {
  return seasons.flatMap(({ season, state, starts, ends }) => {
    const past = { value: String(season), text: texts.seasons.past(season, localDays(starts, ends)) }
    if (state !== 'open') return [past]
    const current = { value: 'current', text: texts.seasons.open(isOpenOver ? season + 1 : season) }
    return isOpenOver ? [current, past] : [current]
  })
}

/** Chooses all time or a season, and says when it ends or when it was. */
export function SeasonField({ seasons, season, onSeason }: SeasonFieldProps) {
  const open = seasons.find(({ state }) => state === 'open')
  const isOpenOver = useHasPassed(open?.ends)
  const chosen = seasonOf(season) === null ? '' : season
  const known = seasonOptions(seasons, isOpenOver)
  const isListed = chosen === '' || known.some(({ value }) => value === chosen)
  const number = seasonOf(season)
  const shown = seasons.find((one) => (number === 'current' ? one === open && !isOpenOver : one.season === number))
  return (
    <div class="season-field">
      <SelectField
        label={texts.seasons.field}
        value={chosen}
        options={[
          { value: '', text: texts.seasons.all },
          ...known,
          ...(isListed ? [] : [{ value: chosen, text: texts.seasons.other(chosen) }]),
        ]}
        onValue={onSeason}
      />
      {shown !== undefined && shown !== open ? (
        <p class="soft small">
          {texts.seasons.from} <Time at={shown.starts} precision="minute" /> {texts.seasons.to}{' '}
          <Time at={shown.ends} precision="minute" />
        </p>
      ) : (
        open !== undefined && <Countdown season={open} />
      )}
    </div>
  )
}

const SECOND_MS = 1_000

/** Whether the browser's clock has passed an instant; false for none. */
function useHasPassed(iso: string | undefined): boolean {
  const hasPassed = () => iso !== undefined && Date.parse(iso) <= Date.now()
  const [, setPassed] = useState(hasPassed)
  useEffect(() => {
    // Not one timer for all the time: the longest is 24 days.
    const timer = setInterval(() => setPassed(hasPassed()), SECOND_MS)
    return () => clearInterval(timer)
  }, [iso])
  return hasPassed()
}

/** How long the open season lasts. */
function Countdown({ season: { season, ends } }: { readonly season: Season }) {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Date.parse(ends) - nowMs
  return (
    <p class="soft small countdown">
      {leftMs <= 0 ? texts.seasons.ending(season) : texts.seasons.endsIn(season, leftOf(leftMs))}
      {' · '}
      <Time at={ends} precision="minute" />
    </p>
  )
}

/** The two largest units, as `2 d 4 h` or `3 min 20 s`. */
function leftOf(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS)
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const
  const at = units.findIndex(([size]) => seconds >= size)
  return units
    .slice(at, at + 2)
    .map(
      ([size, unit], place) =>
        `${Math.floor(place === 0 ? seconds / size : (seconds % (units[at]?.[0] ?? 1)) / size)} ${unit}`,
    )
    .join(' ')
}
