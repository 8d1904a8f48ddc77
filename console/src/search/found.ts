// What the search finds: pages, actions of the page, leaderboards, players and keys, each with what choosing it does.

import type { Key, Leaderboard } from '../api.ts'
import { boardsOf, keysOf } from '../lists.ts'
import { go } from '../navigation.ts'
import { GAME_PAGES, OPERATOR_PAGES, to } from '../routes.ts'
import { matches, rowsOfPages } from '../rows-of-pages.ts'
import { may, type Session } from '../session.ts'
import { texts } from '../texts.ts'

export interface Found {
  readonly kind: keyof typeof texts.search.kinds
  /** Unique among what is found. */
  readonly id: string
  /** A text that somebody may have written. */
  readonly name: string | null
  /** Shown beside the name, and where the name shows nothing. */
  readonly about: string
  choose(): void
}

/** Of each kind. */
const FOUND_MAX = 8

/** The buttons and links in the head of the page that is shown. */
export function actionsOfPage(): readonly Found[] {
  const controls = [...document.querySelectorAll<HTMLElement>('[data-page-actions] :is(button, a)')]
  return controls
    .filter((control) => control.getAttribute('aria-disabled') !== 'true' && control.offsetParent !== null)
    .map((control, at) => ({
      kind: 'action',
      id: `action ${at}`,
      name: control.textContent,
      about: '',
      choose: () => control.click(),
    }))
}

export function pagesOf({ game, isOperator }: Session): readonly Found[] {
  return [...(game === null ? [] : GAME_PAGES), ...(isOperator ? OPERATOR_PAGES : [])].map((page) => ({
    kind: 'page',
    id: `page ${page}`,
    name: texts.pages[page],
    about: '',
    choose: () => go(to.page(page)),
  }))
}

/** Leaderboards and keys of the game, which the server does not search. */
export async function listed(
  { api, keysApi, game, mayManageKeys }: Session,
  isOver: () => boolean,
): Promise<readonly Found[]> {
  if (game === null) return []
  const [boards, keys] = await Promise.all([
    may(`gm:${game}:boards`) ? rowsOfPages(boardsOf(api, game), undefined, isOver) : [],
    mayManageKeys ? rowsOfPages(keysOf(keysApi, game), undefined, isOver) : [],
  ])
  return [...boards.map(boardFound), ...keys.filter(({ revoked }) => !revoked).map(keyFound)]
}

const boardFound = ({ id, name, key }: Leaderboard): Found => ({
  kind: 'board',
  id,
  name,
  about: key ?? id,
  choose: () => go(to.leaderboard(id)),
})

const keyFound = ({ prefix, name }: Key): Found => ({
  kind: 'key',
  id: prefix,
  name,
  about: prefix,
  choose: () => go(to.page('keys', { search: prefix })),
})

/** Players whose name contains the text. */
export async function playersNamed({ api, game }: Session, name: string): Promise<readonly Found[]> {
  if (game === null || name === '' || !may(`gm:${game}:players`)) return []
  const { players } = await api.players(game, { name, limit: FOUND_MAX })
  return players.map((player) => ({
    kind: 'player',
    id: player.id,
    name: player.name,
    about: player.id,
    choose: () => go(to.player(player.id)),
  }))
}

/** Those with all words of the search, the best of each kind. */
export function best(search: string, all: readonly Found[]): readonly Found[] {
  const counts = new Map<Found['kind'], number>()
  return all.filter((one) => {
    const count = counts.get(one.kind) ?? 0
    if (count >= FOUND_MAX || !matches(search, one.name, one.about)) return false
    counts.set(one.kind, count + 1)
    return true
  })
}
