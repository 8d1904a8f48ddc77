// Names an event by stream and revision. Unlike a position, this stays valid when the streams are copied to another
// log.

export type EventReference = {
  readonly stream: string
  readonly revision: number
}

export function sameReference(a: EventReference | null, b: EventReference | null): boolean {
  return a === b || (a !== null && b !== null && a.stream === b.stream && a.revision === b.revision)
}
