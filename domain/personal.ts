// Which fields of which events hold what a player wrote about themself. The log keeps them
// sealed under the player's key.

/** Event type -> top-level fields of its data. The player is the one in the event's metadata. */
export const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  PlayerCreated: ['name', 'externalId'],
  PlayerNamed: ['name'],
  LoginClaimed: ['name'],
  ExternalClaimed: ['name', 'externalId'],
  ScoreSubmitted: ['playerName'],
}
