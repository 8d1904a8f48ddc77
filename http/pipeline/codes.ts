// The closed list of problem codes: for each its status, its title, and what a caller does about it. A code is a
// contract: chosen by hand, never renamed. A test holds that nothing is refused with a code that is not here.

export interface Code {
  readonly status: number
  readonly title: string
  readonly todo: string
}

const code = (status: number, title: string, todo: string): Code => ({ status, title, todo })

export const PROBLEMS: Readonly<Record<string, Code>> = {
  // Every call.
  malformed: code(400, 'Malformed request', 'Fix the fields listed in `errors`.'),
  consistency_token_unknown: code(400, 'Unknown consistency token', 'Send a token as this service gave it, or none.'),
  unauthenticated: code(401, 'Who are you?', 'Run the handshake (or refresh) and send the new bearer token.'),
  token_rejected: code(401, 'Token rejected', 'Run the handshake again (or refresh) and send the new bearer token.'),
  api_key_required: code(401, 'API key required', 'Send the key’s prefix in the header X-API-Key.'),
  tenant_only: code(403, 'For the tenant’s server only', 'Call this from your server, with a server key.'),
  permission_needed: code(403, 'Permission needed', 'Use a key that holds the permission in `needed`.'),
  origin_not_allowed: code(403, 'Origin not allowed', 'Add the origin to the game’s cors_origins.'),
  not_found: code(404, 'Not found', 'Check the path and the ids; what belongs to another game is not found either.'),
  method_not_allowed: code(405, 'Method not allowed', 'Use one of the methods in the Allow header.'),
  request_timeout: code(408, 'Request took too long to arrive', 'Send the whole request without pausing.'),
  idempotency_in_progress: code(409, 'The same call is still running', 'Wait a moment and send it again.'),
  length_required: code(411, 'Length required', 'Send Content-Length, and no chunks.'),
  precondition_failed: code(412, 'Changed meanwhile', 'Read it again and send its present ETag in If-Match.'),
  body_too_large: code(413, 'Body too large', 'Send at most 64 KiB, in at most 1,024 chunks.'),
  unsupported_media_type: code(415, 'Unsupported media type', 'Send application/json in UTF-8, not compressed.'),
  range_not_satisfiable: code(
    416,
    'Range outside the file',
    'Ask for bytes that are there: Content-Range says how many.',
  ),
  idempotency_key_reused: code(422, 'Idempotency-Key used for another call', 'Use a new key for each call.'),
  recording_limit: code(429, 'Too much recorded in a day', 'Wait as long as Retry-After says, and record less.'),
  rate_limited: code(429, 'Too many requests', 'Wait as long as Retry-After says.'),
  headers_too_large: code(431, 'Headers too large', 'Send shorter headers.'),
  internal: code(500, 'Internal error', 'Try again; if it persists, report the request_id.'),
  busy: code(
    503,
    'Too many writers at once',
    'Part of the call may be recorded; send it again, with the same Idempotency-Key.',
  ),
  server_full: code(503, 'Server full', 'Nothing was changed; send it again after Retry-After.'),
  rankings_filling: code(503, 'Rankings are being filled', 'Read again in a moment.'),
  behind: code(
    503,
    'Not caught up yet',
    'The views have not seen your write, or whom a new token speaks for, yet; send the call again after Retry-After.',
  ),
  log_unavailable: code(503, 'The log is away', 'Send it again with the same Idempotency-Key.'),
  store_away: code(503, 'A store is away', 'Nothing was changed, or it is safe to repeat; send it again.'),

  // Keys, challenge, token.
  weak_public_key: code(400, 'Weak public key', 'Register a canonical Ed25519 key of full order.'),
  challenge_rejected: code(
    401,
    'Challenge rejected',
    'Ask for a new challenge and sign it within a minute. Refused again: check the key’s prefix and secret.',
  ),
  timestamp_out_of_range: code(401, 'Timestamp out of range', 'Set the clock: `server_time` says what time it is.'),
  key_revoked: code(409, 'Key revoked', 'Issue a new key.'),
  permission_not_grantable: code(
    422,
    'Permission not grantable',
    'Leave out the operator’s permissions and those that name another game.',
  ),
  too_many_keys: code(422, 'Too many keys', 'Revoke one that is not needed: a game may have 1,000.'),
  key_not_found: code(404, 'No such key', 'Check the prefix.'),

  // Games, players, sessions.
  game_not_found: code(404, 'No such game', 'Check the game’s id.'),
  name_mismatch: code(
    409,
    'Another name than the game’s',
    'Send the game’s name exactly as it is; nothing was deleted.',
  ),
  player_not_found: code(404, 'No such player', 'Check the player’s id.'),
  sign_in_rejected: code(401, 'Sign-in rejected', 'Check what was typed, or sign in another way.'),
  sign_in_method_off: code(403, 'Sign-in method switched off', 'Use another way to sign in.'),
  player_banned: code(
    403,
    'Player banned',
    'Wait for `until`, where there is one; else only the tenant can lift the ban.',
  ),
  ban_end_passed: code(422, 'The ban would be over already', 'Give an `until` that is to come, or none.'),
  login_taken: code(409, 'Login taken', 'Choose another login.'),
  already_registered: code(409, 'Already registered', 'Sign in with the login that this player has.'),
  reads_busy: code(
    503,
    'Too many long reads at once',
    'Nothing was read or changed. Ask again after Retry-After, and for less at once.',
  ),
  board_too_large: code(
    422,
    'Leaderboard too large to be computed',
    'Whoever runs the service can give its processes more memory.',
  ),
  sign_in_busy: code(503, 'Too many sign-ins at once', 'Nothing was changed; try again after Retry-After.'),
  mail_unavailable: code(503, 'No mail can be sent', 'Sign in another way, or try again later.'),
  external_id_taken: code(409, 'External id taken', 'That external id belongs to another player of the game.'),

  // History.
  too_many_followers: code(429, 'Too many followers', 'End one that is not needed, or ask another node.'),
  already_verifying: code(409, 'Verifying already', 'Wait until it is done, or ask another node.'),
  views_rebuilding: code(409, 'Views are being rebuilt', 'Wait until that is done, or cancel it with DELETE.'),
  nothing_kept: code(409, 'No way back', 'Rebuild the views again instead: what was shown before is not kept.'),
  unknown_view: code(422, 'No such view', 'Use one of the names listed.'),

  // Leaderboards and scores.
  leaderboard_not_found: code(404, 'No such leaderboard', 'Check the leaderboard’s id.'),
  too_many_leaderboards: code(422, 'Too many leaderboards', 'Archive one that is not needed: a game may have 10,000.'),
  rebuild_running: code(
    409,
    'The leaderboard is being rebuilt',
    'Wait until its rebuild is done, or cancel it with DELETE.',
  ),
  rebuild_not_found: code(404, 'No rebuild', 'Nothing is to be done: this leaderboard was never rebuilt.'),
  score_not_found: code(404, 'No such score', 'Check the score’s id.'),
  conflicting_parameters: code(400, 'Conflicting parameters', 'Leave out one of them.'),
  extra_data_too_large: code(422, 'extra_data too large', 'Keep it within 8 KiB and 32 levels.'),
  score_below_minimum: code(422, 'Score below the minimum', 'Submit a score within the leaderboard’s bounds.'),
  score_above_maximum: code(422, 'Score above the maximum', 'Submit a score within the leaderboard’s bounds.'),
  rooms_off: code(422, 'No rooms', 'The tenant switches them on: PUT the game with realtime.enabled.'),
  ticket_rejected: code(401, 'Ticket rejected', 'Have the game client ask for a new ticket.'),
  player_required: code(422, 'A player is required', 'Sign a player in, or name one.'),
  unknown_player: code(422, 'Unknown player', 'Name a player of this game.'),

  // Buckets, folders, files.
  size_mismatch: code(
    400,
    'Not the size that was announced',
    'Send exactly as many bytes as the upload was begun with.',
  ),
  bucket_not_found: code(404, 'No such bucket', 'Check the bucket’s id.'),
  too_many_buckets: code(422, 'Too many buckets', 'Delete one that is not needed: a game may have 1,000.'),
  already_exists: code(409, 'Exists already', 'Use the folder that is there, or another path.'),
  folder_not_empty: code(409, 'Folder not empty', 'Send recursive=1 to delete all that is in it.'),
  upload_incomplete: code(409, 'Bytes not there yet', 'Send the bytes to the upload’s link, then complete it.'),
  upload_running: code(
    409,
    'The upload’s bytes are coming already',
    'Send them to one place at a time; wait until what was begun has ended, and send again.',
  ),
  root_folder: code(422, 'The root stays', 'Delete the bucket instead.'),
  file_too_large: code(422, 'File too large', 'Keep it within the bucket’s max_file_bytes.'),
  quota_exceeded: code(422, 'No room left', 'Delete files, or have the limit named in `limit` raised.'),
  download_quota_exceeded: code(422, 'Downloads used up', 'Wait for the next month, or have the limit raised.'),
  checksum_mismatch: code(422, 'Other bytes than announced', 'Send the bytes whose sha256 was given.'),
  files_off: code(503, 'No file store', 'Ask the operator to configure one: FILES_DIR or S3_URL.'),
  store_full: code(503, 'File store full', 'Send it again after Retry-After, or a smaller file.'),
}
