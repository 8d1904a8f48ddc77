// The complete list of problem codes with status, title and what the caller should do. Codes are part of the API and
// never renamed. A test checks that every refusal uses a code of this list.

export interface Code {
  readonly status: number
  readonly title: string
  readonly todo: string
}

const code = (status: number, title: string, todo: string): Code => ({ status, title, todo })

export const PROBLEMS: Readonly<Record<string, Code>> = {
  // Every call.
  malformed: code(400, 'Malformed request', 'Fix the fields listed in `errors`.'),
  position_unknown: code(
    400,
    'Unknown position',
    'Read from the beginning: the position is of another log, beyond the end, or from before a restore.',
  ),
  consistency_token_unknown: code(
    400,
    'Unknown consistency token',
    'Send a token exactly as this service issued it, or leave it out.',
  ),
  unauthenticated: code(
    401,
    'Authentication required',
    'Run the handshake (or refresh) and send the new bearer token.',
  ),
  token_rejected: code(401, 'Token rejected', 'Run the handshake again (or refresh) and send the new bearer token.'),
  api_key_required: code(401, 'API key required', 'Send the key’s prefix in the header X-API-Key.'),
  tenant_only: code(403, 'Only for the tenant’s server', 'Call this from your server, with a server key.'),
  operator_token: code(
    403,
    'Not with an operator’s token of a game',
    'Sign players in with a key of the game. Manage keys with the operator key’s own token.',
  ),
  permission_needed: code(403, 'Permission required', 'Use a key that has the permission in `needed`.'),
  origin_not_allowed: code(403, 'Origin not allowed', 'Add the origin to the game’s cors_origins.'),
  not_found: code(404, 'Not found', 'Check the path and the ids. Resources of other games are reported as not found.'),
  method_not_allowed: code(405, 'Method not allowed', 'Use one of the methods in the Allow header.'),
  request_timeout: code(408, 'Request took too long to arrive', 'Send the whole request without pausing.'),
  idempotency_in_progress: code(409, 'The same call is still running', 'Wait a moment and send it again.'),
  length_required: code(411, 'Length required', 'Send Content-Length, and do not use chunked encoding.'),
  precondition_failed: code(412, 'Changed since it was read', 'Read it again and send its current ETag in If-Match.'),
  body_too_large: code(
    413,
    'Body too large',
    'Send at most 64 KiB, in at most 1,024 chunks. A list of submissions may have 1 MiB if it is sent with a Content-Length.',
  ),
  unsupported_media_type: code(415, 'Unsupported media type', 'Send application/json in UTF-8, not compressed.'),
  range_not_satisfiable: code(
    416,
    'Range outside the file',
    'Request bytes inside the file; Content-Range gives its size.',
  ),
  idempotency_key_reused: code(
    422,
    'Idempotency key already used',
    'Use a new key for each call, and for each submission of a list.',
  ),
  recording_limit: code(429, 'Daily recording limit reached', 'Wait for the time in Retry-After, and record less.'),
  rate_limited: code(429, 'Too many requests', 'Wait for the time in Retry-After.'),
  headers_too_large: code(431, 'Headers too large', 'Send a shorter path, or shorter or fewer headers.'),
  internal: code(500, 'Internal error', 'Try again; if it persists, report the request_id.'),
  busy: code(
    503,
    'Too many concurrent writes',
    'Part of the call may be recorded. Send it again with the same Idempotency-Key.',
  ),
  server_full: code(503, 'Server full', 'Nothing was changed. Send it again after Retry-After.'),
  rankings_filling: code(503, 'Rankings are being filled', 'Read again in a moment.'),
  behind: code(
    503,
    'Not visible yet',
    'Your write, or the session of a new token, is not visible yet. Send the call again after Retry-After.',
  ),
  clock_behind: code(
    503,
    'Server clock behind',
    'Nothing is recorded until the operator sets the server’s clock. Send it again later with the same Idempotency-Key.',
  ),
  log_unavailable: code(503, 'Event log unavailable', 'Send it again with the same Idempotency-Key.'),
  store_away: code(503, 'Backing service unavailable', 'Send it again with the same Idempotency-Key.'),

  // Keys, challenge, token.
  weak_public_key: code(400, 'Weak public key', 'Register a canonical Ed25519 key of full order.'),
  challenge_rejected: code(
    401,
    'Challenge rejected',
    'Request a new challenge and sign it within a minute. If that fails too, check the key’s prefix and secret.',
  ),
  timestamp_out_of_range: code(401, 'Timestamp out of range', 'Correct your clock; `server_time` is the current time.'),
  key_revoked: code(409, 'Key revoked', 'Issue a new key.'),
  last_operator_key: code(409, 'The last operator key', 'Make another operator key first, then revoke this one.'),
  permission_not_grantable: code(
    422,
    'Permission not grantable',
    'Leave out the operator’s permissions and those that name another game.',
  ),
  too_many_keys: code(422, 'Too many keys', 'Revoke one that is not needed: a game may have 1,000.'),
  key_not_found: code(404, 'No such key', 'Check the prefix.'),

  // Games, players, sessions.
  game_not_found: code(404, 'No such game', 'Check the game’s id.'),
  name_mismatch: code(409, 'Name does not match the game', 'Nothing was deleted. Send the exact name of the game.'),
  player_not_found: code(404, 'No such player', 'Check the player’s id.'),
  sign_in_rejected: code(401, 'Sign-in rejected', 'Check what was typed, or sign in another way.'),
  sign_in_method_off: code(403, 'Sign-in method disabled', 'Use another sign-in method.'),
  player_banned: code(
    403,
    'Player banned',
    'Wait for `until` if it is given; otherwise only the tenant can lift the ban.',
  ),
  ban_end_passed: code(422, 'Ban end in the past', 'Send an `until` in the future, or leave it out.'),
  login_taken: code(409, 'Login taken', 'Choose another login.'),
  already_registered: code(409, 'Already registered', 'Sign in with the existing login of this player.'),
  reads_busy: code(503, 'Too many concurrent long reads', 'Send it again after Retry-After, with a smaller page.'),
  board_too_large: code(
    422,
    'Leaderboard too large for this query',
    'Ask the operator to give the service more memory.',
  ),
  sign_in_busy: code(503, 'Too many concurrent sign-ins', 'Nothing was changed. Try again after Retry-After.'),
  mail_unavailable: code(503, 'Mail unavailable', 'Use another sign-in method, or try again later.'),
  external_id_taken: code(409, 'External id taken', 'That external id belongs to another player of the game.'),

  // History.
  too_many_followers: code(
    429,
    'Too many open event streams',
    'Close a stream that is not needed, or use another node.',
  ),
  backup_running: code(409, 'Backup already running', 'Wait until it is done.'),
  already_verifying: code(409, 'Verification already running', 'Wait until it is done, or use another node.'),
  views_rebuilding: code(409, 'Views are being rebuilt', 'Wait until the rebuild is done, or cancel it with DELETE.'),
  nothing_kept: code(409, 'No previous build', 'The previous build was deleted. Rebuild the views instead.'),
  unknown_view: code(422, 'No such view', 'Use one of the names listed.'),

  // Leaderboards and scores.
  leaderboard_not_found: code(404, 'No such leaderboard', 'Check the leaderboard’s id or key.'),
  leaderboard_key_taken: code(
    409,
    'Leaderboard key taken',
    'Choose another key, or change the key of the leaderboard that has it.',
  ),
  too_many_leaderboards: code(422, 'Too many leaderboards', 'Archive one that is not needed: a game may have 10,000.'),
  rebuild_running: code(
    409,
    'The leaderboard is being rebuilt',
    'Wait until the rebuild is done, or cancel it with DELETE.',
  ),
  rebuild_not_found: code(404, 'No rebuild', 'This leaderboard was never rebuilt.'),
  season_not_found: code(404, 'No such season', 'GET `seasons/` of the leaderboard lists its seasons.'),
  score_not_found: code(404, 'No such score', 'Check the score’s id.'),
  recut_needed: code(400, 'Seasons and rules together', 'First PUT `seasons`, then the other rules.'),
  season_too_short: code(422, 'Season too short', 'Send a schedule whose firings are at least an hour apart.'),
  no_seasons: code(422, 'No seasons', 'Leave out `season`, or give the leaderboard a schedule of seasons.'),
  recut_unavailable: code(422, 'Not available', 'Leave out `recut` and `recompute`.'),
  conflicting_parameters: code(400, 'Conflicting parameters', 'Leave out one of them.'),
  extra_data_too_large: code(422, 'extra_data too large', 'Keep it within 8 KiB and 32 levels.'),
  score_below_minimum: code(422, 'Score below the minimum', 'Submit a score within the leaderboard’s bounds.'),
  total_out_of_range: code(
    422,
    'Total out of range',
    'Submit a smaller score: a player’s total stays between -10^30 and 10^30.',
  ),
  score_above_maximum: code(422, 'Score above the maximum', 'Submit a score within the leaderboard’s bounds.'),
  rooms_off: code(422, 'Rooms disabled', 'The tenant enables them: PUT the game with realtime.enabled.'),
  ticket_rejected: code(401, 'Ticket rejected', 'Request a new ticket.'),
  player_required: code(422, 'Player required', 'Sign a player in, or name one.'),
  unknown_player: code(422, 'Unknown player', 'Name a player of this game.'),

  // Buckets, folders, files.
  size_mismatch: code(400, 'Wrong size', 'Send exactly the number of bytes announced for the upload.'),
  bucket_not_found: code(404, 'No such bucket', 'Check the bucket’s id.'),
  too_many_buckets: code(422, 'Too many buckets', 'Delete one that is not needed: a game may have 1,000.'),
  already_exists: code(409, 'Already exists', 'Use the existing folder, or another path.'),
  folder_not_empty: code(409, 'Folder not empty', 'Send recursive=1 to delete the folder and its contents.'),
  upload_incomplete: code(409, 'Upload incomplete', 'Send the bytes to the upload’s link, then complete it.'),
  already_stored: code(409, 'Already stored', 'Complete the upload, or begin another one for other bytes.'),
  upload_running: code(
    409,
    'Upload already in progress',
    'Send the bytes again after Retry-After: they take over if no byte has arrived there for 5 seconds.',
  ),
  root_folder: code(422, 'Root folder cannot be deleted', 'Delete the bucket instead.'),
  file_too_large: code(422, 'File too large', 'Keep it within the bucket’s max_file_bytes.'),
  quota_exceeded: code(422, 'Quota exceeded', 'Delete files, or have the limit in `limit` raised.'),
  download_quota_exceeded: code(422, 'Download quota exceeded', 'Wait for the next month, or have the limit raised.'),
  checksum_mismatch: code(422, 'Checksum mismatch', 'Send the bytes that match the announced sha256.'),
  files_off: code(503, 'File store off', 'Ask the operator: `detail` says what to configure, or where to look.'),
  store_full: code(503, 'File store full', 'Send it again after Retry-After, or a smaller file.'),
}
