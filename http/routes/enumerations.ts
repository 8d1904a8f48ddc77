// Enumerations that several bodies and answers have. Each has one name, so that a generated client has one type of it.

import { z } from 'zod'
import { LEVELS } from '../../domain/folder-rules.ts'

export const ordering = z
  .enum(['desc', 'asc'], 'must be desc (highest first) or asc (lowest first)')
  .meta({ id: 'Ordering', description: 'desc: the highest is first; asc: the lowest is first.' })

export const keep = z.enum(['best', 'latest', 'total'], 'must be best, latest or total').meta({
  id: 'Keep',
  description: 'Which of a player’s submissions an entry shows: the best, the latest, or the sum of all.',
})

export const keyKind = z.enum(['server', 'client'], 'must be server or client').meta({
  id: 'KeyKind',
  description: 'server: for your own servers. client: built into the game, so everybody can read it.',
})

export const keyAlgorithm = z
  .enum(['hmac-sha256', 'ed25519'], 'must be hmac-sha256 or ed25519')
  .meta({ id: 'KeyAlgorithm', description: 'How the key signs challenges.' })

export const accessLevel = z
  .enum(LEVELS, `must be one of ${LEVELS.join(', ')}`)
  .meta({ id: 'AccessLevel', description: 'Whom a rule of a folder admits.' })
