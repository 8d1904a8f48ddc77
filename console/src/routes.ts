// The addresses of the console below /console/, and the page of each. For the operator the query names the game.

import { signal } from '@preact/signals'

/** The pages of a game that the navigation links, in this order. `start`: the game's overview. */
export const GAME_PAGES = ['start', 'leaderboards', 'players', 'files', 'rooms', 'keys', 'history'] as const
/** The pages of the installation, for the operator. */
export const OPERATOR_PAGES = ['games', 'system'] as const

export type LinkedPage = (typeof GAME_PAGES | typeof OPERATOR_PAGES)[number]

export type Route =
  | { readonly page: LinkedPage }
  | { readonly page: 'leaderboard'; readonly id: string }
  | { readonly page: 'player'; readonly id: string }
  | { readonly page: 'unknown' }

export const BASE = '/console/'

const PAGES: ReadonlyMap<string, LinkedPage> = new Map(
  [...GAME_PAGES, ...OPERATOR_PAGES].filter((page) => page !== 'start').map((page) => [page, page]),
)
const OWN: Readonly<Record<string, 'leaderboard' | 'player'>> = { leaderboards: 'leaderboard', players: 'player' }

/** `path`: as in `location.pathname`. */
export function routeOf(path: string): Route {
  const inside = path.startsWith(BASE) ? path.slice(BASE.length) : ''
  const [page = '', id, ...more] = inside.replace(/\/$/, '').split('/')
  if (more.length > 0) return { page: 'unknown' }
  if (page === '' && id === undefined) return { page: 'start' }
  if (id === undefined) return { page: PAGES.get(page) ?? 'unknown' }
  const own = OWN[page]
  return own !== undefined && /^[A-Za-z0-9_-]{1,128}$/.test(id) ? { page: own, id } : { page: 'unknown' }
}

/** Whether a page is about all games: Games, System, and the start page outside of a game. */
export const isOfInstallation = ({ page }: Route, game: string | null): boolean =>
  page === 'games' || page === 'system' || (page === 'start' && game === null)

/** The game in the address; null if it names none. */
export function gameIn(search: URLSearchParams): string | null {
  const game = search.get('game')
  return game !== null && /^[a-z2-7]{24}$/.test(game) ? game : null
}

/** The operator's game, which all links inside it keep. */
export const linkedGame = signal<string | null>(null)

type Search = Readonly<Record<string, string | number | null | undefined>>

function withSearch(path: string, search: Search, game = linkedGame.value): string {
  const entries = Object.entries({ ...search, game }).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)] as const)).toString()
  return text === '' ? path : `${path}?${text}`
}

export const to = {
  start: (): string => withSearch(BASE, {}),
  /** The start page of a game, for the operator. */
  game: (game: string): string => withSearch(BASE, {}, game),
  /** `start`: as `to.start()`. */
  page: (page: LinkedPage, search: Search = {}): string =>
    page === 'start'
      ? withSearch(BASE, search)
      : page === 'games' || page === 'system'
        ? withSearch(`${BASE}${page}`, search, null)
        : withSearch(`${BASE}${page}`, search),
  leaderboard: (id: string, search: Search = {}): string => withSearch(`${BASE}leaderboards/${id}`, search),
  player: (id: string, search: Search = {}): string => withSearch(`${BASE}players/${id}`, search),
  history: (search: Search): string => withSearch(`${BASE}history`, search),
}
