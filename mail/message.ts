// What a player reads when a code is mailed to them.

import type { CodeMail } from '../stores/contract/mail.ts'

interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Plain text; the game's name is the tenant's, so a line break in it is none here. */
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
