// Schema fields for sign-in, normalised for comparison.

import { z } from 'zod'
import { foldCase } from '../../queries/fold-case.ts'
import { name } from '../fields.ts'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 256
const EMAIL_MAX = 254
const SECRET_MAX = 512

/** A login as typed and as compared. Only the compared form counts for idempotency (`toJSON`). */
class Login {
  readonly typed: string
  readonly compared: string
  constructor(typed: string) {
    this.typed = typed
    this.compared = foldCase(typed)
  }

  toJSON(): string {
    return this.compared
  }
}

/** 1 to 64 characters, compared without regard to case. */
export const login = name
  .transform((typed) => new Login(typed))
  .meta({
    description: 'What the player signs in by: 1 to 64 characters, compared without regard to case.',
    minLength: 1,
    maxLength: 64,
    examples: ['ada'],
  })

const passwordText = z
  .string('must be text')
  .max(PASSWORD_MAX, `must be at most ${PASSWORD_MAX} characters: shorten it`)
  // The same password, however the keyboard composes its characters (NIST SP 800-63B, 3.1.1.2).
  .transform((text) => text.normalize('NFKC'))

/** A password to sign in with: its minimum length is not checked, so as to reveal nothing. */
export const password = passwordText.meta({ maxLength: PASSWORD_MAX })

/** A password to be set: 8 to 256 characters, any. */
export const newPassword = z
  .string('must be text')
  .refine((text) => [...text].length >= PASSWORD_MIN, `must be at least ${PASSWORD_MIN} characters: lengthen it`)
  .pipe(passwordText)
  .meta({ description: 'Any characters.', minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX })

const NOT_AN_EMAIL =
  'must be an e-mail address such as ada@example.com: printable ASCII, a domain in its DNS form (xn--…) if it has other letters'
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/

/**
 * An e-mail address in lower case. ASCII only, so that look-alike or case-folded letters cannot redirect mail to
 * another address.
 */
export const email = z
  .string('must be text')
  .max(EMAIL_MAX, `must be at most ${EMAIL_MAX} characters: give an e-mail address`)
  .refine((text) => EMAIL.test(text) && text.indexOf('@') <= 64, NOT_AN_EMAIL)
  .transform((text) => text.toLowerCase())
  .meta({ description: 'An e-mail address, compared without regard to case.', examples: ['ada@example.com'] })

/** A mailed code. */
export const code = z
  .string('must be the code as text, since it may begin with 0')
  .regex(/^[0-9]{6}$/, 'must be the six digits that were mailed')
  .meta({ examples: ['042117'] })

/** A guest token, a refresh token or a ticket. */
export const secretToken = z.string('must be a token that the service issued').min(1).max(SECRET_MAX)
