import { PlayerLink } from '../components/name.tsx'
import { may, session } from '../session.ts'
import { useInvalidated } from '../tags.ts'
import { useLoad } from '../use-load.ts'
import { forgetPlayerNames, playerName } from './player-names.ts'

/** A player whose id a page knows: by name where the key may read players, else by id. Leads to their page. */
export function PlayerById({ id }: { readonly id: string }) {
  const here = session.value
  const game = here?.game ?? null
  const isPermitted = game !== null && may(`gm:${game}:players`)
  useInvalidated([`player:${id}`], forgetPlayerNames)
  const name = useLoad(
    isPermitted ? `name ${id}` : null,
    async () => (here === null || game === null ? null : playerName(here.api, game, id)),
    { keeps: true, tags: [`player:${id}`] },
  )
  return <PlayerLink id={id} name={name.value} />
}
