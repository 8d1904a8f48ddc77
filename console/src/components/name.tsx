import { isVisible } from '../format.ts'
import { to } from '../routes.ts'

interface NameProps {
  readonly name: string | null | undefined
  /** Shown where the name shows nothing. */
  readonly id: string
  /** Shows all of it on several lines, not its beginning on one. */
  readonly whole?: boolean
}

/** A text that a player or tenant wrote, isolated from the text around it. */
export function Name({ name, id, whole = false }: NameProps) {
  if (!name || !isVisible(name)) return <span class="mono">{id}</span>
  return whole ? (
    <bdi class="wrap">{name}</bdi>
  ) : (
    <bdi class="cut" title={name}>
      {name}
    </bdi>
  )
}

/** A player's name, which leads to their page. */
export function PlayerLink({ id, name }: { readonly id: string; readonly name: string | null }) {
  return (
    <a href={to.player(id)}>
      <Name name={name} id={id} />
    </a>
  )
}
