import type { PlayerEntry } from '../api.ts'
import { Name, PlayerLink } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../routes.ts'

interface EntriesProps {
  readonly title: string
  readonly entries: readonly (PlayerEntry & { readonly reason?: string })[]
  /** Shown if there are no entries. */
  readonly none: string
}

/** Entries of several leaderboards. The name of the leaderboard opens the entry there. */
export function Entries({ title, entries, none }: EntriesProps) {
  return (
    <section class="stack">
      <h2>{title}</h2>
      {entries.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <ol class="entries panel" aria-label={title}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <PlayerLink id={entry.player} name={entry.player_name} />
              <span class="wrap score">
                <NumberText value={entry.score} />
              </span>
              <span class="soft small">
                <a href={to.leaderboard(entry.leaderboard, { row: entry.id })}>
                  <Name name={entry.leaderboard_name} id={entry.leaderboard} />
                </a>
              </span>
              <span class="soft small when">
                <Time at={entry.updated} precision="minute" />
              </span>
              {entry.reason !== undefined && <span class="soft small wrap reason">{entry.reason}</span>}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
