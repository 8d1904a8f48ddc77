// What the names of our streams begin with: in a log shared with others, what is ours.

/** Every stream that an aggregate names begins with one of these. */
export const STREAM_PREFIXES: readonly string[] = [
  'game-',
  'key-',
  'player-',
  'external-',
  'login-',
  'mail-',
  'session-',
  'board-',
  'lb_',
  'bucket-',
  'quota-',
  'folder-',
  'file-',
  'upload-',
]
