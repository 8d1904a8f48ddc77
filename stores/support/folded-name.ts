// How names of rooms are compared in a search.

/** A name as it is searched: letters of either case and however they are composed are the same. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
