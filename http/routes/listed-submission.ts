// A submission of a list on the wire: the fields of a single one (score-fields.ts), with its leaderboard and a key of
// its own.

import { z } from 'zod'
import { externalId, fields, idText, nullAsLeftOut } from '../fields.ts'
import { validated } from '../pipeline/input.ts'
import { malformed } from '../problem.ts'
import { newScore } from './score-fields.ts'

export const listedSubmission = fields({
  leaderboard: idText.meta({ description: 'The id or the key of the leaderboard.' }),
  ...newScore.shape,
  external_id: nullAsLeftOut(externalId).meta({
    description: 'Your own id of the player, in place of `player`. One of the two is needed.',
  }),
  idempotency_key: nullAsLeftOut(
    z.string('must be text').regex(/^[ -~]{1,255}$/, 'must be 1 to 255 printable ASCII characters'),
  ).meta({ description: 'Records this submission at most once, like the header Idempotency-Key for a single one.' }),
}).meta({ id: 'NewSubmission' })

export type SentSubmission = z.output<typeof listedSubmission>

/** Throws 400 `malformed`. */
export function submissionIn(given: unknown): SentSubmission {
  const sent = validated(listedSubmission, given, 'submission')
  const { player, external_id } = sent
  if (player === undefined && external_id === undefined) {
    throw malformed([{ pointer: '/player', detail: 'is missing: give player or external_id' }], 'The submission')
  }
  if (player !== undefined && external_id !== undefined) {
    const detail = 'cannot be combined with player: leave out one of them'
    throw malformed([{ pointer: '/external_id', detail }], 'The submission')
  }
  return sent
}
