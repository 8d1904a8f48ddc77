// Simulated sign-in methods: as a guest, by registering, by password, by a mailed code, by the tenant's ticket.

import { toBase64url } from '../../../credentials/text.ts'
import { unsafeCast } from '../../../domain/event.ts'
import type { Random } from '../../random.ts'
import type { Model } from '../model/model.ts'
import { callRoute } from '../world/routes.ts'
import { claimOn, deviceOf, isBannedAt, linkedBy, mayNotPlay, notLetIn, notOpen } from './bearers.ts'
import { type Bearer, type Known, simCommand } from './command.ts'
import { generatorOf, type SignInArgs, signInCommand } from './sign-in.ts'

/** Few logins, so that many callers want the same one. */
const LOGINS = ['ADA', 'BO']
const PASSWORDS = ['first password', 'second password']
const NAMES = ['Ada', 'Bo', 'Çelik', '日本']
const NETWORKS = ['192.0.2.1', '192.0.2.2']

/** Each address belongs to one game, so that a mail shows the game. */
const emailsOf = (game: string): string[] => ['ada', 'bo'].map((local) => `${local}@${game}.example`)

/** A device without a signed-in player, or one with a player. */
function anyBearer(random: Random, known: Known, signedIn: number): Bearer | null {
  const bearer = random.chance(signedIn) ? random.any(known.bearers.slice(-6)) : null
  if (bearer === null) return deviceOf(random, known)
  const { refreshToken: _, ...as } = bearer
  return as
}

const banned = (model: Model, player: string, nowMs: number): string[] => {
  const present = model.players.get(player)
  return present !== undefined && isBannedAt(present, nowMs) ? ['player_banned'] : []
}

export const newGuest = signInCommand<SignInArgs & { readonly name: string | null }>({
  name: 'guest sign-in',
  weight: 4,
  method: 'guest',
  path: 'guest/',
  generate(random, known) {
    const as = deviceOf(random, known)
    return as && { game: as.game, as, name: random.chance(0.5) ? random.pick(NAMES) : null }
  },
  body: ({ name }) => (name === null ? {} : { name }),
  refused: () => [],
})

export const knownGuest = signInCommand<SignInArgs & { readonly token: string; readonly player: string }>({
  name: 'guest comes back',
  weight: 3,
  method: 'guest',
  path: 'guest/',
  generate(random, known) {
    const guest = random.any(known.guestTokens)
    const as = deviceOf(random, known)
    return guest && as && { game: as.game, as, token: guest.token, player: guest.player }
  },
  body: ({ token }) => ({ guest_token: token }),
  refused(model, { game, player }, { nowMs }) {
    const present = model.players.get(player)
    const isOut = present === undefined || present.game !== game || present.takenOver !== null
    return [...(isOut ? ['sign_in_rejected'] : []), ...banned(model, player, nowMs)]
  },
  isStillValid: (model, _args, player) => model.players.get(player)?.takenOver === null,
})

interface Registration extends SignInArgs {
  readonly login: string
  readonly password: string
  readonly name: string | null
  readonly email: string | null
}

export const register = signInCommand<Registration>({
  name: 'register',
  weight: 8,
  method: 'password',
  path: 'register/',
  isOfThen: true,
  generate(random, known) {
    const as = anyBearer(random, known, 0.5)
    if (as === null) return null
    const name = random.chance(0.3) ? random.pick(NAMES) : null
    const email = random.chance(0.6) ? random.pick(emailsOf(as.game)) : null
    return { game: as.game, as, login: random.pick(LOGINS), password: random.pick(PASSWORDS), name, email }
  },
  body: ({ login, password, name, email }) => ({ login, password, ...(name && { name }), ...(email && { email }) }),
  refused(model, { game, as, login }, at) {
    const codes = model.claims.has(claimOn('login', game, login)) ? ['login_taken'] : []
    if (as.player === null) return codes
    const present = model.players.get(as.player)
    if (present?.links.some(({ kind }) => kind === 'login')) codes.push('already_registered')
    if (present !== undefined && present.takenOver !== null) codes.push('sign_in_rejected')
    return [...codes, ...mayNotPlay(model, as.player, at)]
  },
  recorded(model, { password }, { type, data }) {
    const { kind, secret } = unsafeCast<{ kind: string; secret: string }>(data)
    if (type === 'LoginClaimed' && kind === 'login') model.passwords.set(secret, password)
  },
  isStillValid: (model, { game, login }, player) => linkedBy(model, 'login', game, login)?.id === player,
  // It may have claimed the login and released it.
  afterwards: ['already_registered'],
})

export const byPassword = signInCommand<SignInArgs & { login: string; password: string; network: string }>({
  name: 'password sign-in',
  weight: 8,
  method: 'password',
  path: 'password/',
  generate(random, known) {
    const as = deviceOf(random, known)
    if (as === null) return null
    const [login, password, network] = [random.pick(LOGINS), random.pick(PASSWORDS), random.pick(NETWORKS)]
    return { game: as.game, as, login, password, network }
  },
  body: ({ login, password }) => ({ login, password }),
  network: ({ network }) => network,
  refused(model, { game, login, password }, { nowMs }) {
    const holder = linkedBy(model, 'login', game, login)
    const codes = holder?.password === password ? [] : ['sign_in_rejected']
    // short-lived.ts checks the limits on failed attempts.
    return [...codes, 'rate_limited', ...(holder === null ? [] : banned(model, holder.id, nowMs))]
  },
  isStillValid(model, { game, login, password }, player) {
    const holder = linkedBy(model, 'login', game, login)
    return holder?.id === player && holder.password === password
  },
})

export const mailCode = simCommand<SignInArgs & { readonly email: string }>({
  name: 'mail code',
  weight: 5,
  generate(random, known) {
    const as = deviceOf(random, known)
    return as && { game: as.game, as, email: random.pick(emailsOf(as.game)) }
  },
  async run(node, { game, as, email }, context) {
    await callRoute(node, 'POST /api/gm/:game/player/code/', { as, game, body: { email } }, context)
    return { answer: { mailed: true }, written: null, replayed: false }
  },
  apply: () => ({ mailed: true }),
  verdict: (model, { game, as }, at) => [
    ...notLetIn(model, as, at),
    ...notOpen(model, game, 'code'),
    'rate_limited',
    'nothing',
  ],
})

export interface CodeArgs extends SignInArgs {
  readonly email: string
  /** The mail whose code is used. */
  readonly mail: number
  readonly isWrong: boolean
}

export const byCode = signInCommand<CodeArgs>({
  name: 'code sign-in',
  weight: 9,
  method: 'code',
  path: 'code/verify/',
  generate(random, known) {
    if (known.mailed.length === 0) return null
    const mail = Math.max(0, known.mailed.length - 1 - (random.chance(0.7) ? 0 : random.below(4)))
    const { email } = known.mailed[mail] ?? { email: '' }
    const game = email.slice(email.indexOf('@') + 1, -'.example'.length)
    const as = anyBearer(random, known, 0.3)
    return as?.game === game ? { game, as, email, mail, isWrong: random.chance(0.25) } : null
  },
  body({ email, mail, isWrong }, known) {
    const code = Number(known.mailed[mail]?.code)
    return { email, code: String(isWrong ? (code + 1) % 1_000_000 : code).padStart(6, '0') }
  },
  refused(model, { game, email }, { nowMs }) {
    const holder = linkedBy(model, 'email', game, email)
    // short-lived.ts checks which code is valid.
    return ['sign_in_rejected', ...(holder === null ? [] : banned(model, holder.id, nowMs))]
  },
  isStillValid: (model, { game, email }, player) => linkedBy(model, 'email', game, email)?.id === player,
})

interface TicketWish {
  readonly game: string
  readonly player: string | null
  readonly externalId: string
}

export const makeTicket = simCommand<TicketWish>({
  name: 'make ticket',
  weight: 6,
  generate(random, known) {
    const player = random.chance(0.6) ? random.any(known.players) : null
    const game = player?.game ?? random.any(known.games)
    return game === null ? null : { game, player: player?.id ?? null, externalId: `ext ${random.below(4)}` }
  },
  async run(node, { game, player, externalId }, context, known) {
    const body = player === null ? { external_id: externalId } : { player }
    const path = 'POST /api/gm/:game/player/ticket/'
    const answer = await callRoute(node, path, { as: 'tenant', game, body }, context)
    const { ticket } = unsafeCast<{ ticket: string }>(answer.body)
    known.tickets.push({ game, player, ticket })
    return { answer: { ticket }, written: answer.written ?? null, replayed: answer.replayed === true }
  },
  apply: (_model, _args, { meta }) => ({ ticket: toBase64url(generatorOf(meta.command).secret('ticket')) }),
  verdict(model, { game, player }) {
    const codes = player !== null && model.players.get(player)?.game !== game ? ['unknown_player'] : []
    return [...notOpen(model, game, 'ticket'), ...codes, 'nothing']
  },
  afterwards: ['sign_in_method_off'],
})

export interface TicketArgs extends SignInArgs {
  readonly ticket: string
  readonly player: string | null
}

export const redeemTicket = signInCommand<TicketArgs>({
  name: 'redeem ticket',
  weight: 9,
  method: 'ticket',
  path: 'ticket/redeem/',
  generate(random, known) {
    const made = random.any(known.tickets.slice(-4))
    const key = known.keys.find(({ game }) => game === made?.game)
    if (made === null || key === undefined) return null
    const as = { game: key.game, key: key.prefix, player: null, session: null, expiresAt: 0 }
    return { game: key.game, as, ticket: made.ticket, player: made.player }
  },
  body: ({ ticket }) => ({ ticket }),
  // short-lived.ts checks whether the ticket is valid.
  refused: (model, { player }, { nowMs }) => [
    'sign_in_rejected',
    ...(player === null ? ['player_banned'] : banned(model, player, nowMs)),
  ],
})
