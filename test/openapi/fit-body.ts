// What the document cannot say about a body: which of its fields exclude each other, and what must be computed.

import type { Signer } from '../front-door/world.ts'
import type { Random } from '../random.ts'
import type { Operation } from './document.ts'
import type { DrawnCaller } from './draw-caller.ts'
import type { Challenge } from './pool.ts'
import type { Subject } from './subject.ts'

interface Fitting {
  readonly subject: Subject
  readonly caller: DrawnCaller
  readonly random: Random
}

type Body = Readonly<Record<string, unknown>>

/** Mostly makes the body one that succeeds; seldom leaves it as it was drawn. */
export function fitted({ id }: Operation, body: unknown, fitting: Fitting): unknown {
  const change = FITS[id]
  if (change === undefined || typeof body !== 'object' || body === null || fitting.random.chance(0.05)) return body
  return change(body as Body, fitting)
}

const FITS: Readonly<Record<string, (body: Body, fitting: Fitting) => Body>> = {
  redeemChallenge: (body, { subject: { challenge } }) =>
    challenge === null ? body : { ...body, ...signedAnswer(challenge.signer, challenge, body) },
  submitScore: ({ player, ...body }, { caller, subject }) =>
    caller.player === null ? { ...body, player: player ?? subject.player?.id } : body,
  createSignInTicket: ({ player, external_id, name }, { random, subject }) =>
    random.chance(0.7)
      ? { player: player ?? subject.player?.id }
      : { external_id: external_id ?? 'steam-1', ...(name !== undefined && { name }) },
  issueKey: ({ public_key, ...body }) =>
    body.algorithm === 'ed25519' && public_key !== undefined ? { ...body, public_key } : body,
  createLeaderboard: withoutEmptyRange,
  updateLeaderboard: withoutEmptyRange,
  previewRules: withoutEmptyRange,
  signInAsGuest: ({ name, guest_token }) => (guest_token === undefined ? { name } : { guest_token }),
  createBucket: ({ name, ...limits }, { random }) => (random.chance(0.7) ? { name } : { name, ...limits }),
  updateGame: ({ sign_in, ...body }, { random }) => (random.chance(0.3) ? { ...body, sign_in } : body),
  updateKey: (body, { subject: { game }, random }) =>
    random.chance(0.5) ? { permissions: [`gm:${game.id}:*`, 'lb:*:*', 'bkt:*:*', 'score:*:*', 'submit_for'] } : body,
}

function signedAnswer(signer: Signer, { requestId, nonce }: Challenge, { unix_ts, permissions = [] }: Body) {
  const asked = [...(permissions as string[])].sort().join('|')
  return { request_id: requestId, challenge: signer.sign(`${requestId}.${nonce}.${unix_ts}.${asked}`) }
}

function withoutEmptyRange({ min_score, max_score, ...body }: Body): Body {
  const isEmpty =
    typeof min_score === 'string' && typeof max_score === 'string' && Number(min_score) > Number(max_score)
  return isEmpty
    ? { ...body, min_score }
    : { ...body, ...(min_score !== undefined && { min_score }), ...(max_score !== undefined && { max_score }) }
}
