// Where a game client keeps its guest and its outbox: `localStorage` in a browser, memory elsewhere, or what the caller
// passes. Tabs that share a storage take turns by Web Locks where these exist.

/** As Web Storage has it. Promises are accepted too. */
export interface KeyValueStorage {
  getItem(name: string): string | null | Promise<string | null>
  setItem(name: string, value: string): unknown
  removeItem(name: string): unknown
}

/** What a page has and other programs may lack. */
interface PageGlobals {
  readonly crypto: object
  readonly document?: object
  readonly localStorage?: KeyValueStorage
  readonly navigator?: { readonly locks?: { request(name: string, run: () => Promise<unknown>): Promise<unknown> } }
}

const page: PageGlobals = globalThis

/** The name of an item. Everything kept belongs to one base URL, and all but the first part to one game. */
export function itemName(...parts: readonly string[]): string {
  return ['scorebook', ...parts].join(' ')
}

/** `localStorage` in a page that may use it; else memory, which lasts as long as the client. */
export function defaultStorage(): KeyValueStorage {
  // Deno and Node have a localStorage too, which is not a page's own.
  if (page.document === undefined) return memoryStorage()
  try {
    return page.localStorage ?? memoryStorage()
  } catch {
    // The page may not store anything.
    return memoryStorage()
  }
}

export function memoryStorage(): KeyValueStorage {
  const items = new Map<string, string>()
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => items.set(name, value),
    removeItem: (name) => items.delete(name),
  }
}

/** The stored JSON, or null if there is none or it is damaged. */
export async function readJson(storage: KeyValueStorage, name: string): Promise<unknown> {
  try {
    return JSON.parse((await storage.getItem(name)) ?? 'null')
  } catch {
    return null
  }
}

/** Tasks of this page, by the name that they wait for. */
const waiting = new Map<string, Promise<unknown>>()

/**
 * Runs tasks of one name one after the other, in this page and, with Web Locks, in all pages of this origin. Not
 * re-entrant.
 */
export function exclusive<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
  const result = (waiting.get(name) ?? Promise.resolve()).then(() => locked(name, task))
  const settled = result.then(
    () => {},
    () => {},
  )
  waiting.set(name, settled)
  void settled.then(() => {
    if (waiting.get(name) === settled) waiting.delete(name)
  })
  return result
}

async function locked<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
  const locks = page.navigator?.locks
  let begun: Promise<Result> | undefined
  const run = () => {
    begun ??= task()
    return begun
  }
  // A page without an origin, such as a sandboxed frame, is refused its locks, and shares nothing with others.
  await locks?.request(name, run).catch(() => {})
  return run()
}
