// An event named by its stream and its revision there: that holds in whatever log the streams are, as a position does not.

export type EventReference = {
  readonly stream: string
  readonly revision: number
}

export function sameReference(a: EventReference | null, b: EventReference | null): boolean {
  return a === b || (a !== null && b !== null && a.stream === b.stream && a.revision === b.revision)
}
