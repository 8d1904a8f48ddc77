// Fields that several events have.

import { z } from 'zod'
import { LEVELS } from '../../domain/rules.ts'

export const count = z.int().nonnegative()
export const idOf = (what: string) => z.string().meta({ description: `The id of ${what}.` })
export const maybeIdOf = (what: string, otherwise: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The id of ${what}; null: ${otherwise}.` })
export const time = (about: string) => z.string().meta({ description: `${about} ISO 8601, UTC.`, format: 'date-time' })
export const text = (about: string) => z.string().meta({ description: about })
export const maybeText = (about: string) => z.string().nullable().meta({ description: about })
export const bytes = (about: string) => count.meta({ description: about })

/** Text of a player. */
export const personal = (about: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${about} Null once the player is deleted, or if there was none.` })

export const decimal = (about: string) =>
  z.string().meta({
    description: `${about} An exact decimal as text.`,
    pattern: '^-?(0|[1-9][0-9]{0,29})(\\.[0-9]{1,18})?$',
  })

const ordering = z.enum(['desc', 'asc']).meta({ description: 'desc: the highest is first; asc: the lowest.' })

export const boardRules = z.strictObject({
  ordering,
  secondaryOrdering: ordering,
  unique: z.boolean().meta({ description: 'Whether each player has one entry, their best.' }),
  minScore: decimal('The lowest accepted score.').nullable(),
  maxScore: decimal('The highest accepted score.').nullable(),
})

const level = z.enum(LEVELS)
export const folderRules = z.strictObject({
  list_folders: level,
  list_files: level,
  mkdir: level,
  create: level,
  read: level,
  overwrite: level,
  delete: level,
})

export const permissions = z.array(z.string()).meta({ description: 'Permissions; `*` stands for any one part.' })
export const sha256 = z.string().nullable().meta({ description: 'SHA-256 of the bytes in hex; null if none was sent.' })

/** An event of the log, by its stream and revision. */
export const reference = z.strictObject({ stream: z.string(), revision: count })
