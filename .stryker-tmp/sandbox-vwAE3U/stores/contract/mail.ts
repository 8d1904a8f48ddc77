// Sends one-time codes by e-mail. Callers do not wait for delivery: if a mail is lost, the player requests another.

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
  /** Queues the mail; false if the queue is full. */
  send(mail: CodeMail): boolean
  /** Stops sending; resolves when the mails in flight are settled. */
  close(): Promise<void>
}
