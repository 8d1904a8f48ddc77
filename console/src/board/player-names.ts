// Names of players by their ids, read one by one and kept for the session.

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Api } from '../api.ts'
import { isVisible } from '../format.ts'
import { may } from '../session.ts'

/** Ids whose names are read for one list; the others are shown as ids. */
const READ_MAX = 50
const AT_ONCE = 4
const KEPT_MAX = 2_000

const known = new Map<string, string>()

/** The names that are known. Those of the last ids of the list are read. */
export function usePlayerNames(api: Api, game: string | null, ids: readonly string[]): ReadonlyMap<string, string> {
  const [times, setTimes] = useState(0)
  const wanted = [...new Set(ids)].filter((id) => id !== '').slice(-READ_MAX)
  const key = wanted.join(' ')
  useEffect(() => {
    if (game === null || !may(`gm:${game}:players`)) return
    let over = false
    const missing = key.split(' ').filter((id) => id !== '' && !known.has(id))
    const lane = async () => {
      for (let id = missing.shift(); id !== undefined && !over; id = missing.shift()) {
        // A deleted player has no name.
        const name = await api.player(game, id).then(
          (player) => player.name,
          () => null,
        )
        if (known.size >= KEPT_MAX) known.clear()
        known.set(id, name !== null && isVisible(name) ? name : id)
      }
    }
    if (missing.length > 0)
      void Promise.all(Array.from({ length: AT_ONCE }, lane)).then(() => {
        if (!over) setTimes((before) => before + 1)
      })
    return () => {
      over = true
    }
  }, [api, game, key])
  return useMemo(() => new Map(key.split(' ').map((id) => [id, known.get(id) ?? id])), [key, times])
}
