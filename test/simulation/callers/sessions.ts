// Simulated commands about sessions: renew one, end one, end all of a player's.

import { unsafeCast } from '../../../domain/event.ts'
import { sessionsOf } from '../../../queries/session.ts'
import type { Random } from '../../random.ts'
import type { Model } from '../model/model.ts'
import type { Running } from '../world/node.ts'
import { callRoute } from '../world/routes.ts'
import { isBannedAt, notLetIn } from './bearers.ts'
import { type Bearer, type Known, type Ran, type Saw, type SignedIn, simCommand } from './command.ts'

const anyOf = (random: Random, known: Known) => random.any(known.bearers.slice(-8))

export const refresh = simCommand<SignedIn>({
  name: 'refresh',
  weight: 5,
  generate: anyOf,
  async run(node, { game, refreshToken, player, session, key }, context) {
    const body = { refresh_token: refreshToken }
    await callRoute(node, 'POST /api/gm/:game/player/refresh/', { as: null, game, body }, context)
    const saw: Saw[] = [
      { what: 'the session is open', ofViews: true, holds: (model) => model.isOpen(session) },
      { what: 'the key stands', ofViews: true, holds: (model) => model.keys.get(key)?.revoked === false },
      { what: 'the player may play', ofViews: true, holds: (model) => isAllowed(model, player, context.nowMs) },
    ]
    return { answer: { renewed: session }, written: null, replayed: false, saw }
  },
  apply: () => undefined,
  verdict(model, { player, session, key }, { nowMs }) {
    const isOpen = model.isOpen(session) && model.keys.get(key)?.revoked === false
    const present = model.players.get(player)
    const isIn = isOpen && present !== undefined
    const isBanned = present !== undefined && isBannedAt(present, nowMs)
    return ['nothing', ...(isIn ? [] : ['sign_in_rejected']), ...(isBanned ? ['player_banned'] : [])]
  },
})

function isAllowed(model: Model, player: string, nowMs: number): boolean {
  const present = model.players.get(player)
  return present !== undefined && !isBannedAt(present, nowMs)
}

interface SignOutArgs {
  readonly game: string
  readonly player: string
  readonly as: Bearer
  readonly everywhere: boolean
}

export const signOut = simCommand<SignOutArgs>({
  name: 'sign out',
  weight: 3,
  generate(random, known) {
    const bearer = anyOf(random, known)
    if (bearer === null) return null
    const { refreshToken: _, ...as } = bearer
    return { game: as.game, player: as.player, as, everywhere: random.chance(0.5) }
  },
  async run(node, { game, player, as, everywhere }, context) {
    const call = { as, game, body: { everywhere } }
    const ending = everywhere ? await openOf(node, player, context.nowMs) : []
    const { body, written, replayed } = await callRoute(node, 'POST /api/gm/:game/player/signout/', call, context)
    const { signed_out } = unsafeCast<{ signed_out: number }>(body)
    const own = everywhere ? ending : [as.session ?? '']
    const ran = { written: written ?? null, replayed: replayed === true }
    const counted = everywhere && !ran.replayed ? openAround(player, signed_out) : []
    return { answer: { signedOut: signed_out }, ...ran, saw: [...areOver(own, ran), ...counted] }
  },
  // The same on every repeat, on any node.
  apply(model, { everywhere }, { meta }) {
    return { signedOut: (everywhere ? model.signedOutBy : model.endedBy).get(meta.command) ?? 0 }
  },
  verdict: (model, { as, player }, at) => [...notLetIn(model, as, at), ...notThere(model, player), 'nothing'],
  // Signing out ends the session of the token.
  afterwards: ['token_rejected', 'player_banned'],
})

export const signOutByTenant = simCommand<Omit<SignOutArgs, 'as' | 'everywhere'>>({
  name: 'sign out by tenant',
  weight: 2,
  generate(random, known) {
    const player = random.any(known.players)
    return player && { game: player.game, player: player.id }
  },
  async run(node, { game, player }, context) {
    const call = { as: 'tenant', game, params: { player } } as const
    const ending = await openOf(node, player, context.nowMs)
    const { written, replayed } = await callRoute(node, 'POST /api/gm/:game/players/:player/signout/', call, context)
    const ran = { written: written ?? null, replayed: replayed === true }
    return { answer: { signedOut: true }, ...ran, saw: areOver(ending, ran) }
  },
  apply: () => ({ signedOut: true }),
  verdict: (model, { player }) => [...notThere(model, player), 'nothing'],
})

const notThere = (model: Model, player: string) => (model.players.has(player) ? [] : ['player_not_found'])

const openOf = (node: Running, player: string, nowMs: number) => sessionsOf(node.queries, player, 'open', nowMs)

/**
 * All sessions open before the call are closed when it is answered. A repeat closes none that began after the first.
 */
function areOver(ending: readonly string[], { replayed }: Pick<Ran, 'replayed'>): Saw[] {
  const holds = (model: Model) => replayed || !ending.some((session) => model.isOpen(session))
  return [{ what: `sessions ${ending.join()} are over`, holds }]
}

/** At least the sessions that were open all the time, at most those open at any time: views show no single moment. */
function openAround(player: string, count: number): Saw[] {
  let always: Set<string> | null = null
  const ever = new Set<string>()
  const openIn = (model: Model) =>
    [...model.sessions].flatMap(([id, { player: of }]) => (of === player && model.isOpen(id) ? [id] : []))
  const atLeast = (model: Model) => {
    const open = new Set(openIn(model))
    always = new Set([...(always ?? open)].filter((id) => open.has(id)))
    return always.size <= count
  }
  const atMost = (model: Model) => {
    for (const id of openIn(model)) ever.add(id)
    return ever.size >= count
  }
  return [
    { what: `no more than ${count} sessions were open all the while`, ofViews: true, holds: atLeast },
    { what: `no fewer than ${count} sessions were open at some time`, ofViews: true, holds: atMost },
  ]
}
