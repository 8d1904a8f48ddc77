// The answer to a preview: what other rules would do to a board, with the players' present names.

import type { Paging, QueryDeps } from './deps.ts'
import type { Mover, MoverList } from './movers.ts'
import { presentPlayers } from './present-players.ts'
import type { RuleEffect } from './rule-effect.ts'

const TOP = 20

export interface Preview {
  readonly entries_before: number
  readonly entries_after: number
  readonly changed: number
  readonly top: readonly NamedMover[]
  /**
   * A page of all players that move, if the request asks for one; then also their number and the offset of the next
   * page.
   */
  readonly movers?: readonly NamedMover[]
  readonly count?: number
  readonly next_offset?: number | null
}

type NamedMover = Mover & { readonly player_name: string | null }

/** The effect of rules, with its movers in any form. */
export type ListedEffect = Omit<RuleEffect, 'movers'> & { readonly movers: MoverList }

export interface PreviewAnswer {
  readonly preview: Preview
  /** Whether all players in it are shown. One may have been banned or deleted since the effect was computed. */
  readonly areAllShown: boolean
}

/** `paging`: the page of `movers`; null: none. */
export async function previewAnswer(
  deps: QueryDeps,
  { entriesBefore, entriesAfter, movers }: ListedEffect,
  paging: Paging | null,
): Promise<PreviewAnswer> {
  const count = movers.length
  const top = await named(deps, movers.slice(0, TOP))
  const plain = { entries_before: entriesBefore, entries_after: entriesAfter, changed: count, top: top.rows }
  if (paging === null) return { preview: plain, areAllShown: top.areAllShown }
  const end = paging.offset + paging.limit
  const page = await named(deps, movers.slice(paging.offset, end))
  const preview = { ...plain, movers: page.rows, count, next_offset: end < count ? end : null }
  return { preview, areAllShown: top.areAllShown && page.areAllShown }
}

async function named(deps: QueryDeps, movers: readonly Mover[]) {
  const present = await presentPlayers(
    deps,
    deps.viewKey('entries'),
    movers.map(({ player }) => player),
  )
  const rows: NamedMover[] = movers.map(({ player, before, after }, i) => {
    return { player, player_name: present[i]?.name ?? null, before, after }
  })
  return { rows, areAllShown: present.every(({ isShown }) => isShown) }
}
