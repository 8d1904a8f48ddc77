// The text of the mail with a sign-in code.

import type { CodeMail } from '../contract/mail.ts'

interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Plain text. Line breaks in the game's name, which the tenant chooses, become spaces. */
export function messageOf({ email, code, game }: CodeMail): Message {
  const name = game.replace(/\s+/gu, ' ')
  return {
    to: email,
    subject: `${code} is your code for ${name}`,
    text: [
      `${code} is your code to sign in to ${name}.`,
      '',
      'It works once, within 15 minutes. If you did not ask for it, do nothing: nobody can sign in without it.',
      '',
    ].join('\n'),
  }
}
