// The names of our streams: what they begin with, and how one is made and read. Nobody else takes one apart.

/** In a log shared with others, what begins so is ours. */
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
] as const

/** Of those, streams named by digests under the root secret: an installation with another one does not find them. */
const KEYED: ReadonlySet<StreamPrefix> = new Set(['external-', 'login-', 'mail-', 'folder-', 'file-'])

type StreamPrefix = (typeof STREAM_PREFIXES)[number]

/** `<prefix><id>`, or `<prefix><id>.<second>`. */
export function streamName(prefix: StreamPrefix, id: string, second?: string): string {
  return second === undefined ? prefix + id : `${prefix}${id}.${second}`
}

export const isNamed = (stream: string, prefix: StreamPrefix): boolean => stream.startsWith(prefix)

/** Whether it is named by a digest under the root secret. */
export const isKeyed = (stream: string): boolean => [...KEYED].some((prefix) => isNamed(stream, prefix))

/** All behind the prefix: the id, or both as they stand there. */
export const idIn = (stream: string): string => stream.slice(stream.search(/[-_]/) + 1)

/** Of a name of two ids both, of one the second one empty. */
export function idsIn(stream: string): readonly [first: string, second: string] {
  const [first = '', second = ''] = idIn(stream).split('.')
  return [first, second]
}
