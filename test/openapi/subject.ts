// What one call is about: one of everything that a game has, so that the ids, secrets and paths in a call fit together.

import type { Random } from '../random.ts'
import type { Operation } from './document.ts'
import { type Challenge, type KnownBucket, type KnownGame, type KnownPlayer, take } from './pool.ts'
import { OF_FILES } from './ready.ts'
import { type SubjectSources, valuesOf } from './subject-values.ts'

export interface Subject {
  readonly game: KnownGame
  readonly player: KnownPlayer | null
  readonly bucket: KnownBucket | null
  readonly challenge: Challenge | null
  /** Values by name of field or parameter; a name may have several values to draw from. */
  readonly values: ReadonlyMap<string, () => unknown>
}

export function drawSubject(game: KnownGame, operation: Operation, sources: SubjectSources): Subject {
  const { random } = sources
  const player = random.any(game.players)
  const bucket = drawBucket(game, operation, random)
  const challenge = operation.id === 'redeemChallenge' ? take(game.challenges, random) : null
  const values = new Map(valuesOf({ game, player, bucket }, operation, sources))
  return { game, player, bucket, challenge, values }
}

/** Where the operation is about a file or an upload: a bucket that has some. */
function drawBucket({ buckets }: KnownGame, { id }: Operation, random: Random): KnownBucket | null {
  const fitting = buckets.filter(({ files, uploads }) => {
    if (OF_FILES.includes(id)) return files.length > 0
    return id !== 'completeUpload' || uploads.length > 0
  })
  return random.any(fitting) ?? random.any(buckets)
}

/** The value that a call sends under a name; undefined: only the schema decides. */
export const valueIn = (subject: Subject, name: string): unknown => subject.values.get(name)?.()
