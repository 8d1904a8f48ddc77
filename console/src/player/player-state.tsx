import type { Player } from '../api.ts'
import { texts } from '../texts.ts'

/** Whether a player is a guest, and whether they are banned. */
export function PlayerState({ player }: { readonly player: Player }) {
  return (
    <>
      {player.guest && <span class="badge">{texts.players.guest}</span>}{' '}
      {player.banned !== null && <span class="badge bad">{texts.players.banned}</span>}
    </>
  )
}
