// What people changed lately in a game, with the present names of who did it and of what it is about.

import type { Bucket } from '../../domain/bucket.ts'
import { unsafeCast } from '../../domain/event.ts'
import { foldedAll, type QueryDeps } from '../deps.ts'

interface Action {
  readonly type: string
  /** ISO 8601. */
  readonly time: string
  /** The prefix of a key. */
  readonly actor: string
  readonly about: keyof typeof VIEW_OF
  readonly id: string
}

const VIEW_OF = {
  game: 'games',
  leaderboard: 'leaderboards',
  player: 'players',
  key: 'keys',
  bucket: 'buckets',
} as const

interface Named {
  readonly name: string | null
}

/** Newest first, at most `limit`. A name is null where there is none any more. */
export async function actionsOf(deps: QueryDeps, game: string, limit: number) {
  const { views, viewKey } = deps
  const find = { view: viewKey('activity'), collection: 'actions', index: 'game', equal: [game], reverse: true, limit }
  const actions = (await views.find(find)).map(({ body }) => unsafeCast<Action>(body))
  const names = await namesOf(deps, [
    ...actions.map(({ about, id }) => ({ about, id })),
    ...actions.map(({ actor }) => ({ about: 'key' as const, id: actor })),
  ])
  return actions.map(({ time, actor, type, about, id }) => ({
    time,
    actor,
    actor_name: names(`key ${actor}`),
    type,
    about: { kind: about, id, name: names(`${about} ${id}`) },
  }))
}

async function namesOf(
  deps: QueryDeps,
  wanted: readonly Pick<Action, 'about' | 'id'>[],
): Promise<(what: string) => string | null> {
  const names = new Map<string, string | null>()
  for (const [about, view] of Object.entries(VIEW_OF)) {
    const ids = [...new Set(wanted.filter((one) => one.about === about).map(({ id }) => id))]
    for (const found of await foldedAll<Named | Bucket>(deps, view, ids)) {
      if (found !== null) names.set(`${about} ${found.id}`, found.state.name)
    }
  }
  return (what) => names.get(what) ?? null
}
