// The names of streams: their prefixes, and how a name is made and parsed. All other code uses these functions.

/** Prefixes of Scorebook's streams, in a log that may contain streams of other applications. */
export const STREAM_PREFIXES = [
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
  'slots-',
  'deletions-',
  'boardkey-',
] as const

/** Streams whose names contain digests keyed by the root secret: with another root secret they cannot be found. */
const KEYED: ReadonlySet<StreamPrefix> = new Set(['external-', 'login-', 'mail-', 'folder-', 'file-'])

type StreamPrefix = (typeof STREAM_PREFIXES)[number]

/** `<prefix><id>`, or `<prefix><id>.<second>`. */
export function streamName(prefix: StreamPrefix, id: string, second?: string): string {
  return second === undefined ? prefix + id : `${prefix}${id}.${second}`
}

export const isNamed = (stream: string, prefix: StreamPrefix): boolean => stream.startsWith(prefix)

/** Whether the stream's name contains a digest keyed by the root secret. */
export const isKeyed = (stream: string): boolean => [...KEYED].some((prefix) => isNamed(stream, prefix))

/** The name without its prefix: the id, or both ids joined by a point. */
export const idIn = (stream: string): string => stream.slice(stream.search(/[-_]/) + 1)

/** Both ids in a name; the second is empty if the name has one. */
export function idsIn(stream: string): readonly [first: string, second: string] {
  const [first = '', second = ''] = idIn(stream).split('.')
  return [first, second]
}
