// The answer to a preview: what other rules would do to a board, with the players' present names.

import type { Paging, QueryDeps } from './deps.ts'
import type { Mover, MoverList } from './movers.ts'
import { presentPlayers } from './present-players.ts'
import type { Placed, RuleEffect } from './rule-effect.ts'

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
  /** If the request asks for it. */
  readonly summary?: PreviewSummary
}

interface PreviewSummary {
  /** Players who have a rank before and after, and another one; who enter; and who leave. */
  readonly moved: number
  readonly entered: number
  readonly left: number
  readonly podium: { readonly before: readonly NamedPlace[]; readonly after: readonly NamedPlace[] }
}

interface NamedPlace {
  readonly player: string
  readonly player_name: string | null
  readonly score: string
  readonly secondary_score: string | null
}

/** What a preview's answer has besides the numbers of entries and the biggest moves. */
export interface PreviewParts {
  /** The page of `movers`; null: none. */
  readonly paging: Paging | null
  readonly summary: boolean
}

type NamedMover = Mover & { readonly player_name: string | null }

/** The effect of rules, with its movers in any form. */
export type ListedEffect = Omit<RuleEffect, 'movers'> & { readonly movers: MoverList }

export interface PreviewAnswer {
  readonly preview: Preview
  /** Whether all players in it are shown. One may have been banned or deleted since the effect was computed. */
  readonly areAllShown: boolean
}

export async function previewAnswer(
  deps: QueryDeps,
  effect: ListedEffect,
  { paging, summary }: PreviewParts,
): Promise<PreviewAnswer> {
  const { movers } = effect
  const count = movers.length
  const top = await named(deps, movers.slice(0, TOP))
  const places = summary ? await summaryOf(deps, effect) : null
  const areFirstShown = top.areAllShown && places?.areAllShown !== false
  const plain = {
    entries_before: effect.entriesBefore,
    entries_after: effect.entriesAfter,
    changed: count,
    top: top.rows,
    ...(places === null ? {} : { summary: places.summary }),
  }
  if (paging === null) return { preview: plain, areAllShown: areFirstShown }
  const end = paging.offset + paging.limit
  const page = await named(deps, movers.slice(paging.offset, end))
  const preview = { ...plain, movers: page.rows, count, next_offset: end < count ? end : null }
  return { preview, areAllShown: areFirstShown && page.areAllShown }
}

async function summaryOf(deps: QueryDeps, { movers, entered, left, podiumBefore, podiumAfter }: ListedEffect) {
  const all = [...podiumBefore, ...podiumAfter]
  const present = await presentPlayers(
    deps,
    deps.viewKey('entries'),
    all.map(({ player }) => player),
  )
  const places = all.map(({ player, score, secondary }: Placed, i): NamedPlace => {
    return { player, player_name: present[i]?.name ?? null, score, secondary_score: secondary }
  })
  const podium = { before: places.slice(0, podiumBefore.length), after: places.slice(podiumBefore.length) }
  const summary: PreviewSummary = { moved: movers.length - entered - left, entered, left, podium }
  return { summary, areAllShown: present.every(({ isShown }) => isShown) }
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
