// Links sign-in methods to a player: a login and an address at registration; the first mailed code confirms the
// address.

import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { type EmailConfirmedData, type Link, linkOf, type TakenOver } from './links.ts'
import type { Player, PlayerEvent } from './player.ts'

interface Registration {
  /** Whether it creates the player. */
  readonly makes: boolean
  /** The name of the created player, or the new name; null: unchanged. */
  readonly name: string | null
  readonly links: readonly Link[]
  /** The session of an existing player; null if unknown, as to a reaction that finishes a call. */
  readonly session: OwnSession | null
}

/** A session's id and when it began (ISO 8601, UTC). */
export interface OwnSession {
  readonly id: string
  readonly started: string
}

/**
 * 409 `already_registered` if the player has another link of the first link's kind; 401 `sign_in_rejected` without a
 * player.
 */
export function register({ makes, name, links, session }: Registration): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const [first] = links
    if (first === undefined) return []
    const added = links.map((data): PlayerEvent => ({ type: 'PlayerLinked', data }))
    const isGone = state === null ? !makes : state.deleted
    if (isGone) throw new Refusal('unauthenticated', 'sign_in_rejected', 'This player no longer exists. Sign in again.')
    if (state === null) {
      return [{ type: 'PlayerCreated', data: { name, guest: false, externalId: null } }, ...added]
    }
    const present = linkOf(state, first.kind)
    if (present?.secret === first.secret) return []
    if (present !== null || (makes && state.takenOver !== null)) throw alreadyRegistered()
    if (!makes && !isOwners(state.takenOver, session)) throw takenOverSince()
    const isNew = (event: PlayerEvent) => event.type !== 'PlayerLinked' || linkOf(state, event.data.kind) === null
    const named: PlayerEvent[] = name === null || name === state.name ? [] : [{ type: 'PlayerNamed', data: { name } }]
    return [...(makes ? [] : named), ...added.filter(isNew)]
  }
}

/** False for a session from before the address owner took the player over: it may no longer add links. */
function isOwners(takenOver: TakenOver | null, session: OwnSession | null): boolean {
  if (takenOver === null) return true
  return session !== null && (session.id === takenOver.session || session.started > takenOver.time)
}

function takenOverSince(): Refusal {
  const detail = 'The owner of this player’s address has signed in since. Sign in again.'
  return new Refusal('unauthenticated', 'sign_in_rejected', detail)
}

export function alreadyRegistered(): Refusal {
  const detail = 'This player has a login already. Sign in with that one, or register without this player’s token.'
  return new Refusal('conflict', 'already_registered', detail)
}

/**
 * Confirms the player's address by a mailed code. Records nothing if it is confirmed; 401 `sign_in_rejected` if it is
 * not theirs.
 */
export function confirmEmail(data: Omit<EmailConfirmedData, 'login'>): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const link = state === null ? null : linkOf(state, 'email')
    if (link === null || link.digest !== data.digest) {
      throw new Refusal(
        'unauthenticated',
        'sign_in_rejected',
        'This address is no longer the player’s. Ask for a new code.',
      )
    }
    if (state === null || link.confirmed) return []
    const voided = data.takesOver ? linkOf(state, 'login') : null
    const login = voided === null ? null : { digest: voided.digest, secret: voided.secret }
    return [{ type: 'PlayerEmailConfirmed', data: { ...data, login } }]
  }
}
