import { to } from '../routes.ts'
import { Name } from './name.tsx'

export function PlayerLink({ id, name }: { readonly id: string; readonly name: string | null }) {
  return (
    <a href={to.player(id)}>
      <Name name={name} id={id} />
    </a>
  )
}
