import { PlayerLink } from '../components/name.tsx'
import { usePlayerNames } from './player-names.ts'

/** A player whose id a page knows: by name where the key may read players, else by id. Leads to their page. */
export function PlayerById({ id }: { readonly id: string }) {
  return <PlayerLink id={id} name={usePlayerNames([id]).get(id) ?? null} />
}
