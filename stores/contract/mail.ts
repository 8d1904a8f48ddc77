// Mail: sends a code to the owner of an e-mail address. Nobody waits for it: a mail
// that is lost is requested again.

export interface CodeMail {
  readonly email: string
  /** Six digits. */
  readonly code: string
  /** The game's name. */
  readonly game: string
  /** The game's id. */
  readonly gameId?: string
}

export interface Mail {
  /** Takes the mail to send it in its own time; false where too many wait already. */
  send(mail: CodeMail): boolean
  /** Sends no more; ends when what is being sent has come to an end. */
  close(): Promise<void>
}
