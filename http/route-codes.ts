// Which problem codes a route can return: those that every call can lead to, those of its path and its caller, and its
// own.

import type { Documented } from './route.ts'

/** Problem codes that any route can return, beyond its own. */
const OF_EVERY_ROUTE = [
  ...['malformed', 'not_found', 'method_not_allowed', 'rate_limited', 'internal', 'store_away', 'server_full'],
  ...['request_timeout', 'headers_too_large'],
  // Any call may send X-Consistency-Token, also one that needs no authentication.
  ...['consistency_token_unknown', 'behind'],
  // Any call may send a body, also one that needs none.
  ...['body_too_large', 'unsupported_media_type'],
]
/** By a name in the path: nothing of the caller's game has that id. */
const OF_IDS: Readonly<Record<string, string>> = {
  game: 'game_not_found',
  leaderboard: 'leaderboard_not_found',
  score: 'score_not_found',
  player: 'player_not_found',
  prefix: 'key_not_found',
  bucket: 'bucket_not_found',
}
const OF_PREFIXES = ['api_key_required']
const OF_SECRETS = ['unauthenticated']
const OF_TOKENS = ['unauthenticated', 'token_rejected', 'player_banned']
const OF_RECORDS = [
  ...['idempotency_in_progress', 'idempotency_key_reused', 'recording_limit'],
  ...['busy', 'log_unavailable', 'clock_behind'],
]
/** Another caller may delete the game after this call was admitted and before it is recorded. */
const OF_RECORDS_OF_A_GAME = ['game_not_found']

/** The names of the ids in a path: `/api/gm/:game/` has `game`. */
export const idNamesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** The problem codes that a route can return; some may be listed twice. */
export function codesOf({ path, needs, tenantOnly, records, byPrefix, admits, refusals = [] }: Documented): string[] {
  return [
    ...OF_EVERY_ROUTE,
    ...idNamesIn(path).flatMap((name) => OF_IDS[name] ?? []),
    ...(byPrefix === true ? OF_PREFIXES : []),
    ...(admits === undefined ? [] : OF_SECRETS),
    ...(needs === 'nothing' ? [] : OF_TOKENS),
    ...(tenantOnly ? ['tenant_only'] : []),
    ...(typeof needs === 'string' ? [] : ['permission_needed']),
    ...(records ? OF_RECORDS : []),
    ...(records && idNamesIn(path).length > 0 ? OF_RECORDS_OF_A_GAME : []),
    ...refusals,
  ]
}
