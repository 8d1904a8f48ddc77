// The common part of all simulated sign-in methods: the call, the session that it begins, and its answer.

import { keyedIds } from '../../../credentials/command-ids.ts'
import { unsafeCast } from '../../../domain/event.ts'
import type { Random } from '../../random.ts'
import type { Model, ModelSignIn } from '../model/model.ts'
import { KEYS } from '../world/node.ts'
import { callRoute } from '../world/routes.ts'
import { mayNotPlay, notLetIn, notOpen } from './bearers.ts'
import { type Bearer, type CallTime, type Known, type Saw, type SimCommand, simCommand } from './command.ts'

export interface SignInArgs {
  readonly game: string
  readonly as: Bearer
}

interface SignInMethod<Args extends SignInArgs> {
  readonly name: string
  readonly weight: number
  readonly method: keyof ModelSignIn
  /** The last segment of the route's path. */
  readonly path: string
  generate(random: Random, known: Known): Args | null
  body(args: Args, known: Known): object
  readonly network?: (args: Args) => string
  /** The codes with which the proof is refused, in one state. */
  refused(model: Model, args: Args, at: CallTime): readonly string[]
  /** Whether the proof still identifies this player, in one state. If omitted, a proof stays valid. */
  isStillValid?(model: Model, args: Args, player: string): boolean
  /** Called with each event that the call recorded. */
  recorded?(model: Model, args: Args, event: Parameters<SimCommandApply>[1]): void
  readonly afterwards?: readonly string[]
  /** Whether the answer shows the player as this call created or linked them, despite later changes. */
  readonly isOfThen?: boolean
}

type SimCommandApply = NonNullable<ReturnType<SimCommand['draw']>>['apply']

interface Body {
  readonly player: { readonly id: string; readonly name: string | null }
  readonly refresh_token: string
  readonly expires_at: number
  readonly guest_token?: string
}

/** Ids and secrets of a command, derived as from an Idempotency-Key. */
export const generatorOf = (command: string) => keyedIds(KEYS.generator, '', null, command).generator

export function signInCommand<Args extends SignInArgs>(spec: SignInMethod<Args>): SimCommand {
  const { name, weight, method, path, generate } = spec
  return simCommand<Args>({
    name,
    weight,
    generate,
    async run(node, args, context, known) {
      const { game, as } = args
      const network = spec.network?.(args) ?? '192.0.2.1'
      const call = { as, game, body: spec.body(args, known), network }
      const answer = await callRoute(node, `POST /api/gm/:game/player/${path}`, call, context)
      const { player, refresh_token: refreshToken, expires_at: expiresAt, guest_token } = unsafeCast<Body>(answer.body)
      const session = refreshToken.split('.')[0] ?? ''
      known.bearers.push({ game, key: as.key, player: player.id, session, expiresAt, refreshToken })
      known.sessions.push({ id: session, game, player: player.id })
      if (!known.players.some(({ id }) => id === player.id)) known.players.push({ id: player.id, game })
      if (guest_token !== undefined) known.guestTokens.push({ game, token: guest_token, player: player.id })
      const answered = { player: player.id, session, status: answer.status }
      const replayed = answer.replayed === true
      // A repeat gets the first answer, with the player as created or linked then, even if only the session is started
      // again.
      const shown = answer.status === 201 || spec.isOfThen ? { id: player.id, name: null } : player
      const saw = replayed ? [] : seenBy(spec, args, shown, session, context.nowMs)
      return { answer: answered, written: answer.written ?? null, replayed, saw }
    },
    apply(model, args, event) {
      spec.recorded?.(model, args, event)
      if (event.type !== 'SessionStarted') return undefined
      const { player } = unsafeCast<{ player: string }>(event.data)
      const session = event.stream.slice('session-'.length)
      return { player, session, status: player === generatorOf(event.meta.command).id('player') ? 201 : 200 }
    },
    verdict(model, args, at) {
      return [...notLetIn(model, args.as, at), ...notOpen(model, args.game, method), ...spec.refused(model, args, at)]
    },
    afterwards: ['token_rejected', 'sign_in_method_off', ...(spec.afterwards ?? [])],
  })
}

function seenBy<Args extends SignInArgs>(
  { isStillValid }: SignInMethod<Args>,
  args: Args,
  { id, name }: Body['player'],
  session: string,
  nowMs: number,
): Saw[] {
  const mayPlay = (model: Model) => mayNotPlay(model, id, { nowMs }).length === 0
  const isNamed = (model: Model) => name === null || [name, null].includes(model.players.get(id)?.name ?? null)
  const isIn = (model: Model) => !model.isOpen(session) || isStillValid?.(model, args, id) !== false
  return [
    { what: 'the player may play', holds: mayPlay },
    { what: `the player is called ${name}`, holds: isNamed },
    {
      what: 'what lets the player in stands once the session has begun',
      holds: (model) => isBegun(model) && isIn(model),
    },
  ]
  function isBegun(model: Model): boolean {
    return model.sessions.has(session)
  }
}
