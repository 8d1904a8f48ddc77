// How room names are compared in a search.

/** Normalises a name for search: case and Unicode composition do not matter. */
export function caselessName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
