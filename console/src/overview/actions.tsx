import type { Action } from '../api.ts'
import { Name } from '../components/name.tsx'
import { Time } from '../components/time.tsx'
import { isPeopleType } from '../history/people-events.ts'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'

/** What people did, newest first, as sentences. */
export function Actions({ actions }: { readonly actions: readonly Action[] }) {
  const { overview } = texts
  return (
    <section class="stack">
      <div class="head">
        <h2>{overview.actions}</h2>
        <a href={to.history({})}>{overview.allActions}</a>
      </div>
      {actions.length === 0 ? (
        <p class="soft">{overview.noActions}</p>
      ) : (
        <ol class="did panel">
          {actions.map((action) => (
            <li key={`${action.time} ${action.type} ${action.about.id}`}>
              <span class="wrap">
                <Name name={action.actor_name} id={action.actor} />
                {overview.did(verbOf(action.type))}
                <Subject about={action.about} />
              </span>
              <span class="soft small">
                <Time at={action.time} precision="minute" />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const verbOf = (type: string): string => (isPeopleType(type) ? texts.history.people[type].verb : type)

function Subject({ about: { kind, id, name } }: Pick<Action, 'about'>) {
  const shown = <Name name={name} id={kind === 'player' ? texts.overview.deletedPlayer : id} />
  if (kind === 'leaderboard') return <a href={to.leaderboard(id)}>{shown}</a>
  if (kind === 'player' && name !== null) return <a href={to.player(id)}>{shown}</a>
  return shown
}
