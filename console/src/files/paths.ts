// Paths of folders: absolute, ending in `/`.

/** A folder and those above it, the root first: `/a/b/` is `/`, `/a/`, `/a/b/`. */
export function trail(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  return ['/', ...names.map((_, at) => `/${names.slice(0, at + 1).join('/')}/`)]
}

export const nameOf = (path: string): string =>
  path
    .split('/')
    .filter((name) => name !== '')
    .at(-1) ?? '/'
